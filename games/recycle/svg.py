"""Pictures of authors: SVG that is read into shapes, of which nothing but what is listed here remains.

Nothing is stripped in the hope that the rest is harmless: whatever is not listed is refused, with its name. What
drawing programs add and nobody sees (ids, classes, titles, metadata) is left out. Pages draw the shapes themselves, so
no markup of an author ever reaches one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.parsers import expat

from games.core.messages import Message, message
from games.core.view import OwnPicture, Shape

LONGEST = 8 * 1024  # characters of a picture
MOST_SHAPES = 100
DEEPEST = 12  # nested groups
MOST_STEPS = 8  # of one transform
LARGEST = 10_000  # the largest number

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
# Attributes are taken apart by these, and what is left over is compared: no pattern here can backtrack far.
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE | re.ASCII)
_GAPS = re.compile(r"[\s,]*", re.ASCII)
_PATH_GAPS = re.compile(r"[\s,MLHVCSQTAZ]*", re.IGNORECASE | re.ASCII)
_STEP = re.compile(r"(?:translate|scale|rotate|skewX|skewY|matrix)\s*\(([^()]*)\)", re.ASCII)
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_NAMED = frozenset(
    (
        "aqua", "beige", "black", "blue", "brown", "crimson", "cyan", "darkblue", "darkgreen", "darkred", "fuchsia",
        "gold", "gray", "green", "grey", "indigo", "ivory", "khaki", "lime", "magenta", "maroon", "navy", "olive",
        "orange", "orchid", "pink", "plum", "purple", "red", "salmon", "sienna", "silver", "tan", "teal", "tomato",
        "turquoise", "violet", "wheat", "white", "yellow",
    )
)  # fmt: skip


class BadPicture(ValueError):
    """A picture that is refused. ``text`` is for its author."""

    def __init__(self, text: Message) -> None:
        super().__init__(text)
        self.text = text


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value.removesuffix("px")) is not None


def _is_list(value: str) -> bool:
    return _NUMBER.search(value) is not None and _GAPS.fullmatch(_NUMBER.sub(" ", value)) is not None


def _is_path(value: str) -> bool:
    return _PATH_GAPS.fullmatch(_NUMBER.sub(" ", value)) is not None


def _is_transform(value: str) -> bool:
    steps = _STEP.findall(value)
    return 0 < len(steps) <= MOST_STEPS and all(map(_is_list, steps)) and not _STEP.sub("", value).strip(" ,\n\t")


def _is_share(value: str) -> bool:
    return _is_number(value) and 0 <= float(value.removesuffix("px")) <= 1


def _is_colour(value: str) -> bool:
    return value in ("none", "currentColor") or value.lower() in _NAMED or _HEX.fullmatch(value) is not None


def _one_of(*words: str) -> Callable[[str], bool]:
    return words.__contains__


Checks = Mapping[str, Callable[[str], bool]]

_POINTS = {"points": _is_list}
# The shapes, with the attributes that say where they are.
SHAPES: Mapping[str, Checks] = {
    "path": {"d": _is_path},
    "circle": dict.fromkeys(("cx", "cy", "r"), _is_number),
    "ellipse": dict.fromkeys(("cx", "cy", "rx", "ry"), _is_number),
    "rect": dict.fromkeys(("x", "y", "width", "height", "rx", "ry"), _is_number),
    "line": dict.fromkeys(("x1", "y1", "x2", "y2"), _is_number),
    "polyline": _POINTS,
    "polygon": _POINTS,
}
# How a shape is painted; from a group or the whole picture it goes to the shapes inside.
PAINT: Checks = {
    "fill": _is_colour,
    "stroke": _is_colour,
    "fill-rule": _one_of("nonzero", "evenodd"),
    "fill-opacity": _is_share,
    "stroke-opacity": _is_share,
    "stroke-width": _is_number,
    "stroke-linecap": _one_of("butt", "round", "square"),
    "stroke-linejoin": _one_of("miter", "round", "bevel"),
    "stroke-miterlimit": _is_number,
}
_PLACED: Checks = {"transform": _is_transform, "opacity": _is_share}
_BOX: Checks = {
    "viewBox": lambda value: _is_list(value) and len(_NUMBER.findall(value)) == 4,
    "width": _is_number,
    "height": _is_number,
}
# What nobody sees, and drawing programs write.
_SILENT_ATTRIBUTES = frozenset(("id", "class", "version", "baseProfile", "role", "focusable", "xml:space"))
_SILENT_ELEMENTS = frozenset(("title", "desc", "metadata"))
_EDITORS = ("http://www.inkscape.org/", "http://sodipodi.sourceforge.net/", "http://www.bohemiancoding.com/sketch/")
_XML = "http://www.w3.org/XML/1998/namespace"


def read_picture(markup: str) -> OwnPicture:
    """Return a picture in SVG as its shapes. Raises BadPicture, with a sentence that names what is not allowed."""
    if len(markup) > LONGEST:
        raise BadPicture(
            message("A picture has at most {most:,} characters, and this one has {n:,}.", most=LONGEST, n=len(markup))
        )
    reader = _Reader()
    try:
        reader.read(markup)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise BadPicture(
            message("The picture is no complete SVG: {why}, in line {line} of it.", why=why, line=error.lineno)
        ) from error
    return reader.picture()


class _Reader:
    def __init__(self) -> None:
        self._open: list[str] = []  # elements that have begun
        self._paint: list[dict[str, str]] = []  # what each of them, with those around it, passes on to its shapes
        self._silent = 0  # how many open elements are not drawn
        self._box: tuple[str, ...] = ()
        self._shapes: list[Shape] = []

    def read(self, markup: str) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        parser.Parse(markup, True)

    def picture(self) -> OwnPicture:
        if not self._shapes:
            raise BadPicture(message("The picture has no shape. There are {there}.", there=", ".join(SHAPES)))
        colours = {shape["attributes"].get(name, "none") for shape in self._shapes for name in ("fill", "stroke")}
        return OwnPicture(box=" ".join(self._box), shapes=self._shapes, plain=colours <= {"none", "currentColor"})

    def _doctype(self, *_declared: object) -> None:
        raise BadPicture(message("A picture may not have a DOCTYPE or entities. Delete what begins with <!DOCTYPE."))

    def _instruction(self, target: str, _data: str) -> None:
        raise BadPicture(message("A picture may not have the instruction <?{name}?>. Delete it.", name=target[:20]))

    def _text(self, text: str) -> None:
        if text.strip() and not self._silent:
            raise BadPicture(message("A picture cannot have words. Draw them as paths, or give the card a corner."))

    def _begin(self, name: str, found: dict[str, str]) -> None:
        space, _, bare = name.rpartition(" ")
        element = bare[:30]
        self._open.append(element)
        if self._silent or space.startswith(_EDITORS) or (space in ("", _SVG) and bare in _SILENT_ELEMENTS):
            self._silent += 1
            return
        if space not in ("", _SVG) or (bare not in SHAPES and bare not in ("svg", "g")):
            there = ", ".join(("g", *SHAPES, "title"))
            raise BadPicture(
                message(
                    "A picture may not have the element <{element}>. There are {there}.", element=element, there=there
                )
            )
        if (bare == "svg") != (len(self._open) == 1):
            raise BadPicture(message("A picture is one <svg> element, with shapes in it."))
        if len(self._open) > 1 and self._open[-2] in SHAPES:
            raise BadPicture(
                message("A picture may not have <{element}> inside <{around}>.", element=element, around=self._open[-2])
            )
        if len(self._open) > DEEPEST:
            raise BadPicture(message("A picture has at most {most} nested groups.", most=DEEPEST))
        if bare == "svg":
            said = self._checked(element, found, {**_BOX, **PAINT})
            self._box = self._box_of(said)
            self._paint.append({key: value for key, value in said.items() if key in PAINT})
        else:
            said = self._checked(element, found, {**SHAPES.get(bare, {}), **PAINT, **_PLACED})
            around = self._paint[-1]
            whole = {**around, **said}
            steps = [one["transform"] for one in (around, said) if "transform" in one]
            if steps:
                whole["transform"] = " ".join(steps)
            if "opacity" in around and "opacity" in said:
                whole["opacity"] = f"{float(around['opacity']) * float(said['opacity']):.4g}"
            self._paint.append(whole)
            if bare in SHAPES:
                self._shapes.append(Shape(tag=bare, attributes=whole))
        if len(self._shapes) > MOST_SHAPES:
            raise BadPicture(message("A picture has at most {most} shapes.", most=MOST_SHAPES))

    def _end(self, _name: str) -> None:
        self._open.pop()
        if self._silent:
            self._silent -= 1
        else:
            self._paint.pop()

    def _checked(self, element: str, found: Mapping[str, str], checks: Checks) -> dict[str, str]:
        """Return the attributes that are drawn. Raises BadPicture for one that is not allowed."""
        said = {}
        for name, value in found.items():
            space, _, bare = name.rpartition(" ")
            if space.startswith(_EDITORS) or space == _XML or (not space and self._is_silent(bare)):
                continue
            shown = f"xlink:{bare}" if space == _XLINK else bare
            if bare == "style" and not space:
                raise BadPicture(
                    message("A picture may not have the attribute style. Say fill and stroke as attributes.")
                )
            if space or bare not in checks:
                there = ", ".join(checks)
                raise BadPicture(
                    message(
                        "A picture may not have the attribute {name} at <{element}>. There are {there}.",
                        name=shown[:30],
                        element=element,
                        there=there,
                    )
                )
            value = value.strip()
            if not checks[bare](value):
                raise BadPicture(
                    message(
                        "The attribute {name} at <{element}> cannot be {value}.",
                        name=bare,
                        element=element,
                        value=_shown(value),
                    )
                )
            _check_size(element, bare, value)
            said[bare] = value
        return said

    def _is_silent(self, name: str) -> bool:
        return name in _SILENT_ATTRIBUTES or name.startswith(("data-", "aria-"))

    def _box_of(self, said: Mapping[str, str]) -> tuple[str, ...]:
        if "viewBox" in said:
            box = tuple(_NUMBER.findall(said["viewBox"]))
        elif "width" in said and "height" in said:
            box = ("0", "0", said["width"].removesuffix("px"), said["height"].removesuffix("px"))
        else:
            raise BadPicture(message('The <svg> element needs its box, such as viewBox="0 0 20 20".'))
        if min(map(float, box[2:])) < 1:
            raise BadPicture(message("The box of a picture is at least 1 wide and 1 high."))
        return box


def _check_size(element: str, name: str, value: str) -> None:
    if PAINT.get(name) is _is_colour:
        return
    if any(abs(float(number)) > LARGEST for number in _NUMBER.findall(value)):
        raise BadPicture(
            message(
                "The attribute {name} at <{element}> has a number larger than {most:,}.",
                name=name,
                element=element,
                most=LARGEST,
            )
        )


def _shown(value: str) -> str:
    """Return a value for an error, in quotes and short."""
    short = value if len(value) <= 40 else f"{value[:40]} …"
    return f'"{short}"'


def written_again(picture: OwnPicture) -> str:
    """Return a picture as SVG in one line, for a table file: its shapes, without anything else."""
    shapes = "".join(
        f"<{shape['tag']}{''.join(f' {name}={_quoted(value)}' for name, value in shape['attributes'].items())}/>"
        for shape in picture["shapes"]
    )
    return f'<svg viewBox="{picture["box"]}">{shapes}</svg>'


def _quoted(value: str) -> str:
    return f'"{" ".join(value.split())}"'
