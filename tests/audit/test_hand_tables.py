"""What a hand table may look like, and what becomes of rows that are not as they should be."""

from __future__ import annotations

import pytest

ONE = "player,banker\n2H 4D,3S 4C\n"


def test_cards_are_read_in_every_kinder_spelling(audit):
    """design.md section 6, Cards."""
    done = audit("--json", table='player,banker\n10s kh,"as, 2H, K?"\nT 9,10 8\n3d  Qc , 4♠ 5c\n')
    assert (done.hands[0]["player"], done.hands[0]["banker"]) == (["TS", "KH"], ["AS", "2H", "K?"])
    assert (done.hands[1]["player"], done.hands[1]["banker"]) == (["0", "9"], ["0", "8"])
    assert done.notes[0]["row"] == 4
    assert "4♠" in done.notes[0]["error"]


WORDS = {
    "Player": "player", "PUNTO wins": "player", "p": "player", "banker, with 6": "banker", "Banco": "banker",
    "B": "banker", "Tie (8:1)": "tie", "egalite": "tie", "T": "tie", "it's a tie": "unknown", "?": "unknown",
    "": None, "  ": None,
}  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
def test_a_result_is_read_by_its_first_word_in_any_case(text, audit):
    """design.md section 6, hand tables."""
    done = audit("--json", table=f'player,banker,result\n2H 4D,2S 4C,"{text}"\n')
    assert done.hands[0]["recorded"] == WORDS[text]


def test_more_words_for_results_can_be_given(audit):
    """design.md section 6, --results."""
    table = "player,banker,result\n2H 4D,2S 4C,It's a tie\n2H 4D,3S 4C,Haus\n"
    done = audit("--json", "--results", "it's=tie,haus=banker", table=table)
    assert [hand["recorded"] for hand in done.hands] == ["tie", "banker"]


@pytest.mark.parametrize(
    "options",
    [
        ("--columns", "players=player"),
        ("--columns", "player=spieler"),
        ("--columns", "result=winner"),
        ("--columns", "player"),
        ("--columns", "player="),
        ("--results", "it's=draw"),
        ("--decks", "0"),
        ("--decks", "many"),
        ("--decks", "17"),
        ("--unattended", "perhaps"),
        ("--csv", "/no/such/folder/out.csv"),
        ("--report", "/no/such/folder/out.html"),
    ],
)
def test_what_was_asked_wrongly_is_usage(options, audit):
    """design.md section 6: exit code 2, nothing on stdout."""
    done = audit("--json", *options, table=ONE)
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("options", [(), ("--columns", "player=punto"), ("--columns", "player=spieler,shoe=no")])
def test_a_column_that_is_not_there_is_told_with_those_that_are(options, audit):
    """design.md section 6: unknown or absent columns."""
    done = audit(*options, table="spieler,bank\n2H 4D,3S 4C\n")
    assert done.code == 2
    assert "columns present: spieler, bank" in done.err


def test_columns_can_be_mapped(audit):
    """design.md section 6, --columns."""
    table = "Game;P;B;Won\n12;2 4;3 4;banker\n"
    done = audit("--json", "--columns", "player=P,banker=B", "--columns", "hand=game,result=Won", table=table)
    assert (done.hands[0]["hand"], done.hands[0]["recorded"], done.code) == (12, "banker", 0)


def test_hands_without_a_number_count_from_one_in_their_shoe(audit):
    """design.md section 6: the place in its shoe; a row without cards takes none, an unreadable one does."""
    rows = ["a,2 4,3 4", "b,2 4,3 4", ",2 4,3 4", "a,,", "a,x,3 4", "a,2 4,3 4", "1,2 4,3 4"]
    done = audit("--json", table="shoe,player,banker\n" + "\n".join(rows))
    assert [(hand["shoe"], hand["hand"]) for hand in done.hands] == [("a", 1), ("b", 1), ("1", 1), ("a", 3), ("1", 2)]


DIRTY = "shoe,hand,player,banker\n1,1,2 4,3 4\n1,2,,\n1,1,2 4,3 4\n\n1,4,2 4,3 x\n1,five,2 4,3 4\n1,6\n"


def test_dirty_rows_are_counted_and_leave_the_exit_code_alone(audit):
    """design.md section 6: skipped, repeated, unreadable. Rows count from the header, empty lines too."""
    done = audit("--json", table=DIRTY)
    assert {key: done.summary[key] for key in ("hands", "skipped", "repeated", "unreadable")} == {
        "hands": 2, "skipped": 2, "repeated": 1, "unreadable": 2,
    }  # fmt: skip
    assert [note["row"] for note in done.notes] == [6, 7]
    assert done.code == 0


@pytest.mark.parametrize("row", ["1,2,,", "1,1,2 4,3 4", "1,2,2 4,y"])
def test_strict_makes_a_dirty_row_exit_3(row, audit):
    """design.md section 6, --strict."""
    table = f"shoe,hand,player,banker\n1,1,2 4,3 4\n{row}\n"
    assert audit("--strict", table=table).code == 3
    assert audit(table=table).code == 0


def test_strict_leaves_a_clean_table_clean_and_an_irregular_one_irregular(audit):
    assert audit("--strict", table=ONE).code == 0
    assert audit("--strict", table="player,banker\n2H 3D,3S 4C\n").code == 1


def test_a_total_that_the_cards_do_not_make_is_a_finding_and_the_hand_is_judged_by_its_cards(audit):
    """docs/interfaces.md, total-mismatch: a row that denies its own cards is not clean."""
    table = "player,banker,player_total,banker_total\n2H 3D,3S 4C,6,7\n2H 4D,3S 4C,6,\n2H 4D,3S 4C,6,8\n"
    done = audit("--json", table=table)
    assert [[(kind, seat) for kind, seat, _ in hand] for hand in done.wrong] == [
        [("player-missed-draw", "player"), ("total-mismatch", "player")], [], [("total-mismatch", "banker")],
    ]  # fmt: skip
    assert (done.code, done.notes, done.summary["unreadable"]) == (1, [], 0)
    said = audit(table=table).out
    assert "total-mismatch, player: a stated point is not that of the cards" in said


CLOSED_WORDS = {"player_total": "six", "banker_total": "10", "player_pair": "perhaps", "void": "maybe"}


@pytest.mark.parametrize("column", CLOSED_WORDS)
def test_a_cell_whose_words_are_a_closed_list_is_unreadable_with_any_other(column, audit):
    """design.md section 6: an unreadable cell is told with its row, not judged, and counted; it is never a no."""
    done = audit("--json", table=f"player,banker,{column}\n2H 4D,3S 4C,{CLOSED_WORDS[column]}\n2H 4D,3S 4C,\n")
    assert [note["row"] for note in done.notes] == [2]
    assert done.notes[0]["error"].startswith(f"{column}: expected ")
    assert (done.code, len(done.hands), done.summary["unreadable"]) == (0, 1, 1)


def test_a_table_of_which_no_row_can_be_read_is_not_clean(audit):
    """design.md section 6: 3 is unreadable, and that holds for a table of which nothing was judged."""
    done = audit("--json", table="player,banker\n2X 4D,3S 4C\n2H 4D,x\n")
    assert (done.code, [note["row"] for note in done.notes], done.summary["unreadable"]) == (3, [2, 3], 2)
    assert "no row can be read; row 2: player: " in done.err


def test_a_byte_that_is_no_utf_8_in_a_cell_that_is_wanted_is_told_with_its_place(audit):
    """design.md section 6: 3 is unreadable; a result in an old encoding must not pass for an unknown word."""
    table = "player,banker,result\n2H 4D,3S 4C,banker\n2H 4D,3S 4C,égalité\n".encode("latin-1")
    done = audit("--json", table=table)
    assert (done.code, len(done.hands)) == (3, 1)
    assert "hands.csv: line 3, column 13: expected text in UTF-8, got the byte 0xe9; save the file as UTF-8" in done.err
    assert audit(table=table.decode("latin-1").encode()).code == 1


CUT = ["2H 4D", '2H 4D,"3S 4C', "2H 4D,3S", "2H 4D,3S x", "2H 4D,"]


@pytest.mark.parametrize("row", CUT)
def test_a_table_that_ends_inside_a_row_is_cut_and_nothing_is_made_up_of_it(row, audit):
    """design.md section 6: 3 is cut in mid-record."""
    done = audit("--json", table=f"player,banker\n2H 4D,3S 4C\n{row}")
    assert (done.code, len(done.hands), done.notes) == (3, 1, [])
    assert "row 3: the table ends inside this row" in done.err
    assert audit("--json", table=f"player,banker\n2H 4D,3S 4C\n{row}\n").code in (0, 1)


def test_a_last_row_may_lack_its_line_end(audit):
    assert audit("--json", table="player,banker,result\n2H 4D,3S 4C,banker").code == 0
    assert audit("--json", table="player,banker,result\n2H 4D,3S 4C,ban").code == 3


def test_results_in_words_that_nobody_knows_are_warned_of(audit):
    """design.md section 6: an unknown result is no mismatch, so it is said that nothing was held against it."""
    done = audit("--json", table="player,banker,result\n2H 4D,3S 4C,haus\n2H 4D,3S 4C,unknown\n")
    assert (done.code, [hand["recorded"] for hand in done.hands]) == (0, ["unknown", "unknown"])
    assert "warning: " in done.err
    assert "words that are not known, held against nothing: 'haus'; add --results WORD=SIDE" in done.err


def test_rows_of_another_game_are_told_as_such(audit):
    """An export has the columns of every game: a row with the cards of another one is no incomplete hand."""
    head = "player,banker,right,left,result"
    done = audit("--json", table=f"{head}\n2H 4D,3S 4C,,,\n,3S 4C,2H 4D,5H 2D,\n,,,,\n")
    assert (len(done.hands), done.code, done.summary["skipped"]) == (1, 0, 1)
    assert done.notes == [
        {"row": 3, "error": "the cards lie in the column right, which is banque, and not in those of punto-banco: "
                            "add --game banque"},
    ]  # fmt: skip
    assert audit(table=f"{head}\n,3S 4C,2H 4D,5H 2D,\n").code == 3


@pytest.mark.parametrize(
    "table",
    [
        b"\xef\xbb\xbfplayer,banker\r\n2 4,3 4\r\n",
        b"player\tbanker\n2 4\t3 4\n",
        b'"Player" , BANKER\n"2 4",3 4',
        b"name,player,banker\nM\xfcller,2 4,3 4\n",
        b"player,banker,notes\n2 4,3 4\n",
    ],
)
def test_tables_as_other_programs_write_them_are_read(table, audit):
    """A byte order mark, tabs, capitals, an old encoding in a column that nobody asks for, a short row."""
    done = audit("--json", table=table)
    assert (done.code, done.hands[0]["player"], done.summary["unreadable"]) == (0, ["2", "4"], 0)


def test_an_empty_table_cannot_be_read(audit):
    done = audit(table="")
    assert (done.code, "hands.csv: the hand table is empty" in done.err) == (3, True)


def test_a_file_that_is_not_there_cannot_be_read(audit, tmp_path):
    done = audit(tmp_path / "nowhere.csv")
    assert (done.code, "No such file" in done.err) == (3, True)


def test_stdin_is_read_when_its_format_is_named(audit):
    """design.md section 6: `-` with --format."""
    assert audit("-", "--format", "csv", "--json", stdin=ONE.encode()).summary["hands"] == 1
    assert audit("-", "--json", stdin=ONE.encode()).code == 2


def test_a_table_is_known_by_its_content_where_the_name_says_nothing(audit, tmp_path):
    path = tmp_path / "hands"
    path.write_text(ONE)
    assert audit("--json", path).summary["hands"] == 1


def test_several_files_have_one_summary_and_the_severest_exit_code(audit, tmp_path):
    """design.md section 6: the higher in the list wins; numbers of one file do not repeat those of another."""
    clean, irregular = tmp_path / "clean.csv", tmp_path / "irregular.csv"
    clean.write_text(ONE)
    irregular.write_text("player,banker\n2H 3D,3S 4C\n")
    done = audit("--json", clean, irregular)
    assert (done.code, done.summary["hands"], done.summary["repeated"]) == (1, 2, 0)
    assert audit("--json", tmp_path / "gone.csv", irregular).code == 3


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-16-le"])
def test_a_table_in_utf_16_is_told_to_be_saved_as_utf_8(codec, audit):
    """design.md section 6: 3 is unreadable; nothing of it reaches the terminal."""
    done = audit("--json", table=ONE.encode(codec))
    assert (done.code, done.summary["hands"], len(done.lines)) == (3, 0, 1)
    assert "save as UTF-8" in done.err
    assert done.err.rstrip("\n").isprintable()


def test_a_header_with_bytes_that_steer_a_terminal_is_shown_without_them(audit):
    done = audit(table="player\x1b[2J,banker\n2 4,3 4\n")
    assert done.code == 2
    assert "\x1b" not in done.err


def test_a_utf_16_table_without_a_suffix_is_known_as_a_table(audit, tmp_path):
    path = tmp_path / "hands"
    path.write_bytes(ONE.encode("utf-16"))
    assert "save as UTF-8" in audit(path).err


STRAY = {
    '2 4,3 4,"open': "a quote that is not closed",
    'x"y,"2 4,3 4': "a quote that is not closed",
    '2 4,3 4,"' + "x" * 200_000 + '"': "got a longer one",
    "2 4,3 4,good,more": "expected at most 3 cells, as the header has, got 4",
}


@pytest.mark.parametrize("row", STRAY, ids=range(len(STRAY)))
def test_a_row_out_of_shape_spoils_itself_and_not_the_next(row, audit):
    """design.md section 6: an unreadable row is told with its number; it takes a place in its shoe."""
    done = audit("--json", table=f'player,banker,note\n{row}\n2 4,3 4,"a, b"\n2 4,3 4,5" card\n')
    assert [note["row"] for note in done.notes] == [2]
    assert STRAY[row] in done.notes[0]["error"]
    assert [hand["hand"] for hand in done.hands] == [2, 3]


def test_blank_cells_past_the_header_are_let_through(audit):
    """Spreadsheets write separators for columns that are empty."""
    done = audit("--json", table="player,banker\n2 4,3 4,, \n")
    assert (len(done.hands), done.notes) == (1, [])


@pytest.mark.parametrize("number", ["-1", "1.5", "1_0", "+2", "two", "\u0663", "9" * 5_000])
def test_a_hand_has_a_whole_number(number, audit):
    """design.md section 6: `hand` is an integer."""
    done = audit("--json", table=f"hand,player,banker\n{number},2 4,3 4\n0,2 4,3 4\n")
    assert [note["row"] for note in done.notes] == [2]
    assert done.notes[0]["error"].startswith("hand: expected a whole number from 0")
    assert [hand["hand"] for hand in done.hands] == [0]


def test_a_column_that_is_wanted_and_there_twice_is_usage(audit):
    """design.md section 6, columns: which of the two was meant cannot be known; others may be there twice."""
    assert audit("--json", table="note,note,player,banker\na,b,2 4,3 4\n").code == 0
    done = audit("--json", table="player,banker,Banker\n2 4,3 4,3 5\n")
    assert (done.code, done.out) == (2, "")
    assert "more than one column banker" in done.err


def test_words_for_results_without_a_column_of_results_are_warned_of(audit):
    done = audit("--json", "--results", "haus=banker", table=ONE)
    assert done.code == 0
    assert "--results is not used" in done.err
    assert audit("--results", "haus=banker", table="player,banker,result\n2H 4D,3S 4C,Haus\n").err == ""


@pytest.mark.parametrize("option", ["--csv", "--report"])
def test_an_output_that_is_an_input_is_refused_and_left_as_it_is(option, audit, tmp_path):
    """design.md section 6: 2 is usage. A link to the file, a folder that is read, and stdin are inputs too."""
    path, link = tmp_path / "in.csv", tmp_path / "link.csv"
    path.write_text(ONE)
    link.hardlink_to(path)
    for out, source in ((path, path), (link, path), (path, tmp_path)):
        done = audit(option, out, source)
        assert (done.code, done.out) == (2, "")
        assert "would overwrite the input" in done.err
    assert path.read_text() == ONE


def test_two_outputs_are_two_files(audit, tmp_path):
    done = audit("--csv", tmp_path / "out", "--report", tmp_path / "." / "out", table=ONE)
    assert (done.code, "name the same file" in done.err) == (2, True)
