"""A short evening with everything that a recall has to show; the times of each step follow from its place."""

from __future__ import annotations

from controller.core.inputs import (
    Acknowledge,
    BlindHands,
    CloseShoe,
    Correct,
    Fate,
    KeyCard,
    NewShoe,
    OnDuty,
    OpenTable,
    Placed,
    Post,
    Relay,
    Review,
)
from controller.core.signals import Call, CardDrawn, CardShown, Pairs, ResultCalled
from tests.recall.dealing import B, Dealing, P, card

NOTE = "paid right, camera 4"


async def evening(dealing: Dealing) -> None:
    """Shoe 1 has five hands and is counted back; of shoe 2 one hand is open, its faces hidden."""
    await dealing.ask(OpenTable("2026-09-21", "100-10000"))
    await dealing.ask(OnDuty(Post.DEALER, "2001"))
    await dealing.shoe()
    await dealing.hand("9S KD", "2C 4H", Call.PLAYER)
    await wrong_result(dealing)
    await unread_card(dealing)
    await dealing.ask(Correct(Call.BANKER, "called for the wrong side"), "1-1", by="staff:1043")
    await dealing.ask(OnDuty(Post.DEALER, "2002"))
    await dealing.ask(BlindHands((Call.TIE, Call.PLAYER)))
    await dealing.ask(CloseShoe(stub=400))
    await dealing.ask(NewShoe("S-77"))
    await dealing.shoe()
    await dealing.draw("AC KH", "7D 2S")


async def wrong_result(dealing: Dealing) -> None:
    """Hand 2: Banker is called where Player has won, a supervisor corrects it, surveillance goes through it."""
    await dealing.hand("2S 2D 5H", "7C KH", Call.BANKER, Pairs.PLAYER)
    await dealing.ask(Correct(Call.PLAYER), "1-2")
    await dealing.ask(Acknowledge("1-i1", NOTE))
    await dealing.ask(Review("1-i1"), by="staff:3001")


async def unread_card(dealing: Dealing) -> None:
    """Hand 3: the shoe cannot read Player's second card, so it is keyed; later the two first cards are exchanged."""
    await dealing.draw("8D QS", "6C JD")
    await dealing.say(CardShown(P, 1, card("8D")), CardShown(B, 1, card("6C")), CardShown(P, 2, None))
    await dealing.say(CardShown(B, 2, card("JD")), ResultCalled(Call.PLAYER, Pairs.NONE))
    await dealing.ask(KeyCard(P, 2, card("QS")), "1-3")
    laid = ((P, 2), (B, 1), (P, 1), (B, 2))
    cards = tuple(Placed(place, seat, index, Fate.HAND) for place, (seat, index) in enumerate(laid))
    await dealing.ask(Relay(cards), "1-3")


async def hidden_hand(dealing: Dealing) -> None:
    """A shoe that tells faces at the draw while the cards lie face down: what it says is secret."""
    await dealing.shoe()
    await dealing.say(CardDrawn(P, 1, card("9H")), CardDrawn(B, 1, card("4C")), CardDrawn(P, 2, card("KS")))
