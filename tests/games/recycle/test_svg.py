"""Pictures of authors: what is drawn of them, and that nothing else is ever read from one."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.recycle.labels import BadTableFile, Labels
from games.recycle.svg import LONGEST, PAINT, SHAPES, BadPicture, read_picture, written_again
from tests.tiers import examples

BOX = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"'
ATTRIBUTE = 'a{}="1"'
LAMP = f'<svg {BOX}><path d="M10 2c4 0 6 3 6 6l-3 6H7L4 8c0-3 2-6 6-6Z"/></svg>'
DRAWN = {"transform", "opacity", *PAINT, *(name for checks in SHAPES.values() for name in checks)}


def within(shapes: str) -> str:
    return f"<svg {BOX}>{shapes}</svg>"


def refusal(markup: str) -> str:
    with pytest.raises(BadPicture) as refused:
        read_picture(markup)
    return str(refused.value)


def test_a_picture_is_its_shapes_with_what_its_groups_pass_on() -> None:
    picture = read_picture(
        within(
            '<g fill="#c00" stroke-width="2" transform="translate(1 2)" opacity=".5"><title>ear</title>'
            '<circle cx="3" cy="4" r="2" transform="scale(2)" opacity="0.5"/><g fill="none">'
            '<rect width="4" height="5"/></g></g>'
        )
    )
    assert picture == {
        "box": "0 0 20 20",
        "shapes": [
            {
                "tag": "circle",
                "attributes": {
                    "fill": "#c00", "stroke-width": "2", "transform": "translate(1 2) scale(2)", "opacity": "0.25",
                    "cx": "3", "cy": "4", "r": "2",
                },
            },
            {
                "tag": "rect",
                "attributes": {
                    "fill": "none", "stroke-width": "2", "transform": "translate(1 2)", "opacity": ".5",
                    "width": "4", "height": "5",
                },
            },
        ],
        "plain": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "plain"),
    [
        ('<path d="M0 0h9"/>', True),
        ('<path d="M0 0h9" fill="none" stroke="currentColor"/>', True),
        ('<path d="M0 0h9" stroke="red"/>', False),
        ('<g fill="#123456"><path d="M0 0h9"/></g>', False),
    ],
)
def test_a_picture_without_colours_of_its_own_takes_those_of_the_card(shape: str, plain: bool) -> None:
    assert read_picture(within(shape))["plain"] is plain


def test_what_drawing_programs_add_is_left_out() -> None:
    markup = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!-- Created with a drawing program -->
    <svg {BOX} width="20px" height="20px" version="1.1" id="svg5" xml:space="preserve" inkscape:version="1.2"
      xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
      xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
      <sodipodi:namedview id="namedview7" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview>
      <metadata>by <b>somebody</b></metadata><title>A lamp</title>
      <g inkscape:label="Layer 1" id="layer1"><path id="path1" class="a" d="M 1,2 3e-1,4 Z"/></g></svg>"""
    assert read_picture(markup)["shapes"] == [{"tag": "path", "attributes": {"d": "M 1,2 3e-1,4 Z"}}]


def test_a_picture_that_is_written_again_is_the_same_picture() -> None:
    picture = read_picture(within('<g fill="red"><path d="M0 0\n L9,9"/></g><polygon points="0,0 9,9 0,9"/>'))
    again = read_picture(written_again(picture))
    assert again["box"] == "0 0 20 20"
    assert again["shapes"] == [
        {"tag": "path", "attributes": {"fill": "red", "d": "M0 0 L9,9"}},
        {"tag": "polygon", "attributes": {"points": "0,0 9,9 0,9"}},
    ]
    assert written_again(again) == written_again(picture)


# What pages about attacks by SVG list, and the reason why each is refused.
ATTACKS = {
    within("<script>alert(1)</script>"): "the element <script>",
    within('<script xlink:href="https://evil.example/x.js" xmlns:xlink="http://www.w3.org/1999/xlink"/>'): "<script>",
    f'<svg {BOX} onload="alert(1)"><circle r="1"/></svg>': "the attribute onload at <svg>",
    f'<svg {BOX} ONLOAD="alert(1)"><circle r="1"/></svg>': "the attribute ONLOAD at <svg>",
    within('<circle r="1" onclick="alert(1)"/>'): "the attribute onclick at <circle>",
    within('<g onmouseover="alert(1)"><circle r="1"/></g>'): "the attribute onmouseover at <g>",
    within('<a href="javascript:alert(1)"><circle r="1"/></a>'): "the element <a>",
    within('<use href="#x"/>'): "the element <use>",
    within('<use href="data:image/svg+xml;base64,PHN2Zz4="/>'): "the element <use>",
    within('<image href="https://evil.example/pixel.png"/>'): "the element <image>",
    within('<feImage href="https://evil.example/pixel.png"/>'): "the element <feImage>",
    within("<foreignObject><body/></foreignObject>"): "the element <foreignObject>",
    within('<foreignObject><iframe src="javascript:alert(1)"/></foreignObject>'): "the element <foreignObject>",
    within('<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/>'): "the element <iframe>",
    within('<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'): "the element <script>",
    within('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'): "the element <script>",
    within('<animate attributeName="href" values="javascript:alert(1)"/>'): "the element <animate>",
    within('<circle r="1"><set attributeName="onmouseover" to="alert(1)"/></circle>'): "the element <set>",
    within('<handler type="text/javascript">alert(1)</handler>'): "the element <handler>",
    within("<style>@import url(https://evil.example/x.css)</style>"): "the element <style>",
    within('<circle r="1" style="background:url(https://evil.example)"/>'): "the attribute style",
    within('<circle r="1" fill="url(https://evil.example/#a)"/>'): 'fill at <circle> cannot be "url(',
    within('<circle r="1" fill="url(#a)"/>'): 'fill at <circle> cannot be "url(#a)"',
    within('<circle r="1" fill="red;x:expression(alert(1))"/>'): "fill at <circle> cannot be",
    within('<circle r="1" fill="var(--x)"/>'): "fill at <circle> cannot be",
    within('<circle r="1" filter="url(#a)"/>'): "the attribute filter at <circle>",
    within('<circle r="1" clip-path="url(#a)"/>'): "the attribute clip-path at <circle>",
    within('<circle r="1" mask="url(#a)"/>'): "the attribute mask at <circle>",
    within('<path d="M0 0" marker-end="url(#a)"/>'): "the attribute marker-end at <path>",
    within('<circle r="1" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="x"/>'): "the attribute xlink:href",
    within('<circle r="1" href="javascript:alert(1)"/>'): "the attribute href at <circle>",
    within('<circle r="1" transform="javascript:alert(1)"/>'): "transform at <circle> cannot be",
    within('<path d="M0 0&quot;&gt;&lt;script&gt;"/>'): "d at <path> cannot be",
    within('<text>words</text>'): "the element <text>",
    within('<linearGradient id="a"/>'): "the element <linearGradient>",
    within("<svg><circle r='1'/></svg>"): "A picture is one <svg> element",
    within('<circle r="1"><path d="M0 0"/></circle>'): "<path> inside <circle>",
    within("words"): "A picture cannot have words",
    within("<![CDATA[<script>alert(1)</script>]]>"): "A picture cannot have words",
    within('<circle r="1"/>') + "<script>alert(1)</script>": "no complete SVG",
    '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>': "the element <html>",
    '<?xml-stylesheet href="https://evil.example/x.css"?>' + LAMP: "the instruction <?xml-stylesheet?>",
    within('<?php echo 1 ?><circle r="1"/>'): "the instruction <?php?>",
    f"<!DOCTYPE svg>{LAMP}": "DOCTYPE",
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + within("<title>&x;</title>"): "DOCTYPE",
    f'<!DOCTYPE svg [<!ENTITY a "{"ha" * 10}"><!ENTITY b "{"&a;" * 10}">]>{within("&b;")}': "DOCTYPE",
    '<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd">' + within("&x;"): "DOCTYPE",
    within("&x;"): "no complete SVG: undefined entity",
    within('<circle r="1'): "no complete SVG",
    "": "no complete SVG",
    "\0": "no complete SVG",
    LAMP.replace("viewBox", "viewbox"): "the attribute viewbox at <svg>",
}  # fmt: skip


@pytest.mark.parametrize(("markup", "reason"), ATTACKS.items(), ids=range(len(ATTACKS)))
def test_an_attack_by_a_picture_is_refused_with_its_name(markup: str, reason: str) -> None:
    assert reason in refusal(markup)


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (within('<circle r="1e9"/>'), "r at <circle> has a number larger than 10,000."),
        (within('<circle r="1e999"/>'), "r at <circle> has a number larger than 10,000."),
        (within(f'<circle r="{"9" * 400}"/>'), "r at <circle> has a number larger than 10,000."),
        (within(f'<path d="M0 0h{"9" * 400}"/>'), "d at <path> has a number larger than 10,000."),
        (within('<g transform="scale(100000)"><circle r="1"/></g>'), "transform at <g> has a number larger"),
        (within('<path d="M0 0" stroke-width="20000"/>'), "stroke-width at <path> has a number larger"),
        (within('<circle r="\N{ARABIC-INDIC DIGIT ONE}"/>'), "r at <circle> cannot be"),
        (within('<circle r="1%"/>'), 'r at <circle> cannot be "1%".'),
        (within('<circle r="1" fill="reddish"/>'), 'fill at <circle> cannot be "reddish".'),
        (within('<circle r="1" opacity="2"/>'), 'opacity at <circle> cannot be "2".'),
        (within('<circle r="1"/>' * 101), "A picture has at most 100 shapes."),
        (within(f"{'<g>' * 20}{'</g>' * 20}"), "A picture has at most 12 nested groups."),
        (within(f'<g transform="{"scale(1)" * 9}"/>'), "transform at <g> cannot be"),
        (within("<title>nothing</title>"), "The picture has no shape."),
        ('<svg><circle r="1"/></svg>', "needs its box"),
        ('<svg viewBox="0 0 0 0"><circle r="1"/></svg>', "at least 1 wide and 1 high"),
        ('<svg viewBox="0 0 20"><circle r="1"/></svg>', "viewBox at <svg> cannot be"),
    ],
)
def test_what_no_picture_needs_is_refused(markup: str, reason: str) -> None:
    assert reason in refusal(markup)


@pytest.mark.parametrize(
    "markup",
    [
        LAMP + " " * 10_000_000,
        within(f'<path d="{"1" * 8000}!"/>'),
        within(f'<path d="{"M" * 8000}!"/>'),
        within(f'<polygon points="{"1 " * 4000}!"/>'),
        within(f'<g transform="{"scale(1 " * 900}"/>'),
        "<g>" * 2700,
        f"<svg {BOX} {' '.join(ATTRIBUTE.format(number) for number in range(600))}/>",
    ],
    ids=["ten megabytes", "digits", "letters", "points", "transform", "open", "attributes"],
)
def test_a_picture_that_is_made_to_take_long_is_refused_at_once(markup: str) -> None:
    begun = time.process_time()
    assert refusal(markup)
    assert time.process_time() - begun < 1


_TAGS = st.sampled_from([*SHAPES, "g", "svg", "script", "use", "style", "title"])
_NAMES = st.sampled_from([*sorted(DRAWN), "href", "onload", "style", "id", "viewBox"])
_VALUES = st.sampled_from(["1", "red", "none", "url(#a)", "M0 0L1 1", "scale(2)", "1 2 3 4", "javascript:1", "round"])
_TREES = st.recursive(
    st.builds("<{0} {1}='{2}'/>".format, _TAGS, _NAMES, _VALUES),
    lambda inner: st.builds("<{0} {1}='{2}'>{3}</{0}>".format, _TAGS, _NAMES, _VALUES, inner),
    max_leaves=5,
)


@examples(200)
@given(_TREES)
def test_nothing_but_listed_shapes_and_attributes_ever_remains(tree: str) -> None:
    try:
        picture = read_picture(within(tree))
    except BadPicture:
        return
    for shape in picture["shapes"]:
        assert shape["tag"] in SHAPES
        assert shape["attributes"].keys() <= DRAWN
        assert not re.search(r"url|script|[<>&]", "".join(shape["attributes"].values()))


# -- in a table file


def test_a_table_file_with_too_many_or_misnamed_or_bad_pictures_is_refused() -> None:
    for section, reason in (
        ("\n".join(f"lamp{number} = '{LAMP}'" for number in range(17)), "has 17 pictures; a game has at most 16."),
        (f"Lamp = '{LAMP}'", "1 to 20 small letters, digits and hyphens"),
        (f"star = '{LAMP}'", "none of the symbols that there are: star."),
        (f"lamp = '{within('<script/>')}'", "lamp: A picture may not have the element <script>."),
        (f"lamp = '{LAMP}{' ' * LONGEST}'", "lamp: A picture has at most 8,192 characters"),
        ("lamp = 3", "In [pictures] of the table file each line is NAME = a word in quotes."),
    ):
        with pytest.raises(BadTableFile, match=re.escape(reason)):
            Labels.read(f"[pictures]\n{section}")
