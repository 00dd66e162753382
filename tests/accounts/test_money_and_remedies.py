"""Stakes, acts of the bank and remedies where people sign in: who gives them, and what two persons read and do."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

from controller.accounts.people import MONEY_PER_MINUTE
from controller.accounts.roles import Role, fitting
from controller.core.inputs import Post
from tests.accounts.house import NUMBERS, SECOND_SUPERVISOR, Person
from tests.accounts.seated import NOT_YOURS, Seated, seated

DEALER, SUPERVISOR, SURVEILLANCE = (NUMBERS[role] for role in (Role.DEALER, Role.SUPERVISOR, Role.SURVEILLANCE))
BANQUE = ("--profile=banque_fr", "--money=full")
FALSE_DRAW = "draw P1:7S B1:2H P2:KC B2:3D P3:5H"  # Player had to stand; the 5H is a card too many
BURN = {"kind": "apply", "irregularity": "PBI-01", "remedy": "burn", "places": [4]}


@pytest.fixture
def banque(tmp_path) -> Iterator[Seated]:
    with seated(tmp_path, *BANQUE) as house:
        table = house.felt.table
        table.house = replace(table.house, money=replace(table.house.money, a_cheval=True))
        yield house


@pytest.fixture
def ruled(tmp_path) -> Iterator[Seated]:
    """A table of punto banco held by a false draw."""
    with seated(tmp_path, "--profile=house_reuse") as house:
        house.say(FALSE_DRAW)
        yield house


@pytest.fixture
def by_two(tmp_path) -> Iterator[Seated]:
    """The same where the house asks two persons for remedies; it keeps the stakes too."""
    with seated(tmp_path, "--profile=house_reuse", "--money=full", two_persons=frozenset({"apply"})) as house:
        with house.signed_in(DEALER) as dealer:
            assert gives(dealer, {"kind": "set_stake", "who": 3, "on": "banker", "amount": 400}) == (200, "")
        house.say(FALSE_DRAW)
        yield house


def gives(person: Person, act: dict, hand: str = "") -> tuple[int, str]:
    """Status and sentence of an act."""
    answer = person.give(act, hand)
    return answer.status_code, answer.json()["sentence"]


def tries(person: Person, act: dict, hand: str) -> httpx.Response:
    body = {"id": str(uuid.uuid4()), "hand": hand, "act": act}
    return person.client.post("/table/1/preview", json=body)


def told(person: Person, language: str = "en") -> dict[str, str]:
    """What the second person reads of the one command that waits, by its labels."""
    [shown] = person.client.get(f"/approvals/list?lang={language}").json()["approvals"]
    return {label: " | ".join(text for other, text in shown["told"] if other == label) for label, _ in shown["told"]}


# ---- who gives what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.DEALER, 200),
        (Role.SUPERVISOR, 200),
        (Role.SURVEILLANCE, 403),
        (Role.AUDITOR, 403),
        (Role.TECHNICIAN, 403),
        (Role.ACCOUNT_ADMIN, 403),
    ],
)
def test_who_works_the_table_keeps_its_stakes_and_nobody_else(banque: Seated, role: Role, status: int):
    """trust.md 4.3, R-FRB-08: a sum shown, a stake on a side and one on both; others read a sentence."""
    acts = (
        {"kind": "show_bank", "amount": 10_000},
        {"kind": "set_stake", "who": 2, "on": "right", "amount": 300},
        {"kind": "set_stake", "who": 4, "on": "a-cheval", "amount": 200},
    )
    with banque.signed_in(NUMBERS[role]) as person:
        answers = [gives(person, act) for act in acts]
    assert answers == [(status, "" if status == 200 else NOT_YOURS)] * 3
    kept = banque.felt.view.bank
    assert kept is not None
    stakes = [(one.who, one.on, one.amount) for one in kept.stakes]
    assert stakes == ([(2, "right", 300), (4, "a-cheval", 200)] if status == 200 else [])
    assert {one["by"] for one in banque.facts("BankMoved")} == ({f"staff:{NUMBERS[role]}"} if status == 200 else set())
    assert [line["why"] for line in banque.told("refused")] == (
        [] if status == 200 else ["role: show_bank", "role: set_stake", "role: set_stake"]
    )


def test_a_penalty_is_a_supervisors_and_a_dealer_reads_so(banque: Seated):
    """trust.md 4.3, rules.md B.6 D12: who broke a rule is judged by no dealer."""
    penalty = {"kind": "penalise", "place": 3, "penalty": "no_hold", "rule": "R-FRB-04"}
    with banque.signed_in(DEALER) as dealer, banque.signed_in(SUPERVISOR) as supervisor:
        assert gives(dealer, penalty) == (403, NOT_YOURS)
        assert gives(dealer, {"kind": "readmit", "place": 3}) == (403, NOT_YOURS)
        assert gives(supervisor, penalty) == (200, "")
        assert gives(supervisor, {"kind": "readmit", "place": 3}) == (200, "")
    assert [one["by"] for one in banque.facts("BankMoved")] == [f"staff:{SUPERVISOR}"] * 2


def test_what_the_bank_refuses_is_said_by_its_sentence_to_who_signed_in(banque: Seated):
    """rules.md R-FRB-08: the table's own refusals read the same with accounts."""
    with banque.signed_in(DEALER) as dealer:
        stake = {"kind": "set_stake", "who": 2, "on": "right", "amount": 300}
        status, sentence = gives(dealer, stake)
        assert (status, sentence.endswith(".")) == (409, True)
        assert gives(dealer, {"kind": "show_bank", "amount": 100}) == (200, "")
        assert gives(dealer, {"kind": "set_stake", "who": 2, "on": "nowhere", "amount": 300})[0] == 409


def test_a_full_table_of_stakes_takes_nothing_from_the_keys_of_the_hand(banque: Seated):
    """trust.md 4.4: twenty commands a minute a person are for the hand; stakes have a number of their own."""
    with banque.signed_in(DEALER) as dealer:
        assert gives(dealer, {"kind": "show_bank", "amount": 10**6}) == (200, "")
        for nth in range(MONEY_PER_MINUTE - 1):
            stake = {"kind": "set_stake", "who": 1 + nth % 8, "on": ("right", "left")[nth % 2], "amount": 10 + nth}
            assert gives(dealer, stake) == (200, ""), nth
        status, sentence = gives(dealer, {"kind": "set_stake", "who": 1, "on": "right", "amount": 1})
        assert (status, sentence.startswith("Too many tries. Wait")) == (429, True)
        banque.say("cards 5C 9S TS 2H 7D 3C")
        assert gives(dealer, {"kind": "turned"}, banque.ref) == (200, "")


# ---- remedies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.DEALER, 403), (Role.SUPERVISOR, 200), (Role.SURVEILLANCE, 403), (Role.AUDITOR, 403)],
)
def test_a_remedy_is_tried_and_given_by_who_may_decide_it(ruled: Seated, role: Role, status: int):
    """rules.md 1.5, trust.md 4.3: who may not decide may not try it either, and reads why."""
    with ruled.signed_in(NUMBERS[role]) as person:
        tried, (given, sentence) = tries(person, BURN, ruled.ref), gives(person, BURN, ruled.ref)
    assert (tried.status_code, given) == (status, status)
    assert (tried.json()["sentence"], sentence) == (("", "") if status == 200 else (NOT_YOURS, NOT_YOURS))
    assert [one["by"] for one in ruled.facts("RemedyApplied")] == (
        [f"staff:{SUPERVISOR} ONE PERSON"] if status == 200 else []
    )


def test_a_dealer_is_offered_as_his_own_what_the_house_leaves_to_dealers(ruled: Seated):
    """rules.md 1.6: a profile says of each irregularity who decides."""
    ruled.felt.table.house = replace(ruled.felt.table.house, decides=(("PBI-01", Post.DEALER),))
    with ruled.signed_in(DEALER) as dealer, ruled.signed_in(SURVEILLANCE) as watching:
        shown = dealer.client.get("/table/1/hands").json()["situations"]
        assert {one["id"] for one in shown if one["yours"]} == {"PBI-01"}
        assert not any(one["yours"] for one in watching.client.get("/table/1/hands").json()["situations"])
        assert tries(dealer, BURN, ruled.ref).status_code == 200
        assert gives(watching, BURN, ruled.ref) == (403, NOT_YOURS)
        assert gives(dealer, BURN | {"irregularity": "PBI-02"}, ruled.ref) == (403, NOT_YOURS)
        assert gives(dealer, BURN, ruled.ref) == (200, "")
    assert [one["by"] for one in ruled.facts("RemedyApplied")] == [f"staff:{DEALER} ONE PERSON"]


def test_a_supervisor_who_deals_does_not_rule_on_the_own_deal(ruled: Seated):
    """rules.md 1.5: who deals does not decide what a supervisor is to decide, whatever role he has besides."""
    with ruled.signed_in(SUPERVISOR) as dealing, ruled.signed_in(SECOND_SUPERVISOR) as other:
        assert gives(dealing, {"kind": "on_duty", "post": "dealer", "staff": SUPERVISOR}) == (200, "")
        assert gives(other, {"kind": "on_duty", "post": "supervisor", "staff": SECOND_SUPERVISOR}) == (200, "")
        status, sentence = gives(dealing, BURN, ruled.ref)
        tried = tries(dealing, BURN, ruled.ref).json()
        assert (status, tried["accepted"], tried["sentence"]) == (409, False, sentence)
        assert sentence == "A supervisor decides this, not the dealer of the table. Nothing was changed."
        assert gives(other, BURN, ruled.ref) == (200, "")
    assert [one["by"] for one in ruled.facts("RemedyApplied")] == [f"staff:{SECOND_SUPERVISOR} ONE PERSON"]
    assert [line["why"] for line in ruled.told("refused")] == ["deals: apply"]


# ---- two persons ---------------------------------------------------------------------------------------------------


def test_the_second_person_reads_the_remedy_its_cards_and_the_money_and_it_is_done_once(by_two: Seated):
    """trust.md 4.3: sees exactly what is approved, in words; approved, it is done, once, in the name of both."""
    act = {"kind": "apply", "irregularity": "PBI-12", "remedy": "void"}
    with by_two.signed_in(SUPERVISOR) as first, by_two.signed_in(SURVEILLANCE) as second:
        asked = first.give(act, by_two.ref)
        assert (asked.status_code, asked.json()["accepted"]) == (202, False)
        assert by_two.facts("RemedyApplied") == []
        words = told(second)
        assert words["Cards"].endswith("PLAYER 3 5H")
        assert words["Would become"] == "A card could not be read · Void the hand"
        assert words["Money"] == "Stakes → Place 3 400"
        assert "PLAYER drew and had to stand" in words["What is wrong"]
        assert second.says(asked.json()["approval"]).status_code == 200
        again = [second.says(asked.json()["approval"]) for _ in range(2)]
        assert {(one.status_code, one.json()["sentence"]) for one in again} == {
            (409, "This is decided or expired already.")
        }
    [done] = by_two.facts("RemedyApplied")
    assert (done["remedy"], done["by"]) == ("void", f"staff:{SUPERVISOR}+staff:{SURVEILLANCE}")
    [back] = [one for one in by_two.facts("BankMoved") if one["act"] == "SettleBets"]
    assert [(one["source"], one["target"], one["amount"]) for one in back["entries"]] == [("stakes", "place:3", 400)]


@pytest.mark.parametrize(
    ("language", "would"),
    [("en", "Card to the basket · PLAYER 3 5H · Blame"), ("zh-Hans", ""), ("zh-Hant", "")],
)
def test_a_remedy_that_waits_names_its_card_and_its_sanction_in_the_words_of_the_page(by_two, language, would):
    """Promised: every sentence is in the three languages."""
    with by_two.signed_in(SUPERVISOR) as first, by_two.signed_in(SECOND_SUPERVISOR) as second:
        first.give(BURN | {"sanction": "blame"}, by_two.ref)
        [shown] = second.client.get(f"/approvals/list?lang={language}").json()["approvals"]
    texts = " ".join(text for pair in shown["told"] for text in pair)
    assert would in texts
    assert "[" not in texts, "a word is missing in the catalogue"
    assert shown["command"]["places"] == [4]


@pytest.mark.parametrize("role", [Role.DEALER, Role.AUDITOR, Role.TECHNICIAN, Role.ACCOUNT_ADMIN, Role.SUPERVISOR])
def test_nobody_else_and_not_the_first_person_approves_a_remedy(by_two: Seated, role: Role):
    """trust.md 4.3: another person, with a role that may."""
    with ExitStack() as stack:
        first = stack.enter_context(by_two.signed_in(SUPERVISOR))
        other = first if role is Role.SUPERVISOR else stack.enter_context(by_two.signed_in(NUMBERS[role]))
        answer = other.says(first.give(BURN, by_two.ref).json()["approval"])
    own = "Another person must approve it, not who asked for it."
    assert (answer.status_code, answer.json()["sentence"]) == (403, own if role is Role.SUPERVISOR else NOT_YOURS)
    assert by_two.facts("RemedyApplied") == []


def test_an_approval_after_the_hand_has_moved_on_is_refused_with_a_sentence(by_two: Seated):
    """trust.md 4.3: the second person is told before, and the list says after that nothing was done."""
    moved_on = "That hand has moved on: nothing was changed. Look at the hand again."
    with by_two.signed_in(SUPERVISOR) as first, by_two.signed_in(SECOND_SUPERVISOR) as second:
        ref = by_two.ref
        asked = first.give(BURN, ref).json()["approval"]
        assert "It would be refused now" not in told(second)
        assert gives(second, {"kind": "void"}, ref) == (200, "")
        assert told(second)["It would be refused now"] == moved_on
        answer = second.says(asked)
        assert (answer.status_code, answer.json()["sentence"]) == (409, moved_on)
        [shown] = second.waiting()
        assert (shown["state"], shown["sentence"]) == ("approved", moved_on)
    assert by_two.facts("RemedyApplied") == []
    [refused] = by_two.facts("CommandRejected")
    assert (refused["by"], refused["why"]) == (f"staff:{SUPERVISOR}+staff:{SECOND_SUPERVISOR}", "moved-on")


def test_who_became_a_dealer_meanwhile_has_asked_for_no_remedy(by_two: Seated):
    """ASVS 2.3.3: all or nothing; nothing is written down as approved that was not done."""
    with by_two.signed_in(SUPERVISOR) as first, by_two.signed_in(SURVEILLANCE) as second:
        asked = first.give(BURN, by_two.ref).json()["approval"]
        by_two.people.store.set_roles(SUPERVISOR, fitting(["dealer"]))
        answer = second.says(asked)
    assert (answer.status_code, answer.json()["sentence"]) == (409, "This is decided or expired already.")
    assert by_two.told("approval-given") == []
    assert by_two.facts("RemedyApplied") == []


@pytest.fixture
def turned_too_early(tmp_path) -> Iterator[Seated]:
    """Chemin de fer, turned while the punter still owed a draw (R-002-17)."""
    with seated(tmp_path, "--profile=chemin_tableau_no_option") as house:
        house.say("cards 2S 7D 2C KC")
        with house.signed_in(DEALER) as dealer:
            assert gives(dealer, {"kind": "turned"}, house.ref) == (200, "")
        yield house


@pytest.mark.parametrize("later", ["", "cards 6C"], ids=["the hand waits", "the next card opened a hand"])
def test_a_close_is_taken_back_by_who_decides_on_a_missed_draw(turned_too_early: Seated, later: str):
    """rules.md 1.5: who may decide IR-15 says too that T was a slip; naming a taker elsewhere is a dealer's key."""
    house, ref = turned_too_early, turned_too_early.ref
    takes = {"kind": "takes", "seat": "punter", "place": 4}
    if later:
        house.say(later)
    with house.signed_in(DEALER) as dealer:
        assert gives(dealer, takes, ref) == (403, NOT_YOURS)
    with house.signed_in(SUPERVISOR) as supervisor:
        assert gives(supervisor, takes, ref) == (200, "")
    if not later:
        house.say("cards 6C")
    assert house.ref == ref
    with house.signed_in(DEALER) as dealer:
        assert gives(dealer, {"kind": "turned"}, ref) == (200, "")
    assert house.facts("HandCompleted")[-1]["punter"] == ["2S", "2C", "6C"]
