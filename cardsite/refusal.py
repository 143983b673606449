"""The one way to say no."""


class Refused(Exception):
    """What was asked changes nothing. ``code`` is for programs, ``text`` tells a person what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    @property
    def status(self) -> int:
        """The HTTP status that says the same."""
        return {"slow_down": 429, "busy": 503}.get(self.code, 409)
