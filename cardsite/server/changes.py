"""What changes from one view to the next: sent by the server, applied by a client that has the view before.

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
    """Return what to put into ``before`` so that it becomes ``after``; {} where two objects are the same.

    ``known``: what has been found out by now, by the identities of both, which must live as long as it does. Audiences
    share most parts of their views, and so the work.
    """
    return _of_fields(before, after, {} if known is None else known)


def _difference(before: Any, after: Any, known: Known) -> Any:
    """Return what makes ``after`` of ``before``, which is not equal to it."""
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
    same = len(after)  # places where the same thing lies as before, at most
    places: dict[str, Any] = {}
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one is other or one == other:
            continue
        if type(one) is not dict or one.get(name) != other.get(name):
            same -= 1
            if not same:  # all are others: what is different between them would take longer to say
                return after
        places[str(place)] = _difference(one, other, known)
    places |= {str(place): after[place] for place in range(len(before), len(after))}
    if len(after) < len(before):
        places["length"] = len(after)
    return places


def put_in(before: Any, change: Any) -> Any:
    """Return ``before`` with a change put in; ``before`` stays as it is."""
    if type(change) is not dict or type(before) not in (dict, list):
        return change
    if type(before) is list:
        places = {int(place): part for place, part in change.items() if place != "length"}
        kept = before[: change.get("length")]
        after = [put_in(one, places[place]) if place in places else one for place, one in enumerate(kept)]
        return after + [places[place] for place in sorted(places) if place >= len(before)]
    fields = {key: put_in(before[key], part) if key in before else part for key, part in change.items()}
    return {key: value for key, value in (before | fields).items() if change.get(key, ...) is not None}
