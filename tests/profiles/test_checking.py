"""A house's own profile: every mistake by line with the fix, in the file and where a configuration names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, house_of, load
from controller.core.bank import Money
from controller.core.inputs import Post, Sanction
from controller.core.profile import Burn, BurnTold, Closes, Deal
from controller.core.remedies.situations import Remedy
from controller.profiles import profile, text_of
from controller.profiles.checking import house_in

PUNTO = """\
# A house of ours.
decks = 8
hands_after_cut = 1
cut_card_by = 14
sanctions = ["blame"]

[remedies]
"PBI-01" = ["burn", "void"]
"PBI-09" = "silent"

[decides]
"PBI-07" = "dealer"
"""
BANQUE = """\
game = "banque"
deal = "face_down"
closes = "controller"
burn = "none"
hands_after_cut = 0
fewest_cards = 9
cut_card_by = 9
looks = "banker_first"

[remedies]
"IR-07" = ["min_point"]
"""
TABLE = """\
data = "journals"
[[tables]]
id = "b1"
name = "Baccarat 1"
[tables.shoe]
driver = "line"
port = "/dev/ttyUSB0"
[tables.rules]
profile = "house.toml"
"""


def mistakes(text: str) -> dict[tuple[int | None, str], str]:
    with pytest.raises(ConfigError) as caught:
        house_in("house.toml", text)
    return {(problem.line, problem.key): str(problem) for problem in caught.value.problems}


def test_a_house_of_ones_own_is_read():
    """rules.md 1.6: deck counts, cut card, remedies, sanctions, who decides."""
    house = house_in("house.toml", PUNTO)
    remedies = {"PBI-01": (Remedy.BURN, Remedy.VOID), "PBI-09": (Remedy.SUPERVISOR,)}
    assert (dict(house.remedies), house.sanctions, house.decider("PBI-07")) == (
        remedies,
        (Sanction.BLAME,),
        Post.DEALER,
    )


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "key", "says"),
    [
        (PUNTO, "PBI-09", "PBI-99", 9, "remedies.PBI-99", "the unknown id PBI-99; did you mean PBI-09?"),
        (PUNTO, "PBI-09", "IR-02", 9, "remedies.IR-02", "IR-02, which is of another game; take it out"),
        (PUNTO, '"burn", "void"', '"burn", "vodi"', 8, "remedies.PBI-01[2]", 'did you mean "void"?'),
        (PUNTO, '"burn", "void"', '"min_point"', 8, "remedies.PBI-01[1]", 'write "PBI-01" = ["to_banker"]'),
        (PUNTO, '["burn", "void"]', "[]", 8, "remedies.PBI-01", '"silent" or a list out of "to_banker", "burn"'),
        (PUNTO, '["burn", "void"]', '"burn"', 8, "remedies.PBI-01", 'came "burn"'),
        (PUNTO, '"dealer"', '"deeler"', 12, "decides.PBI-07", '"dealer" or "supervisor"'),
        (PUNTO, "[decides]", "[decided]", 11, "decided", "did you mean decides?"),
        (PUNTO, '"blame"', '"blme"', 5, "sanctions[1]", 'did you mean "blame"?'),
        (PUNTO, "decks = 8", 'looks = "together"', 2, "looks", 'of banque; write game = "banque" if it is for that'),
        (PUNTO, "decks = 8", "optional_cells = '3,9'", 2, "optional_cells", "optional_cells of chemin-de-fer"),
        (PUNTO, "cut_card_by = 14", "cut_card_by = 10", 4, "cut_card_by", "write cut_card_by = 11 or more"),
        (PUNTO, "decks = 8", "fewest_cards = 5", 2, "fewest_cards", "write fewest_cards = 6"),
        (PUNTO, "decks = 8", "deks = 8", 2, "deks", "did you mean decks?"),
        (BANQUE, '"face_down"', '"face_up"', 2, "deal", 'write deal = "face_down"'),
        (BANQUE, '"controller"', '"shoe"', 3, "closes", 'write closes = "controller"'),
        (BANQUE, "cut_card_by = 9", "cut_card_by = 8", 7, "cut_card_by", "write cut_card_by = 9 or more"),
        (BANQUE, "hands_after_cut = 0", "hands_after_cut = 1", 7, "cut_card_by", "write cut_card_by = 17 or more"),
        (BANQUE, "IR-07", "PBI-07", 11, "remedies.PBI-07", "which is of another game"),
        (BANQUE, '"banker_first"', '"banker_last"', 8, "looks", 'did you mean "banker_first"?'),
        (BANQUE, '"none"', "none", 4, "", "write key = value, texts in double quotes"),
    ],
)
def test_a_mistake_is_told_by_line_and_key_with_the_fix(text: str, old: str, new: str, line: int, key: str, says: str):
    """Promised: profiles validated with the line and the fix; rules.md C.4 for the cut card."""
    assert old in text
    found = mistakes(text.replace(old, new))
    assert (line, key) in found, found
    assert says in found[line, key]


def test_a_profile_that_names_no_game_is_told_so_before_it_takes_its_keys_out():
    """A file without the line `game` is read as punto banco; whoever forgot the line must be told of the line."""
    found = mistakes(BANQUE.replace('game = "banque"\n', ""))
    assert any('write game = "banque" if it is for that' in says for says in found.values())
    assert any("or write the game that it is for" in says for says in found.values())


def test_all_mistakes_of_a_profile_are_told_at_once():
    """A person mends a file once, not once a mistake."""
    text = PUNTO.replace("decks = 8", "decks = 99").replace("PBI-09", "PBI-99").replace('"dealer"', '"owner"')
    assert [line for line, _ in mistakes(text)] == [2, 9, 12]


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ('ties = "ride_on"', 'expected "ride" or "return", came "ride_on"'),
        (
            "rake_bp = -1",
            "expected whole basis points from 0 to 10000, of the banker's win, came -1; write rake_bp = 500",
        ),
        ("limited = 3", "expected true or false, came 3"),
        ("rake = 3", "did you mean rake_on?"),
    ],
)
def test_a_mistake_about_the_bank_says_what_is_expected(written: str, says: str):
    """D6, R-FRC-05: the section [bank] is checked like every other."""
    found = mistakes(BANQUE + "[bank]\n" + written)
    assert says in found[13, f"bank.{written.split(maxsplit=1)[0]}"]


def test_terms_of_a_bank_that_contradict_each_other_are_a_mistake():
    """Where the house pays there is no bank to keep."""
    found = mistakes(PUNTO.replace("decks = 8", 'money = "bank"'))
    assert "nobody holds a bank; write money" in found[2, "money"]


@pytest.fixture
def house(tmp_path: Path):
    """Return a function that writes a configuration with a profile beside it and gives its path."""

    def write(own: str, table: str = TABLE) -> Path:
        (tmp_path / "house.toml").write_text(own)
        (tmp_path / "tirage.toml").write_text(table)
        return tmp_path / "tirage.toml"

    return write


def problems(file: Path) -> list[tuple[str, int | None, str, str]]:
    with pytest.raises(ConfigError) as caught:
        load(file)
    return [(Path(one.file).name, one.line, one.key, one.fix) for one in caught.value.problems]


def test_a_configuration_names_a_profile_of_the_house_by_its_path(house):
    """The path is seen from the configuration, which a service reads from another working folder."""
    (table,) = load(house(BANQUE)).tables
    chosen = house_of(table)
    assert (chosen.game.name, chosen.fewest_cards, chosen.deal) == ("banque", 9, Deal.FACE_DOWN)


def test_a_mistake_in_the_named_profile_is_told_by_its_own_line(house):
    """What is to be mended stands there."""
    assert problems(house(BANQUE.replace('"min_point"', '"min"')))[0][:3] == ("house.toml", 11, "remedies.IR-07[1]")


def test_a_profile_that_is_not_there_is_told_by_the_line_that_names_it(house):
    """Promised: one clear sentence each."""
    file = house(BANQUE, TABLE.replace('"house.toml"', '"hose.toml"'))
    assert problems(file)[0][:3] == ("tirage.toml", 9, "tables[1].rules.profile")


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        ('"line"', '"angel-eye"', 6, "tables[1].shoe.driver", 'write driver = "line"'),
        ("[tables.shoe]", 'deal = "face_up"\n[tables.shoe]', 5, "tables[1].deal", 'write deal = "face_down"'),
        ("[tables.shoe]", 'game = "punto-banco"\n[tables.shoe]', 5, "tables[1].game", 'write game = "banque"'),
        ("[tables.rules]", '[tables.rules]\nbets_closed = "operator"', 9, "tables[1].rules.bets_closed", '= "off"'),
        ("[tables.rules]", '[tables.rules]\ncloses = "shoe"', 9, "tables[1].rules.closes", '"controller"'),
        ("[tables.rules]", "[tables.rules]\nfewest_cards = 6", 9, "tables[1].rules.fewest_cards", "= 9"),
        ("[tables.rules]", '[tables.rules]\nbanker_table = "free"', 9, "tables[1].rules.banker_table", "take the key"),
    ],
)
def test_what_a_table_asks_against_its_game_is_told_with_the_fix(house, old, new, line, key, says):
    """The old games need a shoe that tells cards only, dealt face down, and nothing of another game."""
    found = {(at, name): fix for _, at, name, fix in problems(house(BANQUE, TABLE.replace(old, new)))}
    assert says in found[line, key]


@pytest.mark.parametrize("game", ["chemin-de-fer", "banque"])
def test_a_card_only_shoe_dealt_face_down_is_right_for_the_old_games(house, game: str):
    """R-002-12, R-000-01: people decide who takes a card, so no face has to tell it."""
    text = TABLE.replace('[tables.rules]\nprofile = "house.toml"', "").replace(
        "[[tables]]", f'[[tables]]\ngame = "{game}"'
    )
    (table,) = load(house(BANQUE, text)).tables
    chosen = house_of(table)
    assert (chosen.game.name, chosen.deal, chosen.closes) == (game, Deal.FACE_DOWN, Closes.CONTROLLER)


def test_a_table_sets_a_switch_of_its_game_itself(house):
    """rules.md A.4: the optional cells are data."""
    text = TABLE.replace('"house.toml"', '"chemin_tableau"\noptional_cells = "3,9 5,4 4,1 6,-"')
    (table,) = load(house(BANQUE, text)).tables
    assert dict(house_of(table).game.choices)["optional_cells"] == "3,9 5,4 4,1 6,-"


def test_a_cut_card_that_a_table_puts_too_near_the_end_is_refused(house):
    """rules.md C.4: 10 cards pass for no extra hand, not for one."""
    table = TABLE.replace('"line"', '"angel-eye"').replace('"house.toml"', '"fr_2007"\nhands_after_cut = 1')
    ((_, line, key, fix),) = problems(house(PUNTO, table))
    assert (line, key) == (8, "tables[1].rules.cut_card_by")
    assert "write cut_card_by = 11 or more" in fix


def test_a_shoe_that_tells_no_cut_card_and_no_burn_leaves_both_to_the_count(house):
    """rules.md C.4: nobody could tell that the cut card showed; the burn is counted."""
    rules = '"house_reuse"\ncloses = "controller"'
    table = TABLE.replace('"house.toml"', rules).replace("[tables.shoe]", 'deal = "face_up"\n[tables.shoe]')
    (one,) = load(house(PUNTO, table)).tables
    chosen = house_of(one)
    assert (chosen.cut_card_by, chosen.burn, chosen.burn_told) == (0, Burn.FACE_10, BurnTold.COUNT)


def test_a_table_that_keeps_money_has_the_terms_of_its_profile(house):
    """D6, D7: the profile's section on the bank counts although the profile itself keeps none."""
    (table,) = load(house(BANQUE, TABLE.replace('"house.toml"', '"banque_las_vegas"\nmoney = "bank"'))).tables
    terms = house_of(table).money
    assert (terms.money, terms.claims_from.value, terms.rake_bp) == (Money.BANK, "left", 0)
    assert profile("banque_las_vegas").money.money is Money.OFF
    assert "claims_from" in text_of("banque_las_vegas")


CHEMIN = 'game = "chemin-de-fer"\ndeal = "face_down"\ncloses = "controller"\nburn = "none"\nhands_after_cut = 0\n'
FULL = PUNTO.replace("decks = 8", 'money = "full"')
WRONG_BANKS = [
    (PUNTO, 'bets = ["tie", "lucky"]', "bets[2]", 'came "lucky"'),
    (PUNTO, 'bets = ["tie", "dragon7"]', "bets[2]", 'did you mean "dragon-7"?'),
    (PUNTO, "bets = []", "bets", "expected one bet at least, came an empty list"),
    (PUNTO, 'bets = ["player", "banker", "banker-ez", "tie"]', "bets[3]", 'take "banker" or "banker-ez" out'),
    (PUNTO, 'bets = ["tie", "tie"]', "bets[2]", "one bet on the spot tie"),
    (PUNTO, 'holds = "passes"', "holds", 'expected "house" in punto-banco'),
    (PUNTO, 'claims_from = "left"', "claims_from", "take the key out"),
    (PUNTO, 'reopens = ["R-000-13"]', "reopens[1]", "none in this game"),
    (CHEMIN, 'holds = "house"', "holds", 'expected "passes" or "stays" in chemin-de-fer'),
    (CHEMIN, 'holds = "stays"\nplaces = 7', "places", "write places = 8"),
    (CHEMIN, 'bets = ["player"]', "bets", "no bets in chemin-de-fer"),
    (CHEMIN, "a_cheval = true", "a_cheval", "there are no two sides"),
    (BANQUE, 'holds = "passes"', "holds", 'expected "stays" in banque'),
    (BANQUE, 'claims_from = "banker"', "claims_from", 'expected "right" or "left"'),
    (BANQUE, 'claims_from = "up"', "claims_from", 'expected "right" or "left", came "up"'),
    (BANQUE, "places = 7", "places", "expected an even number"),
    (BANQUE, 'reopens = ["R-000-13", "R-000-99"]', "reopens[2]", "out of R-000-13, R-000-18"),
]


@pytest.mark.parametrize("money", ["", "off", "full"])
@pytest.mark.parametrize(("text", "written", "key", "says"), WRONG_BANKS)
def test_d6_d7_d14_a_bank_is_checked_by_its_game_whatever_money_is_kept(text, written, key, says, money):
    """rules.md B.6 D6, D7, D14, C.3: told where the profile is written, by the line of the key itself."""
    head = f'money = "{money}"\n' if money else ""
    whole = f"{head}{text}[bank]\n{written}\n"
    found = mistakes(whole)
    line = whole.rstrip("\n").count("\n") + 1
    assert (line, f"bank.{key}") in found, found
    assert says in found[line, f"bank.{key}"]
    assert len(found) == 1


@pytest.mark.parametrize("money", ["", 'money = "full"\n'])
@pytest.mark.parametrize(("text", "written", "key", "says"), WRONG_BANKS)
def test_a_configuration_finds_in_a_profile_what_its_own_check_finds(house, text, written, key, says, money):
    """Promised: one check; the line is that of the profile, where it is to be mended."""
    own = f"{text}[bank]\n{written}\n"
    line = own.rstrip("\n").count("\n") + 1
    (told,) = problems(house(own, TABLE + money))
    assert told[:3] == ("house.toml", line, f"bank.{key}")


@pytest.mark.parametrize("name", ["house_burn", "fr_2007"])
def test_a_table_that_keeps_a_bank_where_the_house_pays_is_told_by_its_own_line(house, name):
    """Where the house pays there is no bank to keep; the word stands in the configuration."""
    table = TABLE.replace('"house.toml"', f'"{name}"\nmoney = "bank"\ncloses = "controller"')
    ((file, line, key, fix),) = problems(house(PUNTO, table))
    assert (file, line, key) == ("tirage.toml", 10, "tables[1].rules.money")
    assert 'write money = "full"' in fix


@pytest.mark.parametrize("text", ["", "\n\n", "# A house of ours.\n", "\ufeff"])
def test_a_profile_without_a_key_is_a_mistake_that_says_what_is_needed(text: str):
    """An empty file is a file that was not written to its end, not a house."""
    (said,) = mistakes(text.removeprefix("\ufeff")).values()
    assert '"punto-banco", "chemin-de-fer", "banque"' in said
    assert 'write game = "punto-banco" at least' in said


def test_a_profile_that_begins_with_a_byte_order_mark_is_read(house):
    """Some editors begin UTF-8 with one; lines are counted as without it."""
    file = house("\ufeff" + BANQUE, "\ufeff" + TABLE)
    assert (file.parent / "house.toml").read_bytes().startswith(b"\xef\xbb\xbf")
    assert house_of(load(file).tables[0]).game.name == "banque"
    file = house("\ufeff" + BANQUE.replace('"banque"', '"bank"'))
    assert problems(file)[0][:3] == ("house.toml", 1, "game")
