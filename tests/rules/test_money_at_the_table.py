"""The bank follows the hands of a real table: the first card closes the stakes, the result settles them."""

from __future__ import annotations

import pytest

from controller.core.bank import Banco, CallBanco, Money, PassBank, SetCover, SetStake, ShowBank, Stage, TakeBank, Terms
from controller.core.cards import Seat
from controller.core.engine import Table
from controller.core.facts import FactName
from controller.core.games import GAMES
from controller.core.inputs import Void
from controller.core.profile import Deal
from controller.core.remedies.situations import Remedy
from controller.core.snapshot import restore, taken
from controller.moneysettings import terms_of
from tests.rules.cloth import Cloth

PUNTERS_WIN = "5C 2C 3C 3H"  # 8 against 5
BANKER_WINS = "5C 5H 2C 4H"  # 7 against 9
TIE = "5C 5H 3C 3H"  # 8 each


def terms(game: str, money: Money = Money.BANK, **choices: object) -> Terms:
    return terms_of(GAMES[game], money, choices)


def chemin(**choices: object) -> Cloth:
    return Cloth("chemin_tableau", money=terms("chemin_tableau", **choices))


def bank(cloth: Cloth):
    assert cloth.table.bank is not None
    return cloth.table.bank


def test_a_table_that_keeps_no_money_has_no_bank():
    """Promised: off is the default."""
    cloth = Cloth("chemin_tableau").cards(PUNTERS_WIN)
    assert cloth.table.bank is None
    assert cloth.press(ShowBank(100)) == "bank-not-kept"
    assert cloth.told(FactName.BANK_MOVED) == []


def test_r_000_07_the_first_card_closes_the_stakes():
    """rules.md R-000-07, R-FRC-08."""
    cloth = chemin()
    assert cloth.press(ShowBank(1_000)) == ""
    assert cloth.press(SetCover(Seat.PUNTER, 400)) == ""
    cloth.cards("5C")
    assert bank(cloth).stage is Stage.CLOSED
    assert cloth.press(SetCover(Seat.PUNTER, 500)) == "stakes-closed"
    assert cloth.press(CallBanco(2)) == "stakes-closed"


def test_r_002_16_19_r_frc_05_the_banker_wins_what_was_covered_less_the_rake_and_keeps_the_bank():
    """rules.md R-002-16, R-002-19, R-003-10, R-FRC-05: 5 per cent of his win."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards(BANKER_WINS).close()
    assert (bank(cloth).banker, bank(cloth).sum, bank(cloth).stage) == (1, 1_380, Stage.OPEN)


def test_r_002_17_19_the_punters_are_paid_and_the_bank_goes_to_the_next_in_order():
    """rules.md R-002-17, R-002-19, D14."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards(PUNTERS_WIN).close()
    assert (bank(cloth).banker, bank(cloth).sum, bank(cloth).stage) == (2, 0, Stage.AWAITING)


def test_r_002_29_stakes_of_a_tie_ride_to_the_next_hand():
    """rules.md R-002-29, D6, A15: the banker keeps the deal."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards(TIE).close()
    assert (bank(cloth).banker, bank(cloth).covered, bank(cloth).rides) == (1, 400, True)
    cloth.cards(BANKER_WINS.replace("5C", "5D")).close()
    assert bank(cloth).sum == 1_380


def test_r_002_08_r_003_15_banco_covers_all_and_who_lost_it_may_go_again():
    """rules.md R-002-08, R-003-15."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    assert cloth.press(CallBanco(3)) == ""
    cloth.cards(BANKER_WINS).close()
    assert bank(cloth).sum == 1_950
    assert cloth.press(CallBanco(4, Banco.SUIVI)) == "no-suivi"
    assert cloth.press(CallBanco(3, Banco.SUIVI)) == ""


def test_r_003_11_12_a_passed_bank_is_taken_at_the_sum_it_stood_at():
    """rules.md R-003-11, R-003-12."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    assert cloth.press(PassBank()) == ""
    assert cloth.press(TakeBank(4, 900)) == "not-the-sum"
    assert cloth.press(TakeBank(4, 1_000)) == ""
    assert bank(cloth).banker == 4


def test_a_void_hand_gives_every_stake_back():
    """rules.md 1.5 VOID."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards("5C 2C").void()
    assert (bank(cloth).sum, bank(cloth).covered) == (1_000, 0)


def test_r_000_52_53_the_player_who_lost_hands_the_cards_on_and_each_side_settles_apart():
    """rules.md R-000-44, R-000-52, R-000-53, V-000-52: right wins, left loses."""
    cloth = Cloth("foster", money=terms("foster", rake_bp=0))
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.RIGHT, 300))
    cloth.press(SetCover(Seat.LEFT, 200))
    cloth.cards("5C AC 5H 4C AD 2H").close()  # right 9, left 2, banker 7
    assert (bank(cloth).sum, bank(cloth).covered) == (900, 0)
    assert [(one.side.value, one.place) for one in bank(cloth).holders] == [("right", 1), ("left", 7)]


def test_r_000_13_a_misdeal_put_right_in_time_opens_the_bets_until_the_next_card():
    """rules.md R-000-13, IR-04."""
    cloth = Cloth("foster", money=terms("foster"))
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.RIGHT, 300))
    cloth.cards("2C 3C 4C AC 2D 3D").lie("R1 R2 B1 L1 L2 B2")
    assert cloth.apply("IR-04", Remedy.MOVE) == ""
    assert cloth.press(SetCover(Seat.RIGHT, 100)) == ""
    assert bank(cloth).amended
    cloth.cards("TC")
    assert cloth.press(SetCover(Seat.RIGHT, 200)) == "stakes-closed"


def test_a_side_that_refused_the_coup_gets_its_stakes_back():
    """rules.md R-000-15, R-000-16: his choice binds every bet on his side."""
    cloth = Cloth("foster", money=terms("foster", rake_bp=0))
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.RIGHT, 300))
    cloth.press(SetCover(Seat.LEFT, 200))
    cloth.cards("2C AC 5H 4C AD 2H 9C").lie("R1 L1 B1 R2 L2 B2 R3")
    assert cloth.apply("IR-06", Remedy.REFUSE, seat="R") == ""
    cloth.cards("TC").takes("L").close()
    assert bank(cloth).sum == 1_200
    assert bank(cloth).covered == 0


def test_r_frc_04_cards_that_came_before_the_bank_was_shown_are_told():
    """rules.md R-FRC-03: no card before stakes are closed."""
    cloth = chemin().cards("5C")
    assert "bank-not-ready" in {kind for incident in cloth.table.incidents.values() for kind in incident.kinds}


def test_r_pb_07_the_house_pays_the_bets_of_punto_banco():
    """rules.md R-PB-07, C.3: Banker 19 to 20, Dragon 7 for a three-card seven."""
    choices = {"bets": ("player", "banker", "tie", "dragon-7")}
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP, decks=8, money=terms("punto-banco", Money.FULL, **choices))
    cloth.press(SetStake(1, "banker", 200))
    cloth.press(SetStake(2, "dragon-7", 10))
    cloth.cards("2C 2D 3H AH TC 4S")  # Player 5 draws a ten: 5; Banker 3 draws a four: 7
    accounts = {one.name: one.amount for one in bank(cloth).accounts}
    assert (accounts["place:1"], accounts["place:2"]) == (190, 400)


@pytest.mark.parametrize("at", range(1, 5))
def test_an_open_bank_goes_on_after_a_restart(at):
    """faults.md A 48: the state of the bank is part of the table's."""
    cloth = chemin()
    cloth.press(ShowBank(1_000))
    cloth.press(SetCover(Seat.PUNTER, 400))
    cloth.cards(" ".join(BANKER_WINS.split()[:at]))
    again = Table(cloth.table.house, identifies=cloth.table.identifies)
    restore(again, taken(cloth.table))
    assert again.bank == cloth.table.bank
    cloth.table = again
    cloth.cards(" ".join(BANKER_WINS.split()[at:])).close()
    assert bank(cloth).sum == 1_380


def test_r_000_07_stakes_that_lie_on_a_hand_still_waiting_are_said_to_lie_there():
    """R-000-07 closes the stakes of a hand; the refusal names what the person can do, not a card that is not out."""
    cloth = Cloth("foster", money=terms("foster"))
    assert (cloth.press(ShowBank(1_000)), cloth.press(SetCover(Seat.RIGHT, 40))) == ("", "")
    cloth.cards("2S 2H KD 5S 2C 6C 9H").close()  # nobody said who took the seventh card: the hand waits
    cloth.cards("2S").void()  # the next hand is none: its one card is given up
    (ref,) = cloth.table.unsettled
    assert cloth.press(SetCover(Seat.RIGHT, 40), "") == "staked-earlier"
    assert cloth.press(Void(), ref) == ""
    assert cloth.press(SetCover(Seat.RIGHT, 40), "") == ""
