"""The difference between two views: computed by the server, applied by a client that has the earlier view.

A change is plain data that mirrors what it changes. Of an object it holds the fields that have changed: a new value, a
change of the old one, or null for a field that is gone. Of a list of objects it is an object, too, of the places that
have changed, and ``length`` where the list is shorter now. Anything else is sent whole. (JSON Merge Patch, RFC 7396,
with the places of a list beside it.) So no value in a view may become null; none does.
"""

from __future__ import annotations

from typing import Any

Known = dict[tuple[int, int], Any]
_NOTHING: Any = object()


def difference(before: Any, after: Any, known: Known | None = None) -> Any:
    """Return the change that turns ``before`` into ``after``; {} for equal objects.

    ``known``: a cache of differences, by the identities of both objects, which must live as long as the cache.
    Audiences share most parts of their views, so they share this work.
    """
    return _of_fields(before, after, {} if known is None else known)


def _difference(before: Any, after: Any, known: Known) -> Any:
    """Return the change between two objects that are not equal."""
    kind = type(after)
    if kind is not type(before):
        return after
    if kind is not dict and (kind is not list or not before or not after or type(after[0]) is not dict):
        return after
    pair = (id(before), id(after))
    found = known.get(pair)
    if found is None:
        found = known[pair] = (_of_fields if kind is dict else _of_places)(before, after, known)
    return found


def _of_fields(before: dict[str, Any], after: dict[str, Any], known: Known) -> dict[str, Any]:
    change: dict[str, Any] = {}
    new = 0
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        # Most parts of a view are the very objects of the view before.
        if old is value or old == value:
            continue
        if old is _NOTHING:
            change[key] = value
            new += 1
        else:
            change[key] = _difference(old, value, known)
    if len(before) + new > len(after):
        change |= {key: None for key in before if key not in after}  # in their order, in any process
    return change


def _of_places(before: list[Any], after: list[Any], known: Known) -> Any:
    first = after[0]
    name = "id" if "id" in first else "move" if "move" in first else "word"
    same = len(after)  # an upper bound of the places with the same value as before
    places: dict[str, Any] = {}
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one is other or one == other:
            continue
        if type(one) is not dict or one.get(name) != other.get(name):
            same -= 1
            if not same:  # all values differ: the list itself is shorter than its change
                return after
        places[str(place)] = _difference(one, other, known)
    places |= {str(place): after[place] for place in range(len(before), len(after))}
    if len(after) < len(before):
        places["length"] = len(after)
    return places


def put_in(before: Any, change: Any) -> Any:
    """Return ``before`` with a change applied; ``before`` itself does not change."""
    if type(change) is not dict or type(before) not in (dict, list):
        return change
    if type(before) is list:
        places = {int(place): part for place, part in change.items() if place != "length"}
        kept = before[: change.get("length")]
        after = [put_in(one, places[place]) if place in places else one for place, one in enumerate(kept)]
        return after + [places[place] for place in sorted(places) if place >= len(before)]
    fields = {key: put_in(before[key], part) if key in before else part for key, part in change.items()}
    return {key: value for key, value in (before | fields).items() if change.get(key, ...) is not None}
