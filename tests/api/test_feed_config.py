"""Section [[feeds]] of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, load

TABLE = """data = "journals"
[[tables]]
id = "b1"
name = "Baccarat 1"
shoe = { driver = "angel-eye", port = "/dev/ttyUSB1", mode = "open" }
"""
FEED = '[[feeds]]\nname = "tv"\ntoken = "of-the-television"\n'


def loaded(folder: Path, feeds: str):
    path = folder / "tirage.toml"
    path.write_text(TABLE + feeds)
    return load(path).feeds


def test_a_feed_has_a_name_a_token_its_tables_and_its_delay(tmp_path: Path):
    (feed,) = loaded(tmp_path, FEED + 'tables = ["b1"]\ndelay_s = 300\n')
    assert (feed.name, feed.token, feed.tables, feed.delay_s) == ("tv", "of-the-television", ("b1",), 300)
    assert "television" not in repr(feed)


@pytest.mark.parametrize(
    ("feeds", "said"),
    [
        (FEED + 'tables = ["b9"]\n', 'tables: expected tables of this configuration, came "b9"'),
        (FEED + FEED, 'name: expected a name of its own, came "tv" again'),
        (FEED + "delay_s = 3601\n", "delay_s: expected seconds from 0 to 3600"),
        (FEED.replace("of-the-television", "short"), "token: expected a secret of 16 characters or more"),
    ],
)
def test_a_feed_that_cannot_be_is_told_with_its_key(tmp_path: Path, feeds: str, said: str):
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, feeds)
    assert said in str(caught.value)
    assert "short" not in str(caught.value).replace("of-the-television", "")
