"""What law and other texts add to the old games, each rule by its id (docs/rules.md R-FRC, R-FRB)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from controller.core.bank import Banco, CallBanco, Money, PassBank, Penalise, ReopenStakes, SetCover, ShowBank
from controller.core.bank.acts import Refused
from controller.core.bank.applying import apply
from controller.core.cards import Seat
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Input, Sanction
from controller.core.remedies.situations import Remedy
from controller.core.signals import CutCardOut
from controller.profiles import profile
from tests.rules.cloth import Cloth


def at(name: str, **house: object) -> Cloth:
    """A table under a profile's rules about money, with 1,000 in the bank."""
    law = profile(name, money=Money.BANK)
    cloth = Cloth(law.game, money=law.money, decks=law.decks, hands_after_cut=law.hands_after_cut, **house)
    assert cloth.press(ShowBank(1_000)) == ""
    return cloth


def bank(cloth: Cloth):
    assert cloth.table.bank is not None
    return cloth.table.bank


@pytest.mark.parametrize(("name", "decks"), [("chemin_fr", 6), ("banque_fr", 3)], ids=["r_frc_01", "r_frb_01"])
def test_r_frc_01_r_frb_01_the_law_says_how_many_packs(name, decks):
    """docs/rules.md R-FRC-01, R-FRB-01, D8: an open bank's six are the table's own choice."""
    assert profile(name).decks == decks


@pytest.mark.parametrize(
    ("name", "stop", "hand"),
    [("chemin_fr", 7, "2C 5C 3D 3D"), ("banque_fr", 10, "2C 3C 4C 2D 3D 4S")],
    ids=["r_frc_02", "r_frb_02"],
)
def test_r_frc_02_r_frb_02_once_the_stop_card_shows_the_coup_begun_is_the_last(name, stop, hand):
    """docs/rules.md R-FRC-02, R-FRB-02, C.4: before the last seven, and before the last ten; a further one is late."""
    law = profile(name)
    assert (law.cut_card_by, law.fewest_cards) == (stop, stop)
    assert law.fewest_behind_cut <= stop
    cloth = at(name)
    first, *others = hand.split()
    cloth.cards(first)
    cloth.table.apply(Input(CutCardOut()))
    cloth.cards(" ".join(others)).close()
    assert (cloth.view.stage, cloth.asks[0]) == ("finished", "shoe-finished")
    cloth.cards("2H")
    assert "late-hand" in cloth.holds


def test_r_frc_03_stakes_close_with_the_first_card_and_never_reopen():
    """docs/rules.md R-FRC-03, A18: a misdeal of chemin de fer may be put right, its bets may not change."""
    cloth = at("chemin_tableau")
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards("2C 3C 4C 3D").lie("P1 P2 B1 B2")
    assert cloth.apply("IR-04", Remedy.MOVE) == ""
    assert cloth.press(SetCover(Seat.PUNTER, 100)) == "stakes-closed"
    refused = apply(cloth.table.house.money, bank(cloth), ReopenStakes("R-000-13"))
    assert isinstance(refused, Refused)
    assert refused.rule == "R-FRC-03"


def test_r_frc_04_a_banker_who_detached_a_card_gives_the_coup():
    """docs/rules.md R-FRC-04: once a card is out he cannot pass; waived by the director, the card is burnt for good."""
    cloth = at("chemin_tableau").cards("5C")
    assert cloth.press(PassBank()) == "stakes-closed"
    assert cloth.apply("IR-02", Remedy.BURN, 0) == ""
    assert (cloth.basket(), cloth.conserved()) == (["5C"], True)
    cloth.void()
    assert cloth.press(PassBank()) == ""
    assert cloth.table.carry is None


def test_r_frc_05_five_per_cent_of_the_bankers_win_is_raked():
    """docs/rules.md R-FRC-05."""
    cloth = at("chemin_fr")
    cloth.press(SetCover(Seat.PUNTER, 400))
    assert bank(cloth.cards("5C 5H 2C 4H").close()).sum == 1_380


@pytest.mark.parametrize(
    ("name", "cards", "seat"),
    [("chemin_fr", "4C 5C 3D 2D TC", "P"), ("banque_fr", "4C 3C 4D 4D 4H 3S TC", "R")],
    ids=["r_frc_06", "r_frb_04"],
)
def test_r_frc_06_r_frb_04_a_breach_bars_from_holding_cards_and_costs_no_money(name, cards, seat):
    """docs/rules.md R-FRC-06, R-FRB-04, D12: profiles of the decree know one sanction, and the bank refuses others."""
    assert profile(name).sanctions == (Sanction.NO_HOLD,)
    cloth = at(name)
    assert cloth.press(Penalise(2, Sanction.FINE, "R-FRC-06", 50)) == "penalty-forbidden"
    assert cloth.press(Penalise(2, Sanction.LIABLE, "R-FRC-06")) == "penalty-forbidden"
    before = bank(cloth).accounts
    assert cloth.press(Penalise(2, Sanction.NO_HOLD, "R-FRC-06")) == ""
    assert (bank(cloth).barred, bank(cloth).accounts) == ((2,), before)
    cloth.cards(cards).takes(seat).close()
    if cloth.table.hand is not None:
        cloth.accept()
    assert cloth.result is not None


def test_r_frc_07_whoever_asks_for_the_rule_finds_it_in_one_sentence(repository: Path):
    """docs/rules.md R-FRC-07: each rule that a game may cite has its sentence, in three languages."""
    cited = frozenset().union(*(game.rules for game in GAMES.values()))
    for language in ("en", "zh-Hans", "zh-Hant"):
        text = (repository / "controller" / "sentences" / f"{language}.toml").read_text(encoding="utf-8")
        assert cited <= tomllib.loads(text)["rule"].keys()


def test_r_frc_08_banco_suivi_and_the_passing_come_before_a_card_is_dealt():
    """docs/rules.md R-FRC-08: with the table, one player has half and the others the rest."""
    cloth = at("chemin_tableau")
    assert cloth.press(CallBanco(3, Banco.WITH_TABLE)) == ""
    assert bank(cloth).covered == 500
    cloth.cards("5C")
    assert cloth.press(CallBanco(2)) == "stakes-closed"
    assert cloth.press(PassBank()) == "stakes-closed"


@pytest.mark.parametrize(("name", "rake"), [("banque_fr", 20), ("chemin_fr", 50)])
def test_r_frb_03_two_per_cent_of_the_limited_bank_and_five_of_chemin_de_fer(name, rake):
    """docs/rules.md R-FRB-03, R-FRC-05; the open bank's 1.25 per cent is proved where banks stay."""
    assert profile(name, money=Money.BANK).money.rake_bp == rake * 10


def test_r_frb_06_the_banker_says_that_he_gives():
    """docs/rules.md R-FRB-06: where he looks first the console has him give before the right speaks."""
    cloth = Cloth("las_vegas").cards("2C 3C 4C 2D 3D 3S")
    assert cloth.view.prompt.id == "prompt.looks-first"


def test_a_void_coup_under_the_law_returns_every_stake():
    """docs/rules.md 1.5 VOID."""
    cloth = at("chemin_fr")
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards("5C 2C").void()
    assert (bank(cloth).sum, bank(cloth).covered, len(cloth.told(FactName.HAND_VOIDED))) == (1_000, 0, 1)
