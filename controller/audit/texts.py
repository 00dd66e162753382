"""The sentences of an audit: what a kind of irregularity means, and what the rule behind it says."""

from __future__ import annotations

KINDS = {
    "player-false-draw": "Player took a card that the rules do not allow",
    "player-missed-draw": "Player had to take a card and took none",
    "banker-false-draw": "Banker took a card that the rules do not allow",
    "banker-missed-draw": "Banker had to take a card and took none",
    "wrong-order": "cards did not come in dealing order",
    "extra-card": "a card too many",
    "result-mismatch": "the recorded result is not the result of the cards",
    "pair-mismatch": "the recorded pair is not the pair of the cards",
    "overdraw": "the shoe reported a card drawn after the hand was over",
    "impossible-card": "more copies of one card than the shoe can hold",
    "unread-card": "a card could not be read",
    "incomplete-hand": "a side has fewer than two cards",
    "abandoned-hand": "the hand was left before its end",
    "link-gap": "the shoe was not heard for a while: a card may be missing",
    "copy-conflict": "copies of one message disagree",
    "early-draw": "a card left the shoe before the hand was open",
}

RULES = {
    "R-PB-01": "Cards are dealt Player, Banker, Player, Banker.",
    "R-PB-02": "After an 8 or 9 on two cards of either side nobody takes a card.",
    "R-PB-03": "Player takes a card on 0 to 5 and stands on 6 and 7.",
    "R-PB-04": "When Player has stood, Banker takes a card on 0 to 5 and stands on 6 and 7.",
    "R-PB-05": (
        "When Player has taken a card, Banker on 0 to 2 takes one; on 3 unless that card is an 8; on 4 if it is "
        "2 to 7; on 5 if it is 4 to 7; on 6 if it is 6 or 7; on 7 Banker stands."
    ),
    "R-PB-10": "The side nearer nine wins; equal points are a tie.",
    "R-PB-11": "No side holds more than three cards.",
    "R-PB-12": "A pair is two cards of the same rank as the first two of a side.",
    "PBI-15": "A shoe holds as many copies of one card as it has decks.",
}

SUMMARY = "{hands:,} hands, {irregular_hands:,} irregular; Player {player:,}, Banker {banker:,}, Tie {tie:,}"
DIRTY = "rows skipped {skipped:,}, repeated {repeated:,}, unreadable {unreadable:,}"
SAYS_OTHERWISE = "{column} says {said}, the cards make {made}"
