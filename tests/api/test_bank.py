"""What programs get of a bank, and the sums they may send: the same as the dealer's page has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.api.models import Board
from controller.core.bank.acts import SetCover, ShowBank
from controller.core.bank.terms import CHEMIN
from controller.core.cards import Seat
from controller.pit.bankacts import MOST_AMOUNT
from tests.api.serving import COMMAND, Api
from tests.rules.cloth import Cloth

PATH = "/api/v1/tables/1"
NAMES = ("ref", "stage", "banked", "banker", "sum", "covered", "riding", "passed_at", "speaker", "holders", "claim",
         "stakes", "acts", "spots", "claims", "penalties")  # fmt: skip


def kept() -> Cloth:
    """A bank of 1000, 40 of it covered."""
    cloth = Cloth("chemin_tableau", money=CHEMIN)
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(Seat.PUNTER, 40)) == ""
    return cloth


def test_a_table_that_keeps_a_bank_tells_it_as_the_dealers_page_has_it(api: Api):
    """docs/interfaces.md, bank: R-002-07, 08; the acts are those of this stage."""
    view = kept().view
    api.floor.views["1"] = replace(view, table="1")
    with api.client() as client:
        told = client.get(PATH).json()["bank"]
        assert client.get(f"{PATH}/pit").json()["public"]["bank"] == told
        assert client.get("/api/v1/tables/2").json()["bank"] is None
    assert tuple(sorted(told)) == tuple(sorted(NAMES))
    assert (told["stage"], told["sum"], told["covered"], told["banker"]) == ("open", 1_000, 40, view.bank.banker)
    assert told["stakes"] == [{"who": 0, "on": "punter", "amount": 40}]
    assert tuple(told["acts"]) == view.bank.acts
    assert told["ref"] == view.bank.ref


def test_while_nothing_is_recorded_no_act_of_the_bank_is_offered(api: Api):
    """docs/operating.md, NOT RECORDING: deal by procedure; the sums that were recorded stay told."""
    api.floor.views["1"] = replace(kept().view, table="1", recording=False)
    with api.client() as client:
        told = client.get(PATH).json()["bank"]
    assert (told["acts"], told["sum"], told["covered"]) == ([], 1_000, 40)


def test_a_feed_to_the_outside_has_no_bank():
    """trust.md: a feed tells the felt and the board alone."""
    assert "bank" not in Board.model_fields


@pytest.mark.parametrize(("amount", "status"), [(MOST_AMOUNT, 200), (MOST_AMOUNT + 1, 422)])
def test_the_largest_sum_described_is_the_largest_that_is_taken(api: Api, amount, status):
    """docs/interfaces.md: the description describes every key."""
    with api.client(**COMMAND, **{"Idempotency-Key": "key-0001"}) as client:
        acts = client.get("/api/v1/openapi.json").text
        body = {"act": {"kind": "show_bank", "amount": amount}, "hand": "", "staff": "1042"}
        assert client.post(f"{PATH}/commands", json=body).status_code == status
    assert f'"maximum":{MOST_AMOUNT}' in acts
