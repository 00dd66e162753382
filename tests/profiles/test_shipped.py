"""The profiles that ship: what each text says, its source on every line, no name without its right to it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest

from controller.core.games.making import READERS
from controller.core.inputs import Post, Sanction
from controller.core.profile import Burn, Closes, Deal, House
from controller.core.remedies.situations import Remedy
from controller.profiles import names, profile, text_of, usual
from controller.profiles.checking import contradictions, shallow_cut

# Places that have a law of their own on these games; rules.md E: of most of them no text was obtained.
OF_PLACES = [name for name in names() if re.search(r"(?:^|_)(?:fr|las_vegas)(?:_|$)", name)]
NOT_OBTAINED = (
    *("pennsylvania", "new_jersey", "massachusetts", "victoria", "nsw", "queensland", "perth", "nevada", "macau"),
    *("pa", "nj", "ma", "ny", "md", "uk", "sg", "nz", "monaco", "us"),
)
LINE = re.compile(r'^"?([\w-]+)"? = (?:"[^"]*"|[^#"]|"")*?\s*# (.+)$', re.MULTILINE)
# rules.md C.4 and B.6 D8, D9: decks, cut card from the end, hands after it, fewest cards, burn.
C4 = {
    "fr_2007": (6, 10, 0, 6, Burn.FACE_10),
    "house_burn": (8, 14, 1, 6, Burn.FACE_10),
    "house_reuse": (8, 14, 1, 6, Burn.FACE_10),
    "chemin_fr": (6, 7, 0, 7, Burn.NONE),
    "chemin_free": (6, 7, 0, 7, Burn.NONE),
    "chemin_tableau": (6, 7, 0, 7, Burn.NONE),
    "chemin_tableau_no_option": (6, 7, 0, 7, Burn.NONE),
    "banque_foster": (6, 10, 0, 10, Burn.NONE),
    "banque_las_vegas": (8, 10, 0, 10, Burn.NONE),
    "banque_fr": (3, 10, 0, 10, Burn.NONE),
}
# rules.md C.5 column FR: b burn, v void, m move, d draw now, c correct, - silent.
FR = {1: "bv", 2: "bv", 3: "bv", 4: "mv", 5: "dv", 6: "m", 8: "bv", 11: "c", 20: "v"}
WORDS = {"b": Remedy.BURN, "v": Remedy.VOID, "m": Remedy.MOVE, "d": Remedy.DRAW_NOW, "c": Remedy.CORRECT}
SILENT = (Remedy.SUPERVISOR,)


def written(name: str) -> dict[str, str]:
    """Each key of a profile and what its line says of it, read without the code under test."""
    return dict(LINE.findall(text_of(name)))


def keys(said: dict) -> set[str]:
    return {key for name, value in said.items() for key in (value if isinstance(value, dict) else [name])}


@pytest.mark.parametrize("name", names())
def test_every_value_of_a_profile_has_its_source_on_its_line(name: str):
    """rules.md 1.6, B.6: each disagreement is a key with its source."""
    assert keys(tomllib.loads(text_of(name))) == set(written(name))


@pytest.mark.parametrize("name", names())
def test_every_profile_chooses_everything(name: str):
    """rules.md C.4: a profile leaves nothing to a default that could change under it."""
    said = tomllib.loads(text_of(name))
    chosen = set(House.__dataclass_fields__) - {"burn_told", "decides"} | set(READERS[said["game"]])
    assert chosen <= set(said)
    assert set(said["remedies"]) == set(profile(name).situations)


@pytest.mark.parametrize("name", OF_PLACES)
def test_under_the_name_of_a_place_each_row_is_of_its_text_or_silent(name: str):
    """rules.md 1.6: under a jurisdiction's name only what was read in full; a silent text is said to be so."""
    for key, source in written(name).items():
        assert source.startswith("[V ") or "silent" in source, (key, source)
    for line in text_of(name).splitlines():
        assert '= "silent"' not in line or "[V" not in line, line


def test_the_profiles_that_name_a_place_are_known():
    """So that the test above cannot be empty, nor miss one."""
    assert set(OF_PLACES) == {"fr_2007", "chemin_fr", "banque_fr", "banque_las_vegas"}


@pytest.mark.parametrize("name", names())
def test_no_profile_has_the_name_of_a_place_whose_text_was_not_obtained(name: str):
    """rules.md E."""
    assert not set(name.split("_")) & set(NOT_OBTAINED)
    assert not any(place in name for place in NOT_OBTAINED if len(place) > 3)


@pytest.mark.parametrize("name", names())
def test_decks_cut_card_and_burn_are_as_the_table_of_profiles_has_them(name: str):
    """rules.md C.4; D8, D9."""
    house = profile(name)
    told = (house.decks, house.cut_card_by, house.hands_after_cut, house.fewest_cards, house.burn)
    assert told == C4[name]


@pytest.mark.parametrize("name", names())
def test_no_profile_lets_a_shoe_run_dry(name: str):
    """rules.md C.4, safety invariant: 6 for each full coup still allowed and 5; 9 with three hands."""
    house = profile(name)
    most = {"punto-banco": 6, "chemin-de-fer": 6, "banque": 9}[house.game.name]
    assert house.cut_card_by >= most * house.hands_after_cut + most - (most == 6)
    assert house.fewest_cards >= most
    assert [*contradictions(house), *shallow_cut(house)] == []


@pytest.mark.parametrize("number", [*range(1, 16), 17, 18, 20])
def test_the_french_remedies_are_those_of_the_decree_and_else_silent(number: int):
    """rules.md C.5, column FR: by analogy, not mentioned, n/a and - are silent."""
    house = profile("fr_2007")
    wanted = tuple(WORDS[letter] for letter in FR.get(number, "")) or SILENT
    assert house.allowed(house.situations[f"PBI-{number:02}"]) == wanted


def test_house_burn_is_house_reuse_with_no_card_used_again():
    """rules.md 1.6: TO_BANKER3 and NEXT read as BURN; nothing else differs."""
    burn, reuse = profile("house_burn"), profile("house_reuse")
    assert replace(burn, remedies=()) == replace(reuse, remedies=())
    kept = {Remedy.TO_BANKER, Remedy.NEXT}
    read = {ident: tuple(dict.fromkeys(Remedy.BURN if one in kept else one for one in remedies))
            for ident, remedies in reuse.remedies}  # fmt: skip
    assert dict(burn.remedies) == read
    assert dict(reuse.remedies)["PBI-01"] == (Remedy.TO_BANKER, Remedy.BURN, Remedy.NEXT)


@pytest.mark.parametrize("name", [name for name in names() if profile(name).game.asks_taker])
def test_the_old_games_are_dealt_face_down_and_closed_by_the_croupier(name: str):
    """R-002-12, R-000-01, R-004-07; R-002-28, R-000-41."""
    house = profile(name)
    assert (house.deal, house.closes, house.burn) == (Deal.FACE_DOWN, Closes.CONTROLLER, Burn.NONE)


@pytest.mark.parametrize(
    ("name", "sanctions"),
    [
        ("chemin_free", {"blame", "liable", "fine"}),
        ("banque_foster", {"fine"}),
        ("banque_las_vegas", {"liable"}),
        ("chemin_fr", {"no_hold"}),
        ("banque_fr", {"no_hold"}),
    ],
)
def test_sanctions_are_those_of_the_text(name: str, sanctions: set[str]):
    """rules.md D12: R-002-25, R-000-58, R-004-18; R-FRC-06 forbids every money penalty."""
    assert set(profile(name).sanctions) == {Sanction(one) for one in sanctions}


def test_a_table_without_a_profile_has_its_games_usual_one():
    """rules.md A.4, B.5: the proposed defaults."""
    assert [usual(game) for game in ("punto-banco", "chemin-de-fer", "banque")] == [
        House(),
        profile("chemin_tableau"),
        profile("banque_foster"),
    ]


def test_a_supervisor_decides_unless_the_profile_says_a_dealer():
    """rules.md 1.6; R-FRC-07: the croupier puts errors right."""
    house = profile("chemin_free")
    assert [house.decider(ident) for ident in ("IR-04", "IR-05", "IR-99")] == [
        *(Post.DEALER, Post.SUPERVISOR, Post.SUPERVISOR)
    ]
