"""What a dealer does wrong, and what this shoe shows of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from controller.core.cards import Seat
from controller.core.signals import (
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    ErrorCleared,
    ErrorRaised,
    Fault,
    Names,
    OffGameCardDrawn,
    OffGameCardShown,
    OffGameMode,
    PoweredUp,
    ResultCalled,
    StoodBy,
)
from controller.simulate.dealer import SEEN_BY_SENSOR, Dealer, Slip, rates_of
from controller.simulate.hand import Mode
from tests.simulate import oracle
from tests.simulate.shoes import played, table

CARDS = (CardDrawn, CardCarried)
OVERDRAWN = ErrorRaised(Fault.OVERDRAW, 2, error_mode=False)
TIMED_OUT = ErrorRaised(Fault.DRAW_TIMEOUT, 7, error_mode=True)
OFF_GAME = OffGameCardDrawn(OffGameMode.SETTING, 0, None)
OVERDRAW_OVER = ErrorCleared(Fault.OVERDRAW, 2)


def bare(hand):
    """The signals of a hand without those that may fall anywhere."""
    return [signal for signal in hand.signals if not isinstance(signal, CutCardOut | StoodBy)]


def faces(hand, seat):
    return [str(card) for held, cards in hand.truth.line.cards if held is seat for card in cards]


def fold_of(hand):
    return faces(hand, Seat.PLAYER), faces(hand, Seat.BANKER)


def kinds_of(hand):
    return [found.kind for found in hand.truth.line.irregularities]


@pytest.mark.parametrize("mode", Mode)
def test_a_withdrawn_overdraw_stands_where_the_hand_was_complete(mode):
    """wire-formats.md 1.1, overdraws 1 and 2: E2, perhaps E7, d, i, e2, then the faces and the result."""
    seen = set()
    for hand in played(table(Slip.OVERDRAW_WITHDRAWN, mode=mode)):
        signals = bare(hand)
        cards = sum(isinstance(signal, CARDS) for signal in signals)
        errand = [signal for signal in signals[cards:] if not isinstance(signal, CardShown | ResultCalled)]
        assert signals[cards : cards + len(errand)] == errand
        assert [signal for signal in errand if not isinstance(signal, OffGameCardShown) and signal != TIMED_OUT] == [
            OVERDRAWN,
            OFF_GAME,
            OVERDRAW_OVER,
        ]
        assert isinstance(errand[-2], OffGameCardShown)
        assert "overdraw" in kinds_of(hand)
        seen.add(TIMED_OUT in errand)
    assert seen == {True, False}


@pytest.mark.parametrize("mode", Mode)
def test_a_carried_overdraw_opens_the_next_hand_with_the_same_card(mode):
    """wire-formats.md 1.1, overdraw 3: E2, d, e2 without i; then R for Player 1."""
    hands = played(table(Slip.OVERDRAW_CARRIED, mode=mode))
    for first, second in pairwise(hands):
        signals = bare(first)
        assert not any(isinstance(signal, OffGameCardShown) for signal in signals)
        at = signals.index(OVERDRAWN)
        assert signals[at : at + 3] == [OVERDRAWN, OFF_GAME, OVERDRAW_OVER]
        opening = bare(second)[0]
        assert isinstance(opening, CardCarried)
        assert (opening.seat, opening.index) == (Seat.PLAYER, 1)
        assert (opening.card is None) == (mode is Mode.HIDDEN)


def test_a_carried_card_is_the_one_that_lay_next_in_the_shoe():
    """faults.md A 14: the same physical card, so the cards of the shoe keep their order."""
    from controller.simulate.dealing import Shoe

    shoe = Shoe(table(Slip.OVERDRAW_CARRIED), 4)
    order = list(reversed(shoe.pile.cards))
    order = order[len(shoe.opening()) - 1 :]
    on_felt = [signal.card for hand in shoe.hands() for signal in hand.signals if isinstance(signal, CARDS)]
    assert on_felt == order[: len(on_felt)]


def test_no_card_is_carried_out_of_the_last_hand():
    """faults.md A 14: no hand would take it."""
    for seed in range(20):
        last = played(table(Slip.OVERDRAW_CARRIED), seed)[-1]
        assert OVERDRAWN not in last.signals


@pytest.mark.parametrize("mode", Mode)
def test_a_card_on_the_wrong_spot_gives_the_frames_of_a_lawful_hand(mode):
    """wire-formats.md 1.1: the shoe names the spot by its own reading; only the truth knows."""
    hands = played(table(Slip.WRONG_SPOT, mode=mode))
    misplaced = [hand for hand in hands if Slip.WRONG_SPOT in hand.truth.labels]
    assert misplaced
    for hand in misplaced:
        lying = {seat: [str(card) for card in cards] for seat, cards in hand.truth.felt}
        player, banker = fold_of(hand)
        assert (player, banker) == oracle.lawful([*interleaved(player, banker)])
        assert sorted(player + banker) == sorted(lying[Seat.PLAYER] + lying[Seat.BANKER])
        assert (lying[Seat.PLAYER], lying[Seat.BANKER]) != (player, banker)
        assert hand.truth.line.irregularities == ()
        assert not any(isinstance(signal, ErrorRaised) for signal in hand.signals)


def interleaved(player, banker):
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


@pytest.mark.parametrize("slip", [Slip.WRONG_BUTTON, Slip.EARLY_STAND_BY])
def test_a_wrong_button_is_raised_and_cleared_and_changes_no_card(slip):
    """faults.md A 15."""
    pressed = [ErrorRaised(Fault.WRONG_BUTTON, 3, error_mode=False), ErrorCleared(Fault.WRONG_BUTTON, 3)]
    for lawful, hand in zip(played(table()), played(table(slip)), strict=True):
        assert fold_of(hand) == fold_of(lawful)
        if slip in hand.truth.labels:
            at = hand.signals.index(pressed[0])
            assert list(hand.signals[at : at + 2]) == pressed
            assert isinstance(next(one for one in hand.signals[at + 2 :] if one != CutCardOut()), CardDrawn)


def test_an_early_result_is_pressed_only_while_a_third_card_is_owed():
    """wire-formats.md 1.1, error 3: the shoe refuses the button."""
    for hand in played(table(Slip.EARLY_STAND_BY)):
        cards = sum(len(cards) for _, cards in hand.truth.line.cards)
        assert (Slip.EARLY_STAND_BY in hand.truth.labels) == (cards > 4)


@pytest.mark.parametrize("mode", Mode)
def test_a_card_slid_again_is_read_the_second_time(mode):
    """faults.md A 12: E1, then the card, then e1."""
    for hand in played(table(Slip.CARD_RESLID, mode=mode)):
        at = hand.signals.index(ErrorRaised(Fault.CANNOT_READ, 1, error_mode=False))
        card, over = hand.signals[at + 1 : at + 3]
        assert isinstance(card, CardDrawn)
        assert not card.unread
        assert over == ErrorCleared(Fault.CANNOT_READ, 1)
        assert hand.truth.line.irregularities == ()


@pytest.mark.parametrize("mode", Mode)
def test_a_card_that_is_never_read_has_no_face_on_the_wire_nor_in_the_audit_line(mode):
    """faults.md A 8: never a default card; design.md section 6: the result is then null."""
    for hand in played(table(Slip.CARD_UNREAD, mode=mode)):
        faceless = {
            Mode.OPEN: [signal for signal in hand.signals if isinstance(signal, CardDrawn) and signal.unread],
            Mode.HIDDEN: [signal for signal in hand.signals if isinstance(signal, CardShown) and signal.card is None],
        }
        assert len(faceless[mode]) == 1
        assert [card for _, cards in hand.truth.line.cards for card in cards].count(None) == 1
        assert hand.truth.line.result is None
        assert kinds_of(hand)[0] == "unread-card"
        assert all(card is not None for _, cards in hand.truth.felt for card in cards)


def test_a_wrong_result_differs_from_the_cards_and_is_a_mismatch():
    """rules.md R-PB-10, faults.md A 30."""
    for hand in played(table(Slip.WRONG_RESULT)):
        assert hand.truth.line.recorded != oracle.winner(*fold_of(hand))
        assert hand.truth.line.result.value == oracle.winner(*fold_of(hand))
        assert kinds_of(hand) == ["result-mismatch"]


def test_a_power_up_in_mid_hand_abandons_one_to_three_cards():
    """faults.md A 10 and the capture: two cards, then a power-up, then a new hand."""
    hands = played(table(Slip.POWER_UP, rate=0.5))
    cut_short = [hand for hand in hands if hand.truth.hand is None]
    assert {sum(isinstance(one, CARDS) for one in hand.signals) for hand in cut_short} == {1, 2, 3}
    for hand in cut_short:
        assert hand.signals[-1] == PoweredUp()
        assert hand.truth.line.recorded is None


@pytest.mark.parametrize("slip", sorted(SEEN_BY_SENSOR))
def test_a_sensor_sees_a_wrong_draw_where_the_card_really_lies(slip):
    """rules.md R-PB-02..05, by an independent fold."""
    wrong = [hand for hand in played(table(slip, sensor=True)) if slip in hand.truth.labels]
    assert wrong
    for hand in wrong:
        assert oracle.kinds(*fold_of(hand)) == [slip.value]
        assert kinds_of(hand) == [slip.value]
        drawn = [(signal.seat, str(signal.card)) for signal in hand.signals if isinstance(signal, CardDrawn)]
        assert [face for seat, face in drawn if seat is Seat.PLAYER] == faces(hand, Seat.PLAYER)


def test_with_a_sensor_and_every_wrong_draw_truth_and_fold_still_agree():
    """Two faults in a hand: after a wrong Player card R-PB-05 judges the Banker, after a missed one R-PB-04."""
    hands = [hand for seed in range(8) for hand in played(table(*SEEN_BY_SENSOR, sensor=True, rate=0.5), seed)]
    assert any(len(kinds_of(hand)) == 2 for hand in hands)
    for hand in hands:
        assert sorted(oracle.kinds(*fold_of(hand))) == sorted(kinds_of(hand)) == sorted(hand.truth.labels)


def test_false_draws_fall_on_six_on_seven_and_on_naturals():
    """rules.md R-PB-02 and R-PB-03: the cases that no file holds."""
    hands = [hand for seed in range(8) for hand in played(table(Slip.PLAYER_FALSE_DRAW, sensor=True), seed)]
    wrong = [hand for hand in hands if Slip.PLAYER_FALSE_DRAW in hand.truth.labels]
    assert {oracle.points(faces(hand, Seat.PLAYER)[:2]) for hand in wrong} >= {6, 7, 8, 9}
    assert {hand.truth.line.irregularities[0].rule for hand in wrong} == {"R-PB-02", "R-PB-03"}


def test_slips_appear_at_their_rate():
    """2,000 hands at one in ten: 200, give or take four standard deviations."""
    dealer = Dealer({Slip.WRONG_BUTTON: 0.1, Slip.WRONG_RESULT: 0.0, Slip.CARD_RESLID: 1.0}, Random(1))
    slips = [dealer.slips() for _ in range(2_000)]
    assert 146 < sum(Slip.WRONG_BUTTON in made for made in slips) < 254
    assert not any(Slip.WRONG_RESULT in made for made in slips)
    assert all(Slip.CARD_RESLID in made for made in slips)


def test_without_rates_nothing_goes_wrong():
    """The lawful dealer is the default."""
    assert all(not hand.truth.labels and not hand.truth.line.irregularities for hand in played(table()))


def test_rates_are_read_with_the_later_word_winning():
    """One number for all that this shoe can show, then exceptions by name."""
    rates = rates_of(["0.02", "wrong-spot=0.5"], Names.BY_ITS_RULE)
    assert rates[Slip.WRONG_SPOT] == 0.5
    assert rates[Slip.POWER_UP] == 0.02
    assert not rates.keys() & SEEN_BY_SENSOR


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("2", "number from 0 to 1, not '2'"),
        ("nan", "number from 0 to 1, not 'nan'"),
        ("wrong-hat=0.1", "no error is called 'wrong-hat'; there are: card-re-slid"),
        ("player-false-draw=0.1", "cannot be seen where the shoe names seats by-its-rule"),
    ],
)
def test_a_rate_that_cannot_be_is_refused_with_what_can(word, sentence):
    """An operator's mistake gets an answer."""
    with pytest.raises(ValueError, match=sentence):
        rates_of([word], Names.BY_ITS_RULE)
