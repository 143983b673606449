"""A host can let a spectator whom she has removed come back."""

from __future__ import annotations

from cardsite.server.protocol import REMOVED
from tests.running_site import RunningSite
from tests.site.visitor import Visitor, two_at_a_table


def test_only_the_host_is_sent_whom_she_has_removed_until_they_may_come_back(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    gone = Visitor(site, "Walter")
    with host.connect(code) as one, guest.connect(code) as two, gone.connect(code) as three:
        gone.must(code, "name")
        three.close()
        with gone.connect(code) as three:
            [walter] = one.wait_for(lambda m: m["t"] == "spectators" and bool(m["people"]))["people"]
            host.must(code, "remove-spectator", person=walter["person"])
            assert three.closed() == REMOVED
        one.wait_for(lambda m: m["t"] == "spectators" and m["barred"] == [walter])
        host.must(code, "readmit-spectator", person=walter["person"])
        one.wait_for(lambda m: m["t"] == "spectators" and m["barred"] == [])
        assert host.press(code, "readmit-spectator", person=walter["person"])["code"] == "bad_option"
        with gone.connect(code) as back:
            assert back.table["code"] == code
        two.settle()
        assert not any(message["t"] == "spectators" and message["barred"] for message in two.messages)
