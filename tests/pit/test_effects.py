"""What is shown before it counts: every sentence once, and the money that would move, as it moves after."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from controller import catalogue
from controller.catalogue import LANGUAGES
from controller.core.bank import Money, SetCover, SetStake, ShowBank
from controller.core.cards import Card, Seat
from controller.core.inputs import Act, Apply, Command, Correct, Input, Placed, Relay, Void
from controller.core.previewing import Preview, preview
from controller.core.previewmoney import How
from controller.core.profile import Closes, Deal
from controller.core.remedies.situations import Remedy
from controller.core.signals import Call
from controller.core.words import fact_dict
from controller.pit import rehearsal, render
from controller.pit.languages import Voice
from tests.rules.cloth import SEATS, Cloth
from tests.rules.test_money_at_the_table import BANKER_WINS, PUNTERS_WIN, terms
from tests.rules.test_money_corrected import NEXT_HAND, chemin

MISDEAL = "2C 3C 4C AC 2D 3D"
MISLAID = "R1 R2 B1 L1 L2 B2"
PAIRED = "2C 2D 3H AH TC 4S"  # Player 5 draws a ten, Banker 3 a four


def voice(language: str = "en") -> Voice:
    words = catalogue.load(language, catalogue.refuse)
    return Voice(words, render.environment(words))


class Texts(HTMLParser):
    """The words of every element of a class, and of every `dt` with what follows it."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def text(html: str) -> str:
    parser = Texts()
    parser.feed(html)
    return " ".join(parser.words)


def tried(cloth: Cloth, act: Act, ref: str = "") -> Preview:
    hand = ref or cloth.hand.ref
    return preview(cloth.table, Input(Command("t", act, hand), by="staff:7"), ident="1", name="Table 1")


def shown(told: Preview, cloth: Cloth, act: Act, language: str = "en") -> str:
    """What the page shows of it."""
    if isinstance(act, Apply):
        answer = rehearsal.ruled(told, act, voice(language))
    else:
        answer = rehearsal.answered(told, cloth.view, voice(language))
    html: str = json.loads(answer.body)["html"]
    return html


Paid = Counter[tuple[str, str]]


def paid(facts: list) -> Paid:
    """What went from whom to whom by these facts, as an integrator reads them."""
    sums: Paid = Counter()
    for fact in map(fact_dict, facts):
        if fact["fact"] in {"BankMoved", "BankOwed"}:
            for one in fact["entries"]:
                sums[one["source"], one["target"]] += one["amount"]
    return sums


def foretold(told: Preview) -> Paid:
    assert told.money is not None
    return Counter({(one.source, one.target): one.amount for one in told.money.entries})


# ---- every sentence once -------------------------------------------------------------------------------------------


def test_a_remedy_that_moves_two_cards_says_once_that_they_came_out_of_order():
    """rules.md IR-04, R-000-12: two cards moved, one sentence of the record."""
    cloth = Cloth("foster").cards(MISDEAL).lie(MISLAID)
    act = Apply("IR-04", Remedy.MOVE)
    told = tried(cloth, act)
    assert [found.kind for found in told.found] == ["wrong-order", "wrong-order"]
    assert len(told.moves) > 1
    assert shown(told, cloth, act).count("cards did not come in dealing order") == 1
    assert [(one.kind, one.rules) for one in told.told] == [("wrong-order", ("R-000-04",))]


def test_cards_as_they_lie_are_judged_with_every_sentence_once():
    """rules.md R-000-04: the page of the cards as they lie."""
    cloth = Cloth("foster").cards(MISDEAL)
    placed = tuple(Placed(at, SEATS[spot[0]], int(spot[1:]), seen=False) for at, spot in enumerate(MISLAID.split()))
    told = tried(cloth, Relay(placed))
    assert [found.kind for found in told.found] == ["wrong-order", "wrong-order"]
    assert shown(told, cloth, Relay(placed)).count("A card was dealt out of order") <= 1
    page = shown(told, cloth, Relay(placed))
    assert page.count('class="found"') == 1


def test_what_goes_on_holding_two_seats_is_said_once():
    """rules.md IR-15: a remedy for something else leaves the order of two seats wrong, and names it once."""
    cloth = Cloth("foster").cards(MISDEAL).lie(MISLAID)
    act = Apply("IR-15", Remedy.CORRECT)
    told = tried(cloth, act)
    assert len(told.holds) > 1
    sentences = Counter(voice().words.text(hold.sentence) for hold in told.holds)
    page = shown(told, cloth, act)
    assert all(page.count(sentence) == 1 for sentence in sentences)


# ---- the money that would move -------------------------------------------------------------------------------------


def ref_of(cloth: Cloth, number: int = 1) -> str:
    return cloth.table.records[number].hand.ref


def settled(money: Money, cards: str = BANKER_WINS) -> tuple[Cloth, str]:
    cloth = chemin(cards, money=money)
    return cloth, ref_of(cloth)


def corrected_in_foster() -> tuple[Cloth, str, Act]:
    cloth = Cloth("foster", money=terms("foster", rake_bp=0))
    for act in (ShowBank(1_000), SetCover(Seat.RIGHT, 300), SetCover(Seat.LEFT, 200)):
        assert cloth.press(act) == ""
    cloth.cards("5C AC 5H 4C AD 2H").close()
    return cloth, ref_of(cloth), Correct(Call.BANKER_LEFT)


def relaid() -> tuple[Cloth, str, Act]:
    cloth, ref = settled(Money.BANK)
    spots = tuple(Placed(at, SEATS[spot[0]], int(spot[1])) for at, spot in enumerate(["B1", "P1", "B2", "P2"]))
    return cloth, ref, Relay(spots, ("wrong-order",))


def side_bets() -> Cloth:
    money = terms("punto-banco", Money.FULL, bets=("player", "banker", "tie", "dragon-7"))
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP, decks=8, money=money)
    for act in (SetStake(1, "banker", 200), SetStake(2, "dragon-7", 10)):
        assert cloth.press(act) == ""
    return cloth.cards(PAIRED)


def another_face() -> tuple[Cloth, str, Act]:
    cloth = side_bets()
    spots = ["Y1", "B1", "Y2", "B2", "Y3", "B3"]
    placed = [Placed(at, SEATS[spot[0]], int(spot[1])) for at, spot in enumerate(spots)]
    placed[5] = Placed(5, Seat.BANKER, 3, card=Card.parse("3S"))
    return cloth, ref_of(cloth), Relay(tuple(placed))


def open_hand(act: Act) -> tuple[Cloth, str, Act]:
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau"))
    for before in (ShowBank(600), SetCover(Seat.PUNTER, 400)):
        assert cloth.press(before) == ""
    cloth.cards("5C 5H 2C")
    return cloth, cloth.hand.ref, act


def card_too_many() -> tuple[Cloth, str, Act]:
    money = terms("punto-banco", Money.FULL)
    cloth = Cloth("punto-banco", deal=Deal.FACE_UP, closes=Closes.SHOE, decks=8, money=money)
    assert cloth.press(SetStake(1, "banker", 200)) == ""
    cloth.cards("2C 3D 4H 4S 9C")  # 6 and 7 stand
    return cloth, cloth.hand.ref, Apply("PBI-08", Remedy.VOID)


STORIES: dict[str, Callable[[], tuple[Cloth, str, Act]]] = {
    "a changed result, one sum": lambda: (*settled(Money.BANK), Correct(Call.PUNTER)),
    "a changed result, every stake": lambda: (*settled(Money.FULL), Correct(Call.PUNTER)),
    "a tie after all": lambda: (*settled(Money.BANK, PUNTERS_WIN), Correct(Call.TIE)),
    "two sides": corrected_in_foster,
    "a settled hand is void": lambda: (*settled(Money.FULL), Void()),
    "the cards lay otherwise": relaid,
    "a face was another one": another_face,
    "side bets of a void hand": lambda: (cloth := side_bets(), ref_of(cloth), Void()),
    "an open hand is void": lambda: open_hand(Void()),
    "the remedy is void": card_too_many,
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_the_money_shown_before_is_the_money_that_moves(story):
    """faults.md A 45, rules.md 1.5: what is confirmed is what was shown, to the last unit."""
    cloth, ref, act = story()
    told = tried(cloth, act, ref)
    assert told.why == ""
    before = len(cloth.facts)
    assert cloth.press(act, ref) == ""
    moved = paid(cloth.facts[before:])
    assert moved
    assert told.money is not None
    assert (told.money.how, foretold(told)) == (How.MOVED, moved)


def test_what_people_settle_between_themselves_is_said_so_before_and_by_the_same_sums():
    """faults.md A 45: a later hand was played on the money."""
    cloth = chemin(BANKER_WINS)
    cloth.cards(NEXT_HAND).close()
    ref, act = ref_of(cloth), Correct(Call.PUNTER)
    told = tried(cloth, act, ref)
    page = text(shown(told, cloth, act))
    assert "Settled by hand, between people:" in page
    assert "Place 1 → The punters together 780" in page
    before = len(cloth.facts)
    assert cloth.press(act, ref) == ""
    assert told.money is not None
    assert (told.money.how, foretold(told)) == (How.OWED, paid(cloth.facts[before:]))


def test_a_bank_that_cannot_settle_says_so_before():
    """rules.md R-000-07: cards came before the bank was ready, so nothing lies on this hand."""
    cloth = Cloth("chemin_tableau", money=terms("chemin_tableau")).cards("5C 5H 2C")
    told = tried(cloth, Void())
    assert told.money is not None
    assert (told.money.how, told.money.entries) == (How.UNSETTLED, ())
    assert "a supervisor settles by hand" in text(shown(told, cloth, Void()))
    before = len(cloth.facts)
    assert cloth.press(Void()) == ""
    assert "bank-unsettled" in {fact_dict(fact).get("kind") for fact in cloth.facts[before:]}


def face_down(cards: str = "2C 2D 3H AH") -> Cloth:
    cloth = Cloth("punto-banco", decks=8, money=terms("punto-banco", Money.FULL, bets=("player", "banker", "tie")))
    assert cloth.press(SetStake(1, "banker", 200)) == ""
    return cloth.cards(cards)


def test_sums_that_hidden_faces_decide_are_not_told_before():
    """Promised: nothing that players or dealer can see depends on a face-down card."""
    cloth = face_down().lie("Y1 Y2 B1 B2")
    act = Correct(Call.BANKER)
    told = tried(cloth, act)
    assert told.money is not None
    assert (told.money.how, told.money.entries) == (How.HIDDEN, ())
    assert "Hidden faces decide who gets what" in text(shown(told, cloth, act))
    before = len(cloth.facts)
    assert cloth.press(act) == ""
    assert paid(cloth.facts[before:])  # the table itself knows them


@pytest.mark.parametrize(
    "act", [Void(), Correct(Call.BANKER), Correct(Call.TIE), Apply("PBI-12", Remedy.VOID)], ids=repr
)
def test_the_money_shown_before_does_not_depend_on_a_face_that_is_down(act):
    """Promised: nothing that players or dealer can see depends on a face-down card."""
    one, other = (tried(face_down(cards).lie("Y1 Y2 B1 B2"), act) for cards in ("2C 2D 3H AH", "9C 8D KH QH"))
    assert one.why == other.why == ""
    assert one.money == other.money
    assert one.result == other.result


def test_bets_on_faces_that_nobody_ever_saw_are_settled_by_hand():
    """rules.md R-PB-07: a void hand's cards stay hidden; a later word on it cannot pay its bets."""
    cloth = face_down().void()
    told = tried(cloth, Correct(Call.BANKER), ref_of(cloth))
    assert told.money is not None
    assert (told.money.how, told.money.entries) == (How.UNSETTLED, ())


def test_a_table_without_money_tells_none():
    """Promised: off is the default, and then nothing of money exists."""
    cloth = Cloth("chemin_tableau").cards(BANKER_WINS).close()
    told = tried(cloth, Void(), ref_of(cloth))
    assert told.money is None
    assert "Money" not in text(shown(told, cloth, Void()))


def test_a_word_that_moves_no_money_says_so():
    """faults.md A 45: nothing was covered."""
    cloth = chemin(BANKER_WINS, cover=0)
    act = Correct(Call.TIE)
    assert "No money moves" in text(shown(tried(cloth, act, ref_of(cloth)), cloth, act))


@pytest.mark.parametrize("language", LANGUAGES)
def test_money_is_told_in_the_words_of_the_page(language):
    """Promised: every sentence is in the three languages; a missing one raises here."""
    words = catalogue.load(language, catalogue.refuse)
    for how in How:
        if how is not How.MOVED:
            assert words.word(f"money.{how.value}")
    for story in STORIES.values():
        cloth, ref, act = story()
        page = shown(tried(cloth, act, ref), cloth, act, language)
        assert words.word("money.title") in page
