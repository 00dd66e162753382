"""One vocabulary of sanctions for remedies, bank, profiles and journals; former words are read and never written."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.bank import Breach, Money, Penalise
from controller.core.engine import Table
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Apply, Command, Sanction
from controller.core.profile import Closes, Deal
from controller.core.remedies.situations import Remedy
from controller.core.signals import Identifies
from controller.core.snapshot import restore, taken
from controller.core.words import from_dict
from controller.moneysettings import terms_of
from controller.profiles import profile
from controller.profiles.checking import house_in
from controller.settings import house_from_dict, settings_dict
from controller.toml.problems import ConfigError
from tests.rules.cloth import Cloth

CHEMIN = 'game = "chemin-de-fer"\ndeal = "face_down"\ncloses = "controller"\nmoney = "bank"\n'


def wrong(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        house_in("house.toml", text)
    return str(caught.value)


def test_d12_the_bank_knows_the_sanctions_of_the_house():
    """rules.md B.6 D12: written once in a profile, they hold for a remedy and in the bank alike."""
    house = house_in("house.toml", CHEMIN + 'sanctions = ["fine", "no_hold"]\n')
    assert house.sanctions == house.money.sanctions == (Sanction.FINE, Sanction.NO_HOLD)
    apart = house_in("house.toml", CHEMIN + 'sanctions = ["fine"]\n[bank]\nsanctions = ["blame"]\n')
    assert (apart.sanctions, apart.money.sanctions) == ((Sanction.FINE,), (Sanction.BLAME,))


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ('sanctions = ["bar"]\n', 'it is called "no_hold" now'),
        ('[bank]\nsanctions = ["bar"]\n', 'it is called "no_hold" now'),
        ('[bank]\npenalties = ["blame"]\n', "it is called sanctions now"),
    ],
)
def test_a_former_word_in_a_profile_is_refused_and_the_new_one_named(text, fix):
    """design.md section 6: bad configuration says what to write instead."""
    assert fix in wrong(CHEMIN + text)


def test_settings_that_a_journal_has_in_former_words_are_read():
    """design.md section 1: a journal made before is judged as it was then."""
    house = house_in("house.toml", CHEMIN + 'sanctions = ["no_hold"]\n[bank]\nsanctions = ["blame", "no_hold"]\n')
    written = settings_dict(house, Identifies.AT_DRAW)
    former: dict[str, Any] = {**written, "bank": {**written["bank"], "penalties": ["blame", "bar"]}}
    del former["bank"]["sanctions"]
    assert house_from_dict(former) == house_from_dict(written) == (house, Identifies.AT_DRAW)


def test_a_command_that_a_journal_has_in_former_words_is_read():
    """design.md section 1."""
    former = {"kind": "command", "id": "1", "hand": "", "act": {"kind": "penalise", "place": 2, "penalty": "bar"}}
    former["act"] |= {"rule": "R-FRC-06", "amount": 0}  # type: ignore[operator]
    assert from_dict(former) == Command("1", Penalise(2, Sanction.NO_HOLD, "R-FRC-06"))


def test_a_state_that_a_journal_has_in_former_words_is_read():
    """design.md section 1: what was written against a player before a restart."""
    cloth = Cloth("chemin_tableau", money=terms_of(GAMES["chemin_tableau"], Money.BANK, {}))
    assert cloth.press(Penalise(3, Sanction.NO_HOLD, "FD-P1")) == ""
    state = taken(cloth.table)
    assert state["bank"]["sanctions"][0]["penalty"] == "no_hold"
    state["bank"]["sanctions"][0]["penalty"] = "bar"
    again = Table(cloth.table.house)
    restore(again, state)
    assert again.bank == cloth.table.bank
    assert again.bank is not None
    assert again.bank.sanctions == (Breach(3, Sanction.NO_HOLD, "FD-P1", 0, 0),)


def test_no_sanction_is_none_that_can_be_written_against_a_player():
    """rules.md D12."""
    terms = terms_of(GAMES["chemin_tableau"], Money.BANK, {"sanctions": tuple(Sanction)})
    cloth = Cloth("chemin_tableau", money=terms)
    assert cloth.press(Penalise(3, Sanction.NONE, "R-002-25")) == "penalty-forbidden"
    assert cloth.press(Penalise(3, Sanction.PASS_BANK, "R-002-25")) == ""


def test_r_pb_09_who_drew_falsely_under_the_decree_hands_the_shoe_on():
    """rules.md C.5 FR, 1.5 PASS_BANK: recorded with the remedy; who holds the shoe is not kept."""
    house = profile("fr_2007")
    assert house.sanctions == (Sanction.PASS_BANK,)
    choices = {"closes": Closes.SHOE, "sanctions": house.sanctions, "remedies": house.remedies}
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP, **choices).cards("2C 3D 4H 4S 9C")  # 6 and 7 stand
    assert cloth.press(Apply("PBI-08", Remedy.BURN, (4,), sanction=Sanction.PASS_BANK)) == ""
    assert cloth.told(FactName.REMEDY_APPLIED)[-1]["sanction"] == "pass_bank"
    assert cloth.press(Apply("PBI-08", Remedy.VOID, sanction=Sanction.FINE)) == "not-of-this-house"
