"""The difference between two views: computed by the server, applied by a client that has the earlier view.

A change is plain data that mirrors what it changes (JSON Merge Patch, RFC 7396, extended to lists). For an object it is
an object of the fields that changed: each a new value, a change of the old value, or null if the field is gone. For a
list of objects it is an object of the indices that changed, and ``length`` if the list is shorter now. Everything else
is sent as its new value. So no value in a view may become null.
"""

from __future__ import annotations

from typing import Any

DiffCache = dict[tuple[int, int], Any]
_NOTHING: Any = object()


def difference(before: Any, after: Any, cache: DiffCache | None = None) -> Any:
    """Return the change that turns ``before`` into ``after``; {} for equal objects.

    ``cache``: a cache of differences, by the identities of both objects, which must live as long as the cache.
    Audiences share most parts of their views, so they share this work.
    """
    return _of_fields(before, after, {} if cache is None else cache)


def _difference(before: Any, after: Any, cache: DiffCache) -> Any:
    """Return the change between two values that are not equal."""
    kind = type(after)
    if kind is not type(before):
        return after
    if kind is not dict and (kind is not list or not before or not after or type(after[0]) is not dict):
        return after
    pair = (id(before), id(after))
    change = cache.get(pair)
    if change is None:
        change = cache[pair] = (_of_fields if kind is dict else _of_items)(before, after, cache)
    return change


def _of_fields(before: dict[str, Any], after: dict[str, Any], cache: DiffCache) -> dict[str, Any]:
    change: dict[str, Any] = {}
    new = 0
    for key, value in after.items():
        old = before.get(key, _NOTHING)
        # Most parts of a view are the same objects as in the view before.
        if old is value or old == value:
            continue
        if old is _NOTHING:
            change[key] = value
            new += 1
        else:
            change[key] = _difference(old, value, cache)
    if len(before) + new > len(after):
        change |= {key: None for key in before if key not in after}  # in their order, in any process
    return change


def _of_items(before: list[Any], after: list[Any], cache: DiffCache) -> Any:
    first = after[0]
    name = "id" if "id" in first else "move" if "move" in first else "word"
    same = len(after)  # an upper bound of the items with the same identity as before
    items: dict[str, Any] = {}
    for index, (one, other) in enumerate(zip(before, after, strict=False)):
        if one is other or one == other:
            continue
        if type(one) is not dict or one.get(name) != other.get(name):
            same -= 1
            if not same:  # all items differ: the list itself is shorter than its change
                return after
        items[str(index)] = _difference(one, other, cache)
    items |= {str(index): after[index] for index in range(len(before), len(after))}
    if len(after) < len(before):
        items["length"] = len(after)
    return items


def apply_change(before: Any, change: Any) -> Any:
    """Return ``before`` with a change applied; ``before`` itself does not change."""
    if type(change) is not dict or type(before) not in (dict, list):
        return change
    if type(before) is list:
        items = {int(index): part for index, part in change.items() if index != "length"}
        kept = before[: change.get("length")]
        after = [apply_change(one, items[index]) if index in items else one for index, one in enumerate(kept)]
        return after + [items[index] for index in sorted(items) if index >= len(before)]
    fields = {key: apply_change(before[key], part) if key in before else part for key, part in change.items()}
    return {key: value for key, value in (before | fields).items() if change.get(key, ...) is not None}
