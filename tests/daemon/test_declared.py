"""What a shoe says that it can, against what its table relies on: the real daemon, the reference firmware."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.config import ConfigError, chosen_for, house_of, load
from controller.core.profile import BurnTold
from tests.daemon.daemon import Stream, run, until
from tests.daemon.test_tirage_shoe import incident
from tests.daemon.tirage_table import config, tirage
from tests.firmware.conftest import built  # noqa: F401 - a fixture
from tests.firmware.peer import Firmware
from tests.sampling import sampled

PLAIN = 'level = "plain"'


@dataclass(frozen=True)
class Lack:
    """A shoe that lacks something: how it is started, what the pages and the log say, and the word for the house."""

    shoe: str
    says: str
    why: str
    word: str


LACKS = {
    "results": Lack("--no-results", "The shoe has no result buttons", "no-results", "results"),
    "burn": Lack("--no-burn", "The shoe knows no burn cards", "no-burn", "burn"),
    "cut-card": Lack("--no-cut-card", "The shoe does not see the cut card", "no-cut-card", "cut-card"),
}


def told_to_the_house(path: Path, word: str) -> Path:
    """The same configuration, with what the shoe lacks written down, and hands closed without its buttons."""
    text = path.read_text().replace(PLAIN, f'{PLAIN}\nwithout = ["{word}"]')
    path.write_text(text + ('\ncloses = "controller"' if word == "results" else ""))
    return path


@pytest.mark.parametrize("name", sampled(LACKS, quick=["results"]))
def test_a_shoe_that_lacks_what_its_table_relies_on_is_turned_away_with_the_reason(
    built,  # noqa: F811
    tmp_path: Path,
    name: str,
):
    """SPEC.md 3, capabilities: said at link-up on the pages, in the log, by doctor; and served once the house knows."""
    lack = LACKS[name]
    live = 'tirage_link_live{table="b1"}'
    with Firmware(built("shoe"), tmp_path, lack.shoe) as firmware:
        path = config(tmp_path, firmware.port, PLAIN)
        with run("--config", path) as daemon:
            pit = Stream(daemon, "pit")
            pit.shows("tiles", lack.says)
            assert "NOT LIVE" in pit.parts["tiles"]
            assert daemon.metrics()[live] == 0
            daemon.end()
            assert daemon.logged("link lost")["why"] == lack.why
        assert incident(tmp_path, "shoe-turned-away")
        found = tirage("doctor", "--seconds", "4", "--config", path)
        assert found.returncode == 5
        assert "What to do: the shoe says that it " in found.stdout
        assert f'write without = ["{lack.word}"] in [tables.shoe]' in found.stdout
        with run("--config", told_to_the_house(path, lack.word)) as daemon:
            until(lambda: daemon.metrics()[live] == 1)
            daemon.end()


def test_what_a_shoe_lacks_changes_how_its_table_is_judged(tmp_path: Path):
    """As at a line shoe, which lacks all three: burns are counted, the cut card is not watched."""
    table = load(told_to_the_house(config(tmp_path, "/dev/ttyACM0", PLAIN), "burn")).tables[0]
    assert (house_of(table).burn_told, house_of(table).cut_card_by) == (BurnTold.COUNT, 14)
    read = load(told_to_the_house(config(tmp_path, "/dev/ttyACM0", PLAIN), "cut-card"))
    assert (house_of(read.tables[0]).burn_told, house_of(read.tables[0]).cut_card_by) == (BurnTold.SHOE, 0)
    assert chosen_for(read, read.tables[0]).relies_on == {"announces_result", "reports_burn"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (PLAIN, f'{PLAIN}\nwithout = ["results"]', 'write closes = "controller"'),
        (PLAIN, f'{PLAIN}\nwithout = ["lock"]', 'a list out of "results", "burn", "cut-card"'),
        ('driver = "tirage"', 'driver = "angel-eye"\nwithout = ["burn"]', "what this shoe tells is known"),
    ],
)
def test_what_is_written_about_a_shoe_is_checked(tmp_path: Path, old: str, new: str, says: str):
    """design, section 6: 78, before anything is opened."""
    path = config(tmp_path, "/dev/ttyACM0", PLAIN)
    text = path.read_text().replace(old, new)
    path.write_text(text.replace(PLAIN, "") if "angel-eye" in new else text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert says in "\n".join(map(str, caught.value.problems))
