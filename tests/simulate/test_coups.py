"""Simulated coups of chemin de fer and banque against a table that hears the cards and takes the keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from controller.core.cards import Seat
from controller.core.engine import Table
from controller.core.facts import Fact, FactName
from controller.core.games import GAMES
from controller.core.inputs import Command, Input, OpenedNext
from controller.core.words import fact_dict
from controller.simulate.coups.evening import Coups
from controller.simulate.coups.people import gain
from controller.simulate.coups.shoes import Evening, Played, Shoe, shoes
from controller.simulate.coups.wrongs import Wrong, possible
from controller.simulate.script import KeyStep
from controller.sources.keys import Keys
from controller.sources.unattended import Policy, house_of, play
from tests.oracle.old_games import RULES, tell

VARIANTS = sorted(RULES)
DECKS = 6
VALUE = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(pips): pips for pips in range(2, 10)}
MOST_KEYS = {"chemin-de-fer": (2, 1.5), "banque": (4, 2.5)}
NOT_OF_THE_LINE = ("labels", "keys", "felt")


def evening(variant: str, rate: float = 0.0, *only: Wrong) -> Evening:
    game = GAMES[variant]
    return Evening(game, DECKS, dict.fromkeys(only or possible(game), rate))


def told(dealt: Evening, coups: list[Played]) -> list[Fact]:
    """What a table tells of these coups of one shoe, nobody being there but the croupier."""
    keys, cards, inputs = Keys(), 0, []
    for event in (event for played in coups for event in played.events):
        if isinstance(event, Command):
            keys.add(cards, event)
        else:
            inputs.append(Input(event))
            cards += 1
    table = Table(house_of(dealt.game, dealt.decks))
    return [fact for facts in play(table, inputs, Policy.ACCEPT, keys) for fact in facts]


def lines(facts: list[Fact]) -> dict[int | None, dict]:
    """The audit line of each closed coup, without what a fact has besides."""
    whole = [fact_dict(fact) for fact in facts if fact.name is FactName.HAND_COMPLETED]
    return {line["hand"]: {key: line[key] for key in line if key not in ("fact", "at")} for line in whole}


def truth(played: Played) -> dict:
    line = played.truth.as_line()
    return {key: line[key] for key in line if key not in NOT_OF_THE_LINE}


def by_value(line: dict, variant: str) -> list[tuple[str, int]]:
    """The cards of a line in dealing order, third cards in the order of the turns."""
    rules = RULES[variant]
    first = [(seat, line[seat][rules.deal[:place].count(seat)]) for place, seat in enumerate(rules.deal)]
    thirds = [(seat, card) for seat in rules.turns for card in line[seat][2:]]
    return [(seat, VALUE[card[0]]) for seat, card in (*first, *thirds)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_audit_finds_every_irregularity_of_the_truth_and_no_other(variant: str):
    """design.md section 6: an audit line is what a reader of the wire, here with the keys, can prove."""
    dealt = evening(variant, 0.15)
    for shoe in islice(shoes(dealt, 11), 3):
        coups = list(shoe.coups())
        facts = told(dealt, [renumbered(played, shoe.number) for played in coups])
        found = lines(facts)
        assert [fact_dict(fact)["why"] for fact in facts if fact.name is FactName.COMMAND_REJECTED] == []
        assert [truth(played) | {"shoe": "1"} for played in coups] == [found[played.truth.hand] for played in coups]


def renumbered(played: Played, shoe: int) -> Played:
    """The coup with its keys to a table whose first shoe this is."""
    events = [
        Command(event.id, event.act, event.hand.replace(f"{shoe}-", "1-", 1)) if isinstance(event, Command) else event
        for event in played.events
    ]
    return Played(tuple(events), played.truth)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_truth_is_what_an_independent_fold_of_the_cards_says(variant: str):
    """rules.md A.5, B.5: kinds, seats and results of false and missed draws."""
    wrongs = tuple(wrong for wrong in possible(GAMES[variant]) if wrong.value.endswith("-draw"))
    kinds: Counter[str] = Counter()
    for played in Shoe(evening(variant, 0.3, *wrongs), 5).coups():
        line = truth(played)
        said = tell(RULES[variant], by_value(line, variant))
        # A coup that is closed owes what nobody drew.
        assert [(one["kind"], one["seat"]) for one in line["irregularities"]] == [
            fault[:2] for fault in (*said.faults, *said.owed)
        ]
        assert line["result"] == "/".join(str(said.sides[seat]) for seat in RULES[variant].players)
        kinds.update(one["kind"] for one in line["irregularities"])
    assert kinds


@pytest.mark.parametrize("variant", VARIANTS)
def test_sensible_people_play_a_lawful_shoe_and_nothing_waits(variant: str):
    """rules.md R-002-22..26, R-000-36, R-004-21: the rule where it binds."""
    dealt = evening(variant)
    coups = list(Shoe(dealt, 2).coups())
    facts = told(dealt, coups)
    assert lines(facts) == {played.truth.hand: truth(played) for played in coups}
    assert all(not line["irregularities"] for line in lines(facts).values())
    names = {fact.name for fact in facts}
    assert not names & {FactName.COMMAND_REJECTED, FactName.HAND_SUSPENDED, FactName.INCIDENT_OPENED}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_croupier_presses_few_keys_to_a_lawful_coup(variant: str):
    """At most 2 keys (mean 1.5) in chemin de fer, 4 (mean 2.5) in banque; each key is one that the table took."""
    keys_hold(variant, 300)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_croupier_presses_few_keys_to_ten_thousand_lawful_coups(variant: str):
    """The same over as many coups as are promised."""
    keys_hold(variant, 10_000)


def keys_hold(variant: str, coups: int) -> None:
    dealt, pressed = evening(variant), Counter()
    for shoe in shoes(dealt, 1):
        pressed.update(accepted(dealt, [renumbered(played, shoe.number) for played in shoe.coups()]))
        if pressed.total() >= coups:
            break
    mean = sum(keys * count for keys, count in pressed.items()) / pressed.total()
    most, most_mean = MOST_KEYS[dealt.game.name]
    assert max(pressed) <= most
    assert mean <= most_mean


def accepted(dealt: Evening, coups: list[Played]) -> Iterator[int]:
    """How many keys the table took to each coup that it closed; fails if one was refused or anything else was asked."""
    facts = told(dealt, coups)
    assert not [fact for fact in facts if fact.name in (FactName.COMMAND_REJECTED, FactName.HAND_SUSPENDED)]
    closed = [fact.hand for fact in facts if fact.name is FactName.HAND_COMPLETED]
    keys = Counter(fact.hand for fact in facts if fact.name is FactName.COMMAND_ACCEPTED)
    assert closed == [played.truth.hand for played in coups]
    return (keys[hand] for hand in closed)


@pytest.mark.parametrize("variant", ["chemin_tableau", "foster", "las_vegas"])
def test_every_slip_happens_and_is_labelled(variant: str):
    """A slip that never happens tests nothing; who is bound by no rule misses no draw (R-000-57, R-004-13)."""
    dealt = evening(variant, 0.2)
    seen = {label for shoe in islice(shoes(dealt, 3), 12) for played in shoe.coups() for label in played.truth.labels}
    assert seen == set(possible(dealt.game))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_card_of_a_shoe_is_somewhere(variant: str):
    """rules.md T5: dealt + burnt + basket + stub = 52 x decks."""
    shoe = Shoe(evening(variant, 0.3), 8)
    coups = list(shoe.coups())
    drawn = sum(not isinstance(event, Command) for played in coups for event in played.events)
    counts = shoe.pile.counts()
    assert sum(counts.values()) == 52 * DECKS
    assert drawn == 52 * DECKS - counts["stub"]
    assert counts["stub"] <= GAMES[variant].most_out  # R-000-06, R-003-17: no coup with so few


def test_the_same_seed_plays_the_same_evening():
    one, other = (list(Coups(evening("las_vegas", 0.1), 4, shoes=2, hands=9).steps()) for _ in range(2))
    assert one == other
    assert one != list(Coups(evening("las_vegas", 0.1), 5, shoes=2, hands=9).steps())


def test_a_shoe_that_follows_is_begun_by_a_key():
    """This wire tells nothing of a new shoe."""
    steps = list(Coups(evening("foster"), 4, shoes=2, hands=2).steps())
    acts = [type(step.command.act).__name__ for step in steps if isinstance(step, KeyStep)]
    assert acts.count("NewShoe") == 1


def test_a_forgotten_close_is_told_with_the_next_coup_and_costs_no_key_more():
    """One key says which card opened the next hand."""
    coups = list(Shoe(evening("chemin_tableau", 0.5, Wrong.FORGOTTEN_CLOSE), 6).coups())
    late = [event for played in coups for event in played.events if getattr(event, "act", None).__class__ is OpenedNext]
    assert len(late) == sum(Wrong.FORGOTTEN_CLOSE in played.truth.labels for played in coups) > 10
    assert max(played.truth.keys for played in coups) == 2


@pytest.mark.parametrize("variant", ["chemin_tableau", "foster"])
def test_a_close_forgotten_after_a_card_too_many_leaves_the_third_cards_where_they_lie(variant: str):
    """Order and count place as many cards as the seats can take; the rest are too many (R-002-21, R-000-40)."""
    dealt = evening(variant, 1.0, Wrong.EXTRA_CARD, Wrong.FORGOTTEN_CLOSE)
    coups = list(Shoe(dealt, 6).coups())
    both = [played.truth.hand for played in coups if len(played.truth.labels) == 2]
    found = lines(told(dealt, coups))
    assert both
    assert [found[played.truth.hand] for played in coups] == [truth(played) for played in coups]


# rules.md A.4: the cells in which the best reply does not depend on how often the punter draws at five.
DRAWS = {3: "01234567", 4: "234567-", 5: "567-", 6: "67"}
CHANGING = {(3, 9), (4, 1), (5, 4), (6, 10)}


@pytest.mark.parametrize("own", range(8))
@pytest.mark.parametrize("third", range(11))
def test_a_banker_who_is_free_draws_where_it_wins_more(own: int, third: int):
    """rules.md A.4: the best reply is fixed but for four cells."""
    if (own, third) not in CHANGING:
        column = "-" if third == 10 else str(third)
        drawn = own <= 2 or column in DRAWS.get(own, "") or (own == 3 and column == "-")
        assert (gain(own, third) > 0) is drawn


def test_errors_belong_to_seats_of_the_game():
    assert {wrong.value.split("-")[0] for wrong in possible(GAMES["foster"])}.isdisjoint({Seat.PUNTER.value})
