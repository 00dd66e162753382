"""The action table: keys, and how many of them each fault costs (a lawful hand 0, a fault at most 4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from typing import get_args

import pytest

from controller import catalogue
from controller.accounts.roles import COMMANDS
from controller.catalogue import LANGUAGES
from controller.core.bank import Banco, BankCommand, Money
from controller.core.bank.state import Stage
from controller.core.games import GAMES
from controller.core.inputs import Act, Post, Sanction, Sort
from controller.core.offers import offers
from controller.core.profile import Deal, House, NewShoes
from controller.core.remedies.situations import SITUATIONS, Remedy
from controller.core.showbank import bank_view
from controller.core.signals import LinkLost, PoweredUp
from controller.core.table import Table
from controller.core.words import kind_of
from controller.moneysettings import BETS, terms_of
from controller.pit import acts, bankacts, offering, render
from tests.conftest import REPOSITORY
from tests.faults.felt import BANKER_WINS, PLAYER_WINS, SIX_CARDS, TIE_OF_SIX, Felt
from tests.pit.sample import STATES

MOST_KEYS = 4
WORDS = catalogue.load(missing=catalogue.refuse)
HOLD = "HOLD "  # a key that is held for one second is one key
RANKS, SUITS = frozenset("A234567890JQK"), frozenset("SHDC")


def wrong_spot(felt: Felt) -> None:
    felt.draw("P1:2D B1:AH P2:3C B2:2D P3:4S")


def lawful(felt: Felt) -> None:
    felt.hand(BANKER_WINS, "banker")


def unread(felt: Felt) -> None:
    felt.draw("P1:2S B1:3H P2:4C B2")
    felt.show("B2")
    felt.call("banker")


def false_draw(felt: Felt) -> None:
    felt.draw("P1:9S B1:2H P2:KC B2:4D P3:5H")


def mismatch(felt: Felt) -> None:
    felt.draw(PLAYER_WINS)
    felt.call("banker")


def power_up(felt: Felt) -> None:
    felt.draw("P1:2S B1:3H")
    felt.say(PoweredUp())


def unplugged(felt: Felt) -> None:
    lawful(felt)
    felt.say(LinkLost("unplugged"))


def several(felt: Felt) -> None:
    for hand, result in ((BANKER_WINS, "banker"), (PLAYER_WINS, "player"), (TIE_OF_SIX, "tie")):
        felt.hand(hand, result)


def proposed(felt: Felt) -> None:
    lawful(felt)
    felt.burn("3S", 3)


def nothing(felt: Felt) -> None:
    """Nothing happened yet."""


# What went wrong, the keys that settle it, and what must then be so.
FAULTS: dict[str, tuple[Callable[[Felt], None], tuple[str, ...]]] = {
    "a card on the wrong spot": (wrong_spot, ("!", "5", "B", HOLD + acts.CONFIRM)),
    "two cards exchanged": (wrong_spot, ("!", "3", "B", HOLD + acts.CONFIRM)),
    "a card that opens the next hand": (false_draw, ("!", "5", "N", HOLD + acts.CONFIRM)),
    "a burnt card": (false_draw, ("!", "5", "X", HOLD + acts.CONFIRM)),
    "an unread card": (unread, ("K", "5", "D")),
    "a false draw that stands": (false_draw, (HOLD + "A",)),
    "a wrong result button, accepted": (mismatch, (HOLD + "A",)),
    "a wrong result button, corrected": (mismatch, ("C", HOLD + "P")),
    "a hand voided": (false_draw, (HOLD + "V",)),
    "a power-up in mid-hand": (power_up, ("R",)),
    "a new hand after a power-up": (power_up, ("N",)),
    "a cable pulled for two hands": (unplugged, ("B", "P", "B", HOLD + acts.CONFIRM)),
    "a correction two hands back": (several, ("H", "3", "P", HOLD + acts.CONFIRM)),
    "the last result corrected": (several, ("C", HOLD + "B")),
    "a new shoe confirmed": (proposed, ("W", HOLD + "W")),
    "a free hand": (lawful, ("F", "F")),
    "the table closed": (nothing, (HOLD + "X",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_at_most_four_keys(fault):
    assert len(FAULTS[fault][1]) <= MOST_KEYS


@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_key_is_offered_when_the_fault_is_there(fault):
    """The action table is the only source of keys: what settles a fault is in it, and the core offers it then."""
    story, (first, *_) = FAULTS[fault]
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    story(felt)
    keys = {act.key: act for act in acts.offered(felt.view.acts)} | {key.key: key for key in acts.PAGE}
    assert first.removeprefix(HOLD) in keys
    act = keys[first.removeprefix(HOLD)]
    if isinstance(act, acts.ActKey):
        assert (act.press is acts.Press.HOLD) == first.startswith(HOLD)
        assert (act.press is acts.Press.TAP) == (len(FAULTS[fault][1]) == 1 and not first.startswith(HOLD))


@pytest.mark.parametrize(("hand", "result"), [(BANKER_WINS, "banker"), (PLAYER_WINS, "player"), (SIX_CARDS, "player")])
def test_a_lawful_hand_needs_no_key(hand, result):
    """Promised: on a shoe that closes its own hands a lawful hand needs no key at all."""
    felt = Felt()
    felt.hand(hand, result)
    assert felt.results == [result]
    assert felt.pit.incidents == ()


DIGITS = "1234567890"
LISTED = "123456789ABCDEFGHIJKLMNOPQSTUVWXYZ"
CHOSEN = {"remedy": Remedy, "sanction": Sanction, "banco": Banco, "sort": Sort}
EVERY_BET = tuple({bet.name: name for name, bet in BETS.items()}.values())  # one on each spot
LAYING = [acts.laying(game.seats) for game in GAMES.values()]


@pytest.mark.parametrize(
    "table", [[act.key for act in acts.ACTS] + ["2", "3"] + [key.key for key in (*acts.PAGE, acts.BANK)], *LAYING]
)
def test_no_key_means_two_things_at_once(table):
    """But R and N of the power-up, and those of questions, which stand over the page."""
    keys = [key if isinstance(key, str) else key.key for key in table]
    assert [key for key, number in Counter(keys).items() if number > 1] == []


def test_every_key_is_one_touch_of_a_keyboard():
    for act in (*acts.ACTS, *acts.PAGE, acts.BANK, *(key for keys in LAYING for key in keys)):
        assert re.fullmatch(r"[A-Z!?$01]", act.key)
    for keys in LAYING:
        assert not {key.key for key in keys} & set("123456789")  # digits choose a card


def test_every_act_of_the_core_has_its_key_its_words_and_its_right():
    """Acknowledge and Review have their buttons beside the incident; the bank's lie in a question of their own."""
    kinds = {kind_of(act) for act in get_args(Act)}
    assert kinds == set(COMMANDS)
    bank = {kind_of(act) for act in get_args(BankCommand)}
    assert {act.kind for act in bankacts.BANK_ACTS} == bank
    assert {act.kind for act in acts.ACTS} == kinds - bank - {"acknowledge", "review"}
    assert {"apply", "show_bank", "pass_bank", "penalise"} <= kinds


def test_each_act_of_the_bank_asks_for_what_the_core_must_be_told():
    """Each field of the command but those with a value of their own; nothing that the command has not."""
    kinds = {kind_of(act): act for act in get_args(BankCommand)}
    for act in bankacts.BANK_ACTS:
        told = {field.name: field.default is MISSING for field in fields(kinds[act.kind])}
        assert {name for name, needed in told.items() if needed} <= set(act.asks) <= set(told), act.kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_a_person_may_give_or_choose_has_words(language):
    """Promised: every sentence is in the three languages; a word that is missing raises."""
    kinds = {kind_of(act) for act in get_args(Act)}
    names = {f"{what}.{kind}" for kind in kinds for what in ("act", "ask")}
    names |= {f"key.{key.name}" for key in (*acts.PAGE, acts.BANK, acts.DECIDER)}
    names |= {f"key.{key.name}" for keys in LAYING for key in keys}
    names |= {f"{table}.{one.value}" for table, kind in CHOSEN.items() for one in kind}
    names |= {f"situation.{one}" for one in SITUATIONS} | {f"spot.{bet.name}" for bet in BETS.values()}
    names |= {f"bank.{field}" for act in bankacts.BANK_ACTS for field in act.asks}
    names |= {f"bank.stage-{stage.value}" for stage in Stage} | {f"ruling.decides-{post.value}" for post in Post}
    words = catalogue.load(language, catalogue.refuse)
    assert all(words.word(name) for name in names)


@pytest.mark.parametrize("game", GAMES)
def test_no_question_of_a_game_has_a_key_twice(game):
    """Promised: one action table; a key means one thing in the question that is open."""
    sides = [acts.SEATS[side.value] for side in GAMES[game].sides]
    house = House(game=GAMES[game])
    questions = {
        "cards": [*(key.key for key in acts.laying(GAMES[game].seats)), *DIGITS, acts.CONFIRM],
        "keyed face": [*RANKS, *SUITS, acts.CONFIRM],
        "situations": [*LISTED[: len(offers(house).situations)], "-", acts.CONFIRM],
        "remedy": [*DIGITS, *sides, *acts.SANCTIONS.values(), acts.DECIDER.key, "-", acts.CONFIRM],
        "bank": [*(act.key for act in bankacts.BANK_ACTS), acts.CONFIRM],
        "sorts": [*acts.SORTS.values()],
        "posts": [*acts.POSTS.values(), *DIGITS],
        "calls": [
            *{acts.CALLS[won] for won in render.side_calls(GAMES[game], GAMES[game].sides[0])},
            "-",
            acts.CONFIRM,
        ],
    }
    everything = {"sanctions": tuple(Sanction)} | ({} if GAMES[game].asks_taker else {"bets": EVERY_BET})
    for money in (Money.BANK, Money.FULL) if GAMES[game].asks_taker else (Money.FULL,):
        kept = Table(replace(house, money=terms_of(GAMES[game], money, everything)))
        for field, values in bankacts.choices(bank_view(kept)).items():
            questions[f"{money.value} {field}"] = [*(key for _, key in values), *DIGITS, "-", acts.CONFIRM]
    doubled = {name: [key for key, n in Counter(keys).items() if n > 1] for name, keys in questions.items()}
    assert {name: keys for name, keys in doubled.items() if keys} == {}
    assert len(offers(house).situations) <= len(LISTED)


def test_the_list_of_situations_takes_its_keys_in_the_order_of_a_keyboard():
    script = (REPOSITORY / "controller" / "pit" / "static" / "remedies.js").read_text("utf-8")
    assert f'const KEYS = "{LISTED}"' in script


def test_nothing_is_offered_that_the_core_would_refuse():
    """Every act that the view names is taken then, or refused only for what the person has still to say."""
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    for story in (nothing, lawful, wrong_spot):
        story(felt)
        unknown = set(felt.view.acts) - {act.kind for act in acts.ACTS}
        assert not unknown


def test_the_list_of_keys_holds_all_that_may_be_done():
    felt = Felt()
    lawful(felt)
    listed = [act.kind for act in offering.listing(felt.view)["acts"]]
    assert set(listed) == set(felt.view.acts)
    assert {act.kind for act in offering.doing(felt.view)["acts"]} < set(listed)


def test_what_is_due_stands_on_the_page_itself():
    """A dead shoe asks for hands by hand, a new shoe for its confirmation."""
    felt = Felt(new_shoe=NewShoes.CONFIRM)
    lawful(felt)
    felt.say(LinkLost("unplugged"))
    assert {"manual_hand", "blind_hands"} <= {act.kind for act in offering.doing(felt.view)["acts"]}
    felt.burn("3S", 3)
    assert "new_shoe" in {act.kind for act in offering.doing(felt.view)["acts"]}


def test_no_script_and_no_template_has_a_key_of_its_own():
    """Keys come from the action table; letters of cards and digits are what they are."""
    pit = REPOSITORY / "controller" / "pit"
    templates = "".join(path.read_text("utf-8") for path in pit.glob("templates/**/*.html"))
    written = set(re.findall(r'data-key="([^"{]*)"', templates)) | set(re.findall(r'm\.confirm\("([^"]*)"', templates))
    known = {act.key for act in acts.ACTS} | {key.key for key in acts.PAGE} | {"-"}
    assert written <= known


def test_hidden_cards_can_be_turned_by_a_key():
    felt = Felt(deal=Deal.FACE_DOWN)
    felt.draw(BANKER_WINS)
    assert "T" in {act.key for act in acts.offered(felt.view.acts)}


def test_the_manual_has_every_key_and_how_it_is_pressed():
    """Promised: keys for everything from one action table: the manual's are the same."""
    pressed = {
        acts.Press.TAP: "once",
        acts.Press.HOLD: "one second",
        acts.Press.ASK: "question",
        acts.Press.ASK_HOLD: "question, then one second",
    }
    manual = (REPOSITORY / "docs" / "operating.md").read_text("utf-8")
    head = "| act | key | pressed | when |"
    lines = manual[manual.index(head) :].split("\n\n")[0].splitlines()[2:]
    rows = {tuple(cell.strip() for cell in line.split("|")[1:4]) for line in lines}
    table = {(WORDS.word(f"act.{act.kind}"), act.key, pressed[act.press]) for act in acts.ACTS}
    assert table <= rows
    assert {(name, key) for name, key, _ in rows - table} == {
        (WORDS.word(f"key.{key.name}"), key.key) for key in (*acts.PAGE, acts.BANK)
    }


def test_the_manual_has_every_act_of_the_bank():
    """Promised: the manual's keys are those of the one table."""
    manual = (REPOSITORY / "docs" / "operating.md").read_text("utf-8")
    lines = manual[manual.index("| act of the bank | key |") :].split("\n\n")[0].splitlines()[2:]
    rows = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in lines]
    assert rows == [(WORDS.word(f"act.{act.kind}"), act.key) for act in bankacts.BANK_ACTS]


def test_a_seat_has_the_digit_of_its_place_at_the_table():
    """Promised: every key within one hand's reach; a digit never changes its meaning in the course of a hand."""
    keys = {act.seat: act.key for act in offering.given(STATES["banque"]) if act.kind == "takes"}
    assert keys == {"left": "2", "banker": "3"}
    assert [act.at for act in offering.given(STATES["banque"]) if act.kind == "opened_next"] == [7]


def test_enter_closes_where_people_decide_and_nowhere_else():
    """Promised: in punto banco nothing changes."""
    pads = {name: [act.pad for act in offering.given(STATES[name]) if act.kind == "turned"] for name in STATES}
    assert (pads["chemin"], pads["banque"], pads["face-down"]) == (["Enter"], ["Enter"], [""])
