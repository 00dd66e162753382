"""What programs read: tables, shoes, hands, incidents; the words, the guards, and refusals as problem+json."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.core.inputs import Correct, Void
from controller.core.signals import Call
from controller.pit.recall import Archive
from tests.api.serving import TOKEN, Api, running
from tests.pit.sample import SECRETS, incident
from tests.recall.dealing import Dealing, deal

HERE = "/api/v1/tables"


async def evening(dealing: Dealing) -> None:
    """A hand that is corrected later, one whose wrong call is put right, and one voided while its faces are hidden."""
    await dealing.shoe()
    await dealing.hand("9S KD", "4H 2C", Call.PLAYER)
    await dealing.hand("2S 3H 5D", "KD 7C", Call.TIE)
    await dealing.ask(Correct(Call.BANKER), "1-2")
    await dealing.ask(Correct(Call.TIE), "1-1")
    await dealing.draw("AS AD", "3S 4S")
    await dealing.ask(Void(), "1-3")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return deal(tmp_path_factory.mktemp("journal") / "1", evening)


@pytest.fixture
def recalling(journal: Path) -> Iterator[Api]:
    with running("middle", "middle", archive=Archive({"1": journal})) as made:
        yield made


def test_the_tables_come_in_the_houses_order(api: Api):
    with api.client() as client:
        answer = client.get(HERE).json()
    assert [(one["id"], one["name"]) for one in answer["tables"]] == [(n, f"Baccarat {n}") for n in "123"]


def test_a_table_is_told_in_the_words_of_the_pages(api: Api):
    """design.md section 6: cards are rank then suit, two ASCII characters."""
    with api.client() as client:
        state = client.get(f"{HERE}/1").json()
    assert [[spot["card"] for spot in seat["spots"]] for seat in state["seats"]] == [["2H", "TS"], ["KC", "4D"]]
    assert state["prompt"] == {"id": "prompt.draws", "text": "PLAYER draws", "rule": ""}
    assert (state["hand_ref"], state["phase"], state["link"]) == ("3-69", "drawing", "live")
    assert len(state["shoe"]["results"]) == 68


def test_while_nothing_is_recorded_there_is_no_prompt_and_no_act(api: Api):
    """docs/operating.md, NOT RECORDING: prompts are blank, deal by procedure (faults.md B 33)."""
    api.call(lambda: api.floor.views.update({"1": replace(api.floor.views["1"], recording=False)}))
    with api.client() as client:
        states = [client.get(f"{HERE}/1").json(), client.get(f"{HERE}/1/pit").json()["public"]]
        states.append(client.get(f"{HERE}/1/surveillance").json()["pit"]["public"])
    with api.events("?tables=1") as events:
        states.append(events.told("snapshot")["state"])
    assert [state["recording"] for state in states] == [False] * 4
    assert {state["prompt"]["id"] for state in states} == {"prompt.not-recording"}
    assert [state["acts"] for state in states] == [[]] * 4


@pytest.mark.parametrize(("level", "told"), [("unauthenticated",) * 2, ("authentic",) * 2, ("", None)])
def test_whether_a_shoe_proves_what_it_says_is_told_as_on_the_pages(api: Api, level: str, told: str | None):
    """trust.md 3.2: a link that proves nothing is shown as such, to programs too, at every audience of the table."""
    api.call(lambda: api.floor.views.update({"1": replace(api.floor.views["1"], link_level=level)}))
    with api.client() as client:
        public, pit, watched = (client.get(f"{HERE}/1{end}").json() for end in ("", "/pit", "/surveillance"))
    assert [one["link_level"] for one in (public, pit["public"], watched["pit"]["public"])] == [told] * 3


def test_the_roads_are_those_of_the_command_line(api: Api):
    """design.md section 6, roads --json."""
    with api.client() as client:
        roads = client.get(f"{HERE}/1/roads").json()
    assert set(roads) == {"bead", "big", "big_eye", "small", "cockroach", "ties", "ask", "waiting"}
    assert roads["bead"][0] == [0, 0, "T"]
    assert set(roads["ask"]) == {"B", "P"}
    assert set(roads["ask"]["B"]) == {"big_eye", "small", "cockroach"}


def test_hidden_faces_are_told_to_surveillance_alone(api: Api):
    """trust.md 4.2."""
    with api.client() as client:
        public, pit, watched = (client.get(f"{HERE}/2{end}").text for end in ("", "/pit", "/surveillance"))
    assert not any(secret in text for secret in SECRETS for text in (public, pit))
    assert all(secret in watched for secret in SECRETS)


def test_open_incidents_are_told_with_their_sentence(api: Api):
    api.floor.incidents = {"1": (incident("1", 1, "banker-false-draw", "alert", "R-PB-05"),)}
    with api.client() as client:
        (found,) = client.get(f"{HERE}/1/incidents").json()["incidents"]
    assert (found["id"], found["level"], found["sentence"]["rule"]) == ("i1", "alert", "R-PB-05")


@pytest.mark.parametrize("end", ["/surveillance", "/incidents", "/shoes/1"])
def test_another_machine_needs_the_token_for_what_its_page_needs_it_for(journal: Path, end: str):
    """trust.md 4.3."""
    with (
        running("middle", token=TOKEN, archive=Archive({"1": journal})) as api,
        api.client(Host="pit.example") as client,
    ):
        refused = client.get(f"{HERE}/1{end}")
        right = client.get(f"{HERE}/1{end}", headers={"Authorization": f"Bearer {TOKEN}"})
        public = client.get(f"{HERE}/1")
    assert (refused.status_code, right.status_code, public.status_code) == (403, 200, 200)
    assert refused.json()["type"] == "urn:tirage:refused.access"


def test_hands_of_the_journal_with_their_corrections(recalling: Api):
    with recalling.client() as client:
        found = client.get(f"{HERE}/1/hands?shoe=1").json()
        page = client.get(f"{HERE}/1/hands?after=1&limit=1").json()
        one = client.get(f"{HERE}/1/hands/2?shoe=1").json()
    assert [hand["hand"] for hand in found["hands"]] == [1, 2, 3]
    assert (found["shoe"], found["next_after"]) == (1, None)
    assert ([hand["hand"] for hand in page["hands"]], page["next_after"]) == ([2], 2)
    assert one == found["hands"][1]
    assert [verdict["result"] for verdict in one["verdicts"]] == ["banker"]
    assert [verdict["result"] for verdict in found["hands"][0]["verdicts"]] == ["player", "tie"]
    assert found["hands"][0]["verdicts"][1]["by"] == "1042"
    assert found["hands"][0]["verdicts"][1]["reason"] == ""  # faults.md A 45: nobody wrote one
    assert one["opened"] < one["closed"]


def test_a_void_hand_keeps_its_hidden_faces(recalling: Api):
    """trust.md 4.2: what players have not seen is for surveillance."""
    with recalling.client() as client:
        hand = client.get(f"{HERE}/1/hands/3").json()
    assert hand["void"]
    assert hand["result"] is None
    assert {(spot["side"], spot["card"]) for seat in hand["seats"] for spot in seat["spots"]} == {("back", None)}


def test_the_figures_of_a_shoe(recalling: Api):
    with recalling.client() as client:
        shoe = client.get(f"{HERE}/1/shoes/1").json()
    assert (shoe["table"], shoe["shoe"], shoe["hands"], shoe["corrected"]) == ("1", 1, 3, 1)
    assert len(shoe["evidence"]["hash"]) == 64


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        (f"{HERE}/9", 404, "refused.table"),
        (f"{HERE}/9/hands", 404, "refused.table"),
        (f"{HERE}/1/shoes/7", 404, "recall.no-shoe"),
        (f"{HERE}/1/hands/77", 404, "recall.no-hand"),
        (f"{HERE}/1/shoes/x", 422, "refused.malformed"),
        (f"{HERE}/1/hands?limit=0", 422, "refused.malformed"),
        (f"{HERE}/1/hands/99999999999999999999", 422, "refused.malformed"),
        ("/api/v1/events?audience=everybody", 422, "refused.malformed"),
        ("/api/v2/tables", 404, "refused.no-page"),
    ],
)
def test_a_refusal_is_a_problem_with_a_sentence(recalling: Api, path: str, status: int, kind: str):
    """RFC 9457."""
    with recalling.client(Accept="text/html") as client:
        answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["type"] == f"urn:tirage:{kind}"
    assert answer.json()["detail"].endswith(".")


def test_without_journals_only_the_current_shoe_is_there(api: Api):
    with api.client() as client:
        earlier, current = client.get(f"{HERE}/1/hands"), client.get(f"{HERE}/1/shoes/current")
    assert (earlier.status_code, earlier.json()["type"]) == (404, "urn:tirage:no-archive")
    assert current.json()["shoe"] == 3


def test_the_description_names_every_address_and_nothing_outside_the_host(api: Api):
    """Requirement: pages and descriptions work without any address outside the host."""
    with api.client() as client:
        text = client.get("/api/v1/openapi.json").text
        document = client.get("/api/v1/openapi.json").json()
    assert "http" not in text.replace("HTTPValidationError", "")
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {
        *(f"/api/v1/{end}" for end in ("tables", "events", "feeds/{feed}/events")),
        *(
            f"{HERE}/{{table}}{end}"
            for end in (
                "",
                "/pit",
                "/surveillance",
                "/roads",
                "/shoes/current",
                "/shoes/{shoe}",
                "/hands",
                "/hands/{hand}",
                "/incidents",
                "/commands",
            )
        ),
    }


def test_each_side_that_people_play_is_counted_apart():
    """rules.md B.1: in banque one hand has two results; punto banco's figures are in `counts` as ever."""
    with running("banque", "chemin", "middle") as served, served.client() as client:
        states = [client.get(f"{HERE}/{number}").json()["shoe"] for number in "123"]
        current = client.get(f"{HERE}/1/shoes/current").json()
    assert states[0]["sides"] == [
        {"side": "right", "won": 19, "lost": 9, "tied": 10},
        {"side": "left", "won": 19, "lost": 10, "tied": 9},
    ]
    assert current["sides"] == states[0]["sides"]
    assert states[1]["sides"] == [{"side": "punter", "won": 0, "lost": 0, "tied": 0}]
    assert states[2]["sides"] == []
    assert states[2]["counts"]["banker"] > 0
