"""Each act of the bank, at each of its stages: it means something there, or is refused and changes nothing."""

from __future__ import annotations

from typing import get_args

import pytest

from controller.core.bank import (
    CallBanco,
    CloseStakes,
    DeclineBank,
    LeavePlace,
    Money,
    NobodyTakes,
    PassBank,
    Penalise,
    Readmit,
    SetCover,
    SetStake,
    ShowBank,
    Sit,
    TakeBank,
    WithdrawBanco,
)
from controller.core.bank.acts import BankCommand
from controller.core.cards import Seat
from controller.core.games import GAMES
from controller.core.inputs import Act, Sanction
from controller.core.words import kind_of
from controller.moneysettings import terms_of
from tests.core.phases import FIRST, Setting, answered, some
from tests.rules.cloth import Cloth

SHOW = ShowBank(1_000)


def pressed(*acts: Act) -> Setting:
    def set_(cloth: Cloth) -> Cloth:
        for act in acts:
            assert cloth.press(act) == ""
        return cloth

    return set_


STAGES: dict[str, Setting] = {
    "awaiting": lambda cloth: cloth,
    "shown": pressed(SHOW),
    "dealt": lambda cloth: some(1)(pressed(SHOW)(cloth)),
    "too-late": some(1),  # a card came before the bank was shown
    "passed": pressed(SHOW, PassBank()),
}
BANK_ACTS: dict[type, Act] = {
    ShowBank: ShowBank(2_000),
    DeclineBank: DeclineBank(),
    PassBank: PassBank(),
    TakeBank: TakeBank(2, 1_000),
    NobodyTakes: NobodyTakes(),
    SetStake: SetStake(3, "punter", 100),
    SetCover: SetCover(Seat.PUNTER, 100),
    CallBanco: CallBanco(3),
    WithdrawBanco: WithdrawBanco(),
    CloseStakes: CloseStakes(),
    Sit: Sit(9),
    LeavePlace: LeavePlace(8),
    Penalise: Penalise(3, Sanction.BLAME, "R-002-25"),
    Readmit: Readmit(3),
}
# In chemin de fer with its bank kept; single stakes are not, nobody called banco and nobody is barred.
BANK_MEANS: dict[type, str] = {
    ShowBank: "awaiting shown",
    DeclineBank: "awaiting",
    PassBank: "shown",
    TakeBank: "passed",
    NobodyTakes: "passed",
    SetStake: "",
    SetCover: "shown",
    CallBanco: "shown",
    WithdrawBanco: "",
    CloseStakes: "shown",
    Sit: "awaiting shown dealt too-late passed",
    LeavePlace: "awaiting shown too-late passed",
    Penalise: "awaiting shown dealt too-late passed",
    Readmit: "",
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("act", BANK_ACTS, ids=kind_of)
def test_every_act_of_the_bank_means_something_at_its_stage_or_is_refused_with_a_sentence(act, stage):
    """rules.md R-000-07, R-FRC-08, R-003-11..13: stakes and bank before a card, and a passed bank is taken first."""
    cloth = Cloth("chemin_tableau", money=terms_of(GAMES["chemin_tableau"], Money.BANK, {}))
    STAGES[stage](pressed(LeavePlace(9))(cloth))
    answered(cloth, BANK_ACTS[act], meant=stage in BANK_MEANS[act].split())


@pytest.mark.parametrize("act", BANK_ACTS, ids=kind_of)
@pytest.mark.parametrize("game", FIRST)
def test_a_table_that_keeps_no_money_refuses_every_act_of_the_bank(game, act):
    """Promised: off is the default, and then nothing of money exists."""
    answered(Cloth(game), BANK_ACTS[act], meant=False)


def test_the_table_above_names_every_act_of_the_bank():
    """A new act needs a line that says where it means something."""
    assert BANK_ACTS.keys() == BANK_MEANS.keys() == {*get_args(BankCommand)}
