"""A bot over the WebSocket protocol: it plays random moves in any game whose views list `moves`, as you.

Take a seat in the browser, create a token on your own page, then run

    python docs/examples/bot.py ADDRESS-OF-THE-TABLE TOKEN

It needs the websockets package. docs/protocol.md describes the messages; a comment marks where to put better moves.
"""

import asyncio
import json
import random
import sys
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

FATAL = {4001: "The site does not know this token: create a new one on your page.", 4004: "That table is closed."}


def apply_change(before, change):
    """Return part of a view with a change applied."""
    if not isinstance(change, dict) or not isinstance(before, (dict, list)):
        return change
    if isinstance(before, list):
        parts = {str(index): part for index, part in enumerate(before[: change.pop("length", None)])}
        return list(apply_change(parts, change).values())
    after = before | {name: apply_change(before.get(name), part) for name, part in change.items()}
    return {name: part for name, part in after.items() if change.get(name, "") is not None}


async def converse(socket: ClientConnection) -> None:
    """Play until the connection ends."""
    say_hello = json.dumps({"t": "hello", "protocol": 3})  # without a version, so a snapshot comes
    await socket.send(say_hello)
    match, version, view = 0, -1, {}
    async for frame in socket:
        message = json.loads(frame)
        if message["t"] == "refused":
            print("Refused:", message["text"])
            await asyncio.sleep(2)
            await socket.send(say_hello)  # get the match as it is now
        elif message["t"] == "change" and (message["match"], message["version"]) != (match, version + 1):
            await socket.send(say_hello)  # a change is missing
        elif message["t"] in ("snapshot", "change"):
            match, version, view = message["match"], message["version"], message.get("view", view)
            for part in [*message.get("reveals", []), message]:  # each change applies to the view before it
                view = apply_change(view, part.get("change", {}))
            if view["over"]:
                print("The match is over. Winners:", view["result"]["winners"])
            elif view["moves"]:
                move = random.choice(view["moves"])["move"]  # your idea goes here: the view has everything you may know
                print(f"Decision {view['decision']}: {move}")
                decision = {"match": match, "decision": view["decision"], "move": move}
                await socket.send(json.dumps({"t": "move", "id": version + 1, **decision}))


async def play(page: str, token: str) -> None:
    """Stay connected to a table until it is closed."""
    address = urlsplit(page)
    scheme = "wss" if address.scheme == "https" else "ws"
    code = address.path.strip("/").split("/")[-1]
    url = f"{scheme}://{address.netloc}/ws/table/{code}/"
    async for socket in connect(url, additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            await converse(socket)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code in FATAL:
                sys.exit(FATAL[closed.rcvd.code])
        print("Connection lost. Reconnecting …")


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
