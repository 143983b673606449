"""The one way to say no."""


class Refused(Exception):
    """What was asked changes nothing. ``code`` is for programs, ``text`` tells a person what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
