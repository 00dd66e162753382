"""Commands with accounts: who they are by, CSRF, limits (trust.md 4.4)."""

from __future__ import annotations

import pytest

from controller.accounts.roles import Role
from tests.accounts.house import NUMBERS, House

DEALER, SUPERVISOR = NUMBERS[Role.DEALER], NUMBERS[Role.SUPERVISOR]


def actors(house: House) -> list[str]:
    return [by for _, _, by in house.floor.given]


def test_a_command_is_by_who_signed_in_whatever_the_page_says(house):
    with house.signed_in(DEALER) as person:
        body = {"id": "3f0c1a52-7c1b-4b0e-9d0e-0c6f1a2b3c4d", "staff": "9999", "act": {"kind": "turned"}}
        assert person.client.post("/table/1/commands", json=body).status_code == 200
    assert actors(house) == [f"staff:{DEALER}"]


@pytest.mark.parametrize("kind", ["void", "rest_of_hand", "new_hand"])
def test_an_override_by_one_person_is_stamped_so(house, kind):
    """Until a house asks for two, the record says ONE PERSON."""
    with house.signed_in(SUPERVISOR) as person:
        assert person.give({"kind": kind}).status_code == 200
    assert actors(house) == [f"staff:{SUPERVISOR} ONE PERSON"]


@pytest.mark.parametrize("token", ["", "x", "another"])
def test_a_change_without_the_sessions_csrf_token_is_refused(house, token):
    """ASVS 3.5.1."""
    with house.signed_in(SUPERVISOR) as person:
        assert person.give(**{"X-Tirage-Csrf": token}).status_code == 403
    assert house.floor.given == []
    assert house.told("refused")[-1]["why"] == "csrf"


def test_the_csrf_token_of_another_session_does_not_fit(house):
    with house.signed_in(SUPERVISOR) as one, house.signed_in(SUPERVISOR) as two:
        assert one.give(**{"X-Tirage-Csrf": two.client.headers["X-Tirage-Csrf"]}).status_code == 403
        assert one.give().status_code == 200


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}], ids=str
)
def test_a_command_from_another_site_is_refused_in_spite_of_everything(house, headers):
    with house.signed_in(SUPERVISOR) as person:
        assert person.give(**headers).status_code in {403, 421}
    assert house.floor.given == []


def test_a_person_gives_twenty_commands_a_minute(house):
    """trust.md 4.4; a second browser of the same person does not double it."""
    with house.signed_in(SUPERVISOR) as one, house.signed_in(SUPERVISOR) as two:
        answers = [(one, two)[place % 2].give().status_code for place in range(21)]
        assert answers == [200] * 20 + [429]
        house.time.s += 60
        assert two.give().status_code == 200
    assert len(house.floor.given) == 21


def test_a_flood_of_refusals_costs_the_log_thirty_lines_a_minute_and_a_number(house):
    """A stranger must not fill the disk."""
    with house.signed_in(DEALER) as person:
        for _ in range(40):
            person.client.get("/surveillance/1")
        assert len(house.told("refused")) == 30
        house.time.s += 61
        person.client.get("/surveillance/1")
    assert house.told("refused")[-1]["untold"] == 10


def test_no_floor_takes_a_command_whose_actor_may_not_give_it(house):
    """The last door: a route that forgot to look at roles changes nothing."""
    from controller.core.inputs import Command, Void
    from controller.pit.guards import Refusal

    floor = house.app.state.pages.floor
    for by in (f"staff:{DEALER}", "staff:424242", "shoe", f"staff:{SUPERVISOR}+staff:{DEALER}"):
        with pytest.raises(Refusal):
            house.run(floor.command("1", Command("c", Void(), "3-69"), by))
    assert house.floor.given == []
    house.run(floor.command("1", Command("c", Void(), "3-69"), f"staff:{SUPERVISOR} ONE PERSON"))
    assert len(house.floor.given) == 1
