"""Remedies and the bank on the pages: what is offered, with which keys and words, and what a preview tells."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from controller import catalogue
from controller.catalogue import LANGUAGES
from controller.core.bank import Money, PassBank, SetCover, SetStake, ShowBank
from controller.core.cards import Card, Seat
from controller.core.facts import Audience, FactName
from controller.core.games import GAMES
from controller.core.inputs import Apply, Command, Input, OnDuty, Post, Sanction
from controller.core.offers import Names, fitting, offers
from controller.core.previewing import hand_views, preview
from controller.core.profile import House
from controller.core.remedies.situations import Remedy
from controller.core.signals import ErrorCleared, ErrorRaised, Fault, OffGameCardDrawn, OffGameMode
from controller.core.views import Sentence, Side
from controller.moneysettings import terms_of
from controller.pit import acts, bankacts, offering, rehearsal, render
from controller.profiles import names, profile
from controller.recall.story import Step
from controller.recall.timeline import entry
from tests.faults.felt import BANKER_WINS, Felt
from tests.pit.sample import STATES
from tests.rules.cloth import Cloth

MISDEAL = "5C 9S TS 2H 7D 3C 4H"  # nine at most are out: the seventh card is one that nobody was offered
WORDS = {language: catalogue.load(language, catalogue.refuse) for language in LANGUAGES}
NOT_YOURS = "supervisor-decides"
FALSE_DRAW = "P1:9S B1:2H P2:KC B2:4D P3:5H"


def kept(game: str, money: Money = Money.BANK) -> Cloth:
    return Cloth(game, money=terms_of(GAMES[game], money, {}))


def tried(felt: Felt, act: Apply, by: str = "7"):
    assert felt.table.hand is not None
    item = Input(Command("t", act, felt.table.hand.ref), felt.now, f"staff:{by}")
    return preview(felt.table, item, ident="1", name="1")


# ---- remedies ------------------------------------------------------------------------------------------------------


def test_remedies_are_offered_while_cards_are_out_and_stand_on_the_page_once_something_is_wrong():
    """Promised: the house's own remedies are put before the supervisor when a deal goes wrong."""
    felt = Felt()
    assert "apply" not in felt.view.acts
    felt.draw("P1:9S B1:2H")
    assert "apply" in {act.kind for act in offering.listing(felt.view)["acts"]}
    assert "apply" not in {act.kind for act in offering.doing(felt.view)["acts"]}
    felt.draw("P2:KC B2:4D P3:5H")
    assert "apply" in {act.kind for act in offering.doing(felt.view)["acts"]}
    assert "apply" in {act.kind for act in acts.SETTLING}


def test_situations_that_fit_what_holds_the_hand_are_named():
    """rules.md C.5: PBI-01 and PBI-02 are what a Player who drew and had to stand may be."""
    felt = Felt()
    felt.draw(FALSE_DRAW)
    assert hand_views(felt.table)[0].fits == ("PBI-01", "PBI-02")


def test_a_hold_that_only_surveillance_may_know_points_to_no_situation():
    """Promised: nothing that players or dealer can see depends on a face-down card."""
    felt = Felt()
    felt.draw(FALSE_DRAW)
    hand = felt.table.hand
    assert hand is not None
    secret = replace(hand, holds=tuple(replace(hold, kind="impossible-card") for hold in hand.holds))
    assert fitting(felt.table.house, secret) == ()


def test_the_houses_first_choice_comes_first_and_what_it_leaves_out_is_not_offered():
    """rules.md 1.6: a profile says which remedies are its own."""
    house = House(remedies=(("PBI-01", (Remedy.NEXT, Remedy.BURN)), ("PBI-18", ())), decides=(("PBI-07", Post.DEALER),))
    told = {one.id: one for one in offers(house).situations}
    assert [offer.remedy for offer in told["PBI-01"].remedies] == [Remedy.NEXT, Remedy.BURN]
    assert [offer.names for offer in told["PBI-01"].remedies] == [Names.LAST_CARD, Names.CARDS]
    assert "PBI-18" not in told
    assert (told["PBI-07"].decider, told["PBI-01"].decider) == (Post.DEALER, Post.SUPERVISOR)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_house_offers_is_told_in_the_words_of_the_page(language):
    """Promised: every sentence is in the three languages."""
    word = WORDS[language].word
    for game in GAMES.values():
        told = rehearsal.offers_dict(offers(House(game=game)), WORDS[language])
        assert [one["says"] for one in told["situations"]] == [
            word(f"situation.{one['id']}") for one in told["situations"]
        ]


@pytest.mark.parametrize("name", names())
def test_a_silent_rule_proposes_nothing_and_leaves_the_supervisor_what_the_sources_know(name):
    """rules.md 1.6: silent means SUPERVISOR."""
    house = profile(name)
    told = {one.id: one for one in offers(house).situations}
    for situation in house.possible:
        ident = situation.id
        offered = [offer.remedy for offer in told[ident].remedies]
        assert told[ident].silent == (house.allowed(situation) == (Remedy.SUPERVISOR,)), ident
        assert told[ident].silent or offered == list(house.allowed(situation)), ident
        assert not told[ident].silent or {Remedy.CORRECT, Remedy.VOID} <= set(offered), ident
        assert Remedy.SUPERVISOR not in offered, ident


def test_what_a_supervisor_decides_where_the_rule_is_silent_is_applied_and_recorded():
    """rules.md C.5 PBI-09, column FR: by analogy only."""
    felt = Felt(remedies=profile("fr_2007").remedies)
    felt.draw(FALSE_DRAW)
    felt.ask(Apply("PBI-09", Remedy.BURN, (4,)), by="staff:2001")
    [told] = felt.told("RemedyApplied")
    assert (told["irregularity"], told["remedy"], told["by"]) == ("PBI-09", "burn", "staff:2001")
    assert felt.ask(Apply("PBI-06", Remedy.VOID))[0]["why"] == "not-of-this-house"  # there the rule speaks


def test_the_recall_tells_what_was_ruled_and_by_whom():
    """Promised: the remedy chosen is applied and who chose it is recorded; read by people, not only by programs."""
    felt = Felt(sanctions=(Sanction.BLAME,))
    felt.draw(FALSE_DRAW)
    felt.ask(Apply("PBI-01", Remedy.BURN, (4,), sanction=Sanction.BLAME), by="staff:2001")
    [fact] = [fact for fact in felt.facts if fact.name is FactName.REMEDY_APPLIED]
    step = Step(felt.inputs[-1], (fact,), Sentence("prompt.waiting"), frozenset(), None, Path(), None)  # type: ignore[arg-type]
    told = entry(step, fact, Audience.PUBLIC)
    assert told is not None
    words = [word.id if isinstance(word, Sentence) else word for word in told.words]
    assert (words, told.by) == (["situation.PBI-01", "remedy.burn", "sanction.blame"], "2001")


@pytest.mark.parametrize(
    ("by", "supervisor", "why"),
    [
        ("1042", "", "supervisor-decides"),
        ("2001", "", ""),
        ("1042", "1042", ""),
        ("1042", "2001", "supervisor-decides"),
    ],
)
def test_who_deals_does_not_decide_what_a_supervisor_is_to_decide(by, supervisor, why):
    """rules.md 1.5: who may decide; without accounts a number is told from the dealer's on duty."""
    felt = Felt(decides=(("PBI-07", Post.DEALER),))
    felt.ask(OnDuty(Post.DEALER, "1042"), "")
    felt.ask(OnDuty(Post.SUPERVISOR, supervisor), "")
    felt.draw(FALSE_DRAW)
    assert tried(felt, Apply("PBI-01", Remedy.BURN, (4,)), by).why == why
    assert tried(felt, Apply("PBI-07", Remedy.CORRECT), by).why == ""


def test_every_sanction_has_a_key_beside_those_of_sides():
    keys = [acts.SANCTIONS[sanction.value] for sanction in Sanction]
    for game in GAMES.values():
        both = keys + [acts.SEATS[side.value] for side in game.sides]
        assert len(set(both)) == len(both)


def test_a_remedy_is_tried_before_it_counts_and_tells_where_its_card_goes():
    """rules.md C.5 PBI-01: burnt, opening the next hand, or the Banker's third."""
    felt = Felt()
    felt.draw("P1:7S B1:2H P2:KC B2:3D P3:5H")
    burnt = tried(felt, Apply("PBI-01", Remedy.BURN, (4,)))
    assert [spot.card for spot in burnt.out] == [Card.parse("5H")]
    assert [len(seat.spots) for seat in burnt.seats] == [2, 2]
    carried = tried(felt, Apply("PBI-01", Remedy.NEXT, (4,)))
    assert carried.carried is not None
    assert (carried.carried.side, carried.carried.card, carried.out) == (Side.FACE, Card.parse("5H"), ())
    third = tried(felt, Apply("PBI-01", Remedy.TO_BANKER, (4,)))
    assert [seat.points for seat in third.seats] == [7, 0]
    moves = [
        [(one.seat, one.index, one.to, one.to_seat, one.to_index) for one in told.moves] for told in (burnt, third)
    ]
    assert moves == [[("player", 3, "basket", "", 0)], [("player", 3, "hand", "banker", 3)]]
    assert [one.to for one in carried.moves] == ["next"]
    assert felt.table.hand is not None
    assert len(felt.table.hand.laid) == 5


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Apply("IR-04", Remedy.MOVE), "ruling.amends"),  # R-000-13
        (Apply("IR-06", Remedy.REFUSE, seat=Seat.RIGHT), "ruling.bets-side-back"),  # R-000-15, R-000-16
        (Apply("IR-05", Remedy.PLAY, seat=Seat.LEFT), "ruling.bets-bound"),  # R-000-15
        (Apply("IR-13", Remedy.END_SHOE), "ruling.bets-back"),
        (Apply("IR-15", Remedy.CORRECT), "ruling.no-amends"),
    ],
)
def test_the_page_says_whose_bets_may_change(act, said):
    """rules.md B.4, column bets amendable."""
    cloth = Cloth("foster").cards("5C 9S TS 2H 7D 3C")
    hand = cloth.table.hand
    assert hand is not None
    told = preview(cloth.table, Input(Command("t", act, hand.ref), by="staff:7"), ident="1", name="1")
    assert told.why == ""
    assert rehearsal.bets(told, act).id == said


def ruled_to_the_next_hand(felt: Felt) -> None:
    felt.draw("P1:7S B1:2H P2:KC B2:3D P3:9S")
    felt.ask(Apply("PBI-01", Remedy.NEXT, (4,)))
    felt.draw("B3:2S")
    felt.call("tie")


def kept_in_the_shoe(felt: Felt) -> None:
    felt.draw(BANKER_WINS)
    felt.say(ErrorRaised(Fault.OVERDRAW, 2, error_mode=False), OffGameCardDrawn(OffGameMode.UNKNOWN, 0, None))
    felt.say(ErrorCleared(Fault.OVERDRAW, 2))
    felt.call("banker")


@pytest.mark.parametrize(("story", "seen"), [(ruled_to_the_next_hand, True), (kept_in_the_shoe, False)])
def test_the_opener_of_a_hand_is_pointed_out_only_where_players_saw_it(story, seen):
    """rules.md C.5 PBI-01: burnt if seen, else kept; at a table dealt face up it lies open in its hand all the same."""
    felt = Felt()
    story(felt)
    felt.carry("P1:9S")
    hand = hand_views(felt.table)[0]
    assert (hand.cards[0].spot.card, hand.cards[0].spot.carried) == (Card.parse("9S"), True)
    assert (hand.opener_seen, rehearsal.hand_dict(hand)["opener_seen"]) == (seen, seen)


def test_a_preview_does_not_tell_the_face_of_a_card_that_nobody_saw():
    """Promised: nothing depends on a face-down card before it is turned."""
    cloth = Cloth("foster").cards("5C 9S TS 2H 7D 3C 4H")
    hand = cloth.table.hand
    assert hand is not None
    act = Command("t", Apply("IR-06", Remedy.PICK, (6,)), hand.ref)
    told = preview(cloth.table, Input(act, by="staff:7"), ident="1", name="1")
    spots = [*told.out, *(spot for seat in told.seats for spot in seat.spots)]
    assert all(spot.card is None for spot in spots if spot.side is Side.BACK)
    assert sum(spot.side is Side.BACK for spot in spots) >= 6


# ---- the bank ------------------------------------------------------------------------------------------------------


def test_a_table_without_money_shows_no_bank():
    """Promised: off is the default, and then nothing of money exists."""
    view = Cloth("chemin_tableau").view
    assert (view.bank, bankacts.known(view.bank), bankacts.choices(view.bank)) == (None, [], {})
    sheet = render.Sheet("table", render.TABLE, render.environment(WORDS["en"]))
    html = sheet.render(STATES["chemin"])
    assert (html["bank"].strip(), html["bankacts"].strip()) == ("", "")


def test_what_the_stage_knows_is_offered_and_nothing_else():
    """rules.md R-002-07, R-000-07, R-003-11..13."""
    cloth = kept("chemin_tableau")
    offered = lambda: {act.kind for act in bankacts.known(cloth.view.bank)} - {"sit", "leave_place", "penalise"}  # noqa: E731
    assert offered() == {"show_bank", "decline_bank"}
    assert cloth.press(ShowBank(1_000)) == ""
    assert offered() == {"show_bank", "pass_bank", "set_cover", "call_banco", "close_stakes"}
    assert cloth.press(PassBank()) == ""
    assert offered() == {"take_bank", "nobody_takes"}
    assert cloth.view.bank.passed_at == 1_000


def test_the_bank_is_told_as_it_stands():
    cloth = kept("chemin_tableau")
    cloth.press(ShowBank(12_500))
    cloth.press(SetCover(Seat.PUNTER, 4_000))
    bank = cloth.view.bank
    assert bank is not None
    assert (bank.stage, bank.banker, bank.sum, bank.covered, bank.riding) == ("open", 1, 12_500, 4_000, 0)
    html = render.Sheet("table", render.TABLE, render.environment(WORDS["en"])).render(cloth.view)["bank"]
    assert "12\u202f500" in html
    assert "4\u202f000" in html


@pytest.mark.parametrize(
    ("game", "money"), [("chemin_tableau", Money.BANK), ("foster", Money.FULL), ("punto-banco", Money.FULL)]
)
def test_no_key_of_the_banks_question_means_two_things(game, money):
    assert [key for key, n in Counter(act.key for act in bankacts.BANK_ACTS).items() if n > 1] == []
    for values in bankacts.choices(kept(game, money).view.bank).values():
        assert [key for key, n in Counter(key for _, key in values).items() if n > 1] == []


def test_a_stake_is_named_by_what_this_table_offers():
    cloth = kept("foster", Money.FULL)
    assert cloth.press(ShowBank(1_000)) == ""
    assert [name for name, _ in bankacts.choices(cloth.view.bank)["on"]] == ["right", "left"]
    assert cloth.press(SetStake(2, "right", 300)) == ""
    assert [(one.who, one.on, one.amount) for one in cloth.view.bank.stakes] == [(2, "right", 300)]


def test_a_lawful_hand_of_a_table_without_money_asks_for_nothing_more():
    felt = Felt()
    felt.hand(BANKER_WINS, "banker")
    assert felt.view.bank is None
