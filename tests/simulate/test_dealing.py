"""Whole shoes as a lawful dealer deals them."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.core.cards import DECK
from controller.core.signals import (
    BurnCardDrawn,
    CardCarried,
    CardDrawn,
    CardShown,
    CutCardOut,
    OffGameCardShown,
    PoweredUp,
    ResultCalled,
    StoodBy,
)
from controller.simulate.dealer import SEEN_BY_SENSOR, Slip
from controller.simulate.dealing import Shoe
from controller.simulate.hand import Mode
from tests.simulate import oracle
from tests.simulate.shoes import played, table

SEEDS = range(12)
LEGIBLE = sorted(set(Slip) - {Slip.CARD_UNREAD})


def laid(signals):
    return [signal for signal in signals if isinstance(signal, CardDrawn | CardCarried)]


@pytest.mark.parametrize("decks", [6, 8])
@pytest.mark.parametrize("mode", Mode)
def test_every_card_of_a_shoe_is_found_in_exactly_one_place(mode, decks):
    """faults.md A 43."""
    for seed in SEEDS:
        shoe = Shoe(table(*Slip, mode=mode, rate=0.1, decks=decks, sensor=True), seed)
        shoe.opening()
        list(shoe.hands())
        pile = shoe.pile
        found = Counter(pile.dealt + pile.abandoned + pile.burnt + pile.withdrawn + pile.cards)
        assert found == Counter(dict.fromkeys(DECK, decks))
        assert sum(pile.counts().values()) == 52 * decks


def test_the_wire_names_every_card_that_left_the_shoe_once():
    """faults.md A 43, counted from the signals alone; a carried card is named when it opens the next hand."""
    for seed in SEEDS:
        shoe = Shoe(table(*LEGIBLE, rate=0.15), seed)
        signals = [*shoe.opening(), *(signal for hand in shoe.hands() for signal in hand.signals)]
        named = (BurnCardDrawn, CardDrawn, CardCarried, OffGameCardShown)
        on_wire = Counter(signal.card for signal in signals if isinstance(signal, named))
        assert on_wire + Counter(shoe.pile.cards) == Counter(dict.fromkeys(DECK, 8))


def test_the_same_seed_deals_the_same_shoe_and_another_seed_another_one():
    """design.md section 1: chance comes from outside."""
    errs = table(*Slip, rate=0.1)
    assert played(errs, 7) == played(errs, 7)
    assert played(errs, 7) != played(errs, 8)


def test_dealers_who_err_differently_find_the_same_shoe():
    """A shoe is shuffled before anybody errs."""
    assert Shoe(table(), 5).pile.cards == Shoe(table(*Slip, rate=0.5), 5).pile.cards
    assert Shoe(table(), 5).pile.cards != Shoe(table(), 5, number=2).pile.cards


def test_lawful_hands_agree_with_an_independent_fold():
    """rules.md R-PB-01..12: cards, spots, result, pairs and Banker with six."""
    for seed in SEEDS:
        for hand in played(table(), seed):
            drawn = laid(hand.signals)
            player, banker = oracle.lawful([str(card.card) for card in drawn])
            spots = [(card.seat.value, card.index) for card in drawn]
            assert sorted(spots) == sorted(
                [("player", place) for place in range(1, len(player) + 1)]
                + [("banker", place) for place in range(1, len(banker) + 1)]
            )
            (called,) = [signal for signal in hand.signals if isinstance(signal, ResultCalled)]
            assert called.call.value == oracle.winner(player, banker)
            assert called.pairs.value == oracle.pairs(player, banker)
            assert called.with_six == (called.call.value == "banker" and oracle.points(banker) == 6)


def test_the_lawful_shoes_hold_every_kind_of_end():
    """The fold above is only worth something if naturals, six cards, ties and pairs come up."""
    hands = [hand for seed in SEEDS for hand in played(table(), seed)]
    assert {len(laid(hand.signals)) for hand in hands} == {4, 5, 6}
    called = [signal for hand in hands for signal in hand.signals if isinstance(signal, ResultCalled)]
    assert {call.call.value for call in called} == {"player", "banker", "tie"}
    assert {call.pairs.value for call in called} == {"none", "player", "banker", "both"}
    assert any(call.with_six for call in called)


def test_hidden_mode_shows_the_faces_in_drawing_order_when_the_hand_is_complete():
    """wire-formats.md 1.1, hidden mode."""
    for opened, hidden in zip(played(table()), played(table(mode=Mode.HIDDEN)), strict=True):
        kinds = [type(signal) for signal in hidden.signals if isinstance(signal, CardDrawn | CardShown | ResultCalled)]
        cards = len(laid(opened.signals))
        assert kinds == [CardDrawn] * cards + [CardShown] * cards + [ResultCalled]
        assert all(card.card is None and not card.unread for card in laid(hidden.signals))
        shown = [(card.seat, card.index, card.card) for card in hidden.signals if isinstance(card, CardShown)]
        assert shown == [(card.seat, card.index, card.card) for card in laid(opened.signals)]


def test_a_shoe_opens_with_a_power_up_and_a_burn_group_that_counts_down_to_zero():
    """wire-formats.md 1.1 (`D c0 a2`, `D d1 9b`, `D d0 a2`) and faults.md A 38: ten and figures burn ten."""
    for seed in range(40):
        power_up, first, *burnt = Shoe(table(), seed).opening()
        assert power_up == PoweredUp()
        assert first.sets_count
        assert first.left == 0
        expected = oracle.VALUE[str(first.card)[0]] or 10
        assert [card.left for card in burnt] == list(range(expected - 1, -1, -1))
        assert not any(card.sets_count for card in burnt)


@pytest.mark.parametrize("hands_after_cut", [0, 1])
def test_the_shoe_ends_by_the_last_hand_rule(hands_after_cut):
    """rules.md C.4: the hand in progress, then as many as the house allows."""
    for seed in range(30):
        hands = played(table(hands_after_cut=hands_after_cut), seed)
        before = [i for i, hand in enumerate(hands) if CutCardOut() in hand.signals]
        assert len(before) == 1
        assert len(hands) - 1 - before[0] == hands_after_cut


def test_the_cut_card_comes_out_where_it_lies():
    """rules.md C.4: a set number of cards behind the cut card."""
    shoe = Shoe(table(), 3)
    out = len(shoe.opening()) - 1
    for hand in shoe.hands():
        for signal in hand.signals:
            out += isinstance(signal, CardDrawn)
            if isinstance(signal, CutCardOut):
                assert out == 52 * 8 - shoe.table.behind_cut


def test_a_stand_by_follows_most_hands_but_not_all():
    """wire-formats.md 1.1, type P."""
    hands = [hand for seed in SEEDS for hand in played(table(), seed)]
    share = sum(StoodBy() in hand.signals for hand in hands) / len(hands)
    assert 0.7 < share < 0.9


def test_hands_are_numbered_from_one_without_a_hole_and_can_be_limited():
    """design.md section 6: an abandoned hand takes no number."""
    shoe = Shoe(table(Slip.POWER_UP, rate=0.3), 2)
    shoe.opening()
    numbers = [hand.truth.hand for hand in shoe.hands(most=10)]
    assert [number for number in numbers if number is not None] == list(range(1, 11))
    assert None in numbers


def test_slips_of_a_sensor_never_happen_at_a_shoe_that_names_the_spot_by_its_rule():
    """wire-formats.md 1.1: the shoe names the spot by its own reading of the rules."""
    from controller.core.signals import Names
    from controller.simulate.dealer import possible

    assert not possible(Names.BY_ITS_RULE) & SEEN_BY_SENSOR
    assert Slip.WRONG_SPOT not in possible(Names.BY_SENSOR)
