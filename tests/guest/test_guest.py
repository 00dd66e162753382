"""The last rung: a real kernel's USB, udev and systemd, with the unit and the rules as they are shipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.daemon.dealing import script
from tests.daemon.tirage_table import lost, told
from tests.daemon.tirage_table import script as script_lines
from tests.daemon.told import nothing_is_doubled_and_every_gap_is_told
from tests.guest.installed import TABLE, Table, copied, facts, install, records, when
from tests.guest.machine import Guest
from tests.guest.shoes import DEPLOY, DROP_INS, Adapter, Gadget, Reference, Shoe, Usbfs

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

LOSS_S, BACK_S = 1.0, 2.0  # trust.md T5 and T6, of the guest's own time
OPENING = 11  # signals of the shoe with seed 5 before its first hand
SIGNALS = script(5, "hidden", shoes=1, hands=1)


@pytest.fixture(params=[Gadget, Adapter])
def shoe(guest: Guest, request: pytest.FixtureRequest) -> Iterator[Shoe]:
    """A shoe that is plugged in and has its name."""
    made: Shoe = request.param(guest)
    made.plug()
    made.is_back()
    yield made
    made.unplug()


only_gadget = pytest.mark.parametrize("shoe", [Gadget], indirect=True)


def now(guest: Guest) -> float:
    """The guest's monotonic seconds."""
    return float(guest.do("read -r up _ </proc/uptime; echo $up"))


def test_a_shoe_keeps_its_name_when_the_kernel_numbers_it_anew(guest: Guest, shoe: Shoe):
    """faults.md B 2: a file still open on the dead device gives the next one another number."""
    first = guest.do(f"exec 6<{shoe.port}; readlink -f {shoe.port}")
    shoe.unplug()
    guest.until(f"[ ! -e {shoe.port} ]")
    shoe.plug()
    shoe.is_back()
    second = guest.do(f"exec 6>&-; readlink -f {shoe.port}")
    assert (first, second) == (f"/dev/{shoe.node}0", f"/dev/{shoe.node}1")


def test_modem_manager_leaves_a_shoe_alone_and_the_service_may_open_it(guest: Guest, shoe: Shoe):
    """faults.md B 7: the properties that ModemManager's own rules ask for; the group of the unit."""
    assert "ID_MM_PORT_IGNORE=1" in guest.do(f"udevadm info -q property {shoe.port}").splitlines()
    assert guest.do(f"stat -Lc '%G %a' {shoe.port}") == "dialout 660"


@pytest.mark.parametrize("shoe", [Adapter], indirect=True)
def test_an_ftdi_adapter_keeps_no_bytes_back_and_is_no_modem_as_a_whole(guest: Guest, shoe: Shoe):
    """hardware-tests.md 1.1: 16 ms, unless the rule sets 1; faults.md B 7."""
    node = guest.do(f"basename $(readlink -f {shoe.port})")
    assert guest.do(f"cat /sys/bus/usb-serial/devices/{node}/latency_timer") == "1"
    whole = guest.do(f"udevadm info -q property -p $(readlink -f /sys/class/tty/{node}/device/../..)")
    assert "ID_MM_DEVICE_IGNORE=1" in whole.splitlines()


@pytest.mark.parametrize("shoe", [Gadget, Adapter, Usbfs], indirect=True)
def test_a_shoe_pulled_out_in_mid_hand_is_told_and_back_by_itself(guest: Guest, shoe: Shoe, tmp_path: Path):
    """trust.md T5 and T6, faults.md B 1: no card lost or doubled, and a card dealt meanwhile is told missing."""
    table = Table(guest, shoe)
    table.start()
    shoe.say(*SIGNALS[: OPENING + 2])
    table.has_shown(2)
    pulled = now(guest)
    shoe.unplug()
    table.has_recorded('"kind":"link_lost"')
    shoe.plug()
    back = shoe.is_back()
    table.reads()
    shoe.say(SIGNALS[OPENING + 2])
    table.has_shown(3)
    shoe.unplug()
    shoe.say_to_nobody(SIGNALS[OPENING + 3])
    table.has_recorded("link_lost", 4)
    shoe.plug()
    shoe.is_back()
    table.reads()
    shoe.say(*SIGNALS[OPENING + 4 :])
    table.has_recorded('"fact":"LinkFault"')
    table.stop()
    folder = copied(guest, tmp_path)
    lost, opened = when(folder, "link_lost")[0], when(folder, "link_opened")[1]
    print(f"lost told {lost - pulled:.2f} s after the pull, open {opened - back:.2f} s after udev saw it")
    assert lost - pulled < LOSS_S
    assert opened - back < BACK_S
    assert nothing_is_doubled_and_every_gap_is_told(folder, SIGNALS) == len(SIGNALS) - 1


def test_a_shoe_that_can_be_asked_again_loses_no_card_when_it_is_pulled_out(guest: Guest, tmp_path: Path):
    """trust.md T6 with the open protocol: what was dealt while the plug was out is asked for and told once."""
    shoe, dealt = Reference(guest), script_lines(5, 2)
    shoe.plug()
    shoe.is_back()
    table = Table(guest, shoe)
    table.start()
    table.is_live()
    shoe.play(*dealt[: OPENING + 2])
    table.has_shown(2)
    pulled = now(guest)
    shoe.unplug()
    shoe.play(*dealt[OPENING + 2 : OPENING + 4])
    table.has_recorded('"kind":"link_lost"')
    shoe.plug()
    back = shoe.is_back()
    table.reads()
    shoe.play(*dealt[OPENING + 4 :])
    table.has_recorded('"kind":"result_called"', 2)
    table.stop()
    shoe.unplug()
    folder = copied(guest, tmp_path / "data")
    said = when(folder, "card_drawn")
    print(f"lost told {when(folder, 'link_lost')[0] - pulled:.2f} s after the pull, asked again {said[2] - back:.2f} s")
    assert told(tmp_path) == dealt
    assert lost(tmp_path) == []
    assert said[2] - back < BACK_S


@only_gadget
def test_the_plug_starts_and_stops_the_daemon_where_the_house_chose_that(guest: Guest, shoe: Shoe):
    """The head of with-the-plug.conf, word by word: udev starts the unit, systemd stops it with the device."""
    table = Table(guest, shoe)
    guest.do(f"install -D -m 0644 {DEPLOY}/systemd/with-the-plug.conf {DROP_INS}/with-the-plug.conf")
    guest.do("systemctl disable --now tirage && systemctl daemon-reload")
    guest.do("udevadm control --reload && udevadm trigger --subsystem-match=tty")
    table.reads()
    shoe.unplug()
    guest.until("systemctl show -p ActiveState tirage | grep -qx ActiveState=inactive")
    assert guest.do("systemctl show -P MainPID tirage") == "0"
    shoe.plug()
    table.reads()
    assert guest.do("systemctl show -p NRestarts tirage") == "NRestarts=0"


@only_gadget
def test_the_daemon_stays_when_the_plug_is_pulled_unless_the_house_chose_otherwise(guest: Guest, shoe: Shoe):
    """The default: only a daemon that runs can say on the pages that the shoe is unplugged."""
    table = Table(guest, shoe)
    table.start()
    first = guest.do("systemctl show -p MainPID tirage")
    shoe.unplug()
    table.has_recorded('"kind":"link_lost"')
    assert guest.do("systemctl show -p MainPID,ActiveState tirage").splitlines() == [first, "ActiveState=active"]
    shoe.plug()
    table.reads()


@only_gadget
def test_a_daemon_that_hangs_is_ended_by_the_watchdog_and_started_again(guest: Guest, shoe: Shoe):
    """hardware-tests.md section 3, faults.md B 31: WatchdogSec, after a stop that the process itself cannot notice."""
    table = Table(guest, shoe)
    table.start()
    limit = guest.do("systemctl show -P WatchdogUSec tirage")
    assert limit not in ("0", "infinity")
    hung = guest.do("systemctl show -P MainPID tirage")
    guest.do(f"kill -STOP {hung}")
    guest.until("[ $(systemctl show -P NRestarts tirage) = 1 ]")
    assert "watchdog" in guest.do("journalctl -u tirage --no-pager -o cat | grep -i 'result .watchdog'").lower()
    table.reads()
    assert guest.do("systemctl show -P MainPID tirage") != hung


@pytest.mark.timeout(1500)
def test_a_power_cut_in_mid_hand_loses_nothing_that_was_shown(boot: Callable[[Path], Guest], tmp_path: Path):
    """trust.md T2 and T3, faults.md B 29: after kill -9 of the machine its disk has every card that was published."""
    disk = tmp_path / "data.img"
    with boot(disk) as guest:
        shoe = Gadget(guest)
        table = at_work(guest, shoe)
        shoe.say(*SIGNALS[: OPENING + 3])
        table.has_shown(3)
        guest.cut_power()
    with boot(disk) as guest:
        assert [record["kind"] for record in records(copied(guest, tmp_path / "cut"))].count("card_drawn") == 3
        table = at_work(guest, shoe.at(guest))
        shoe.say(*SIGNALS[OPENING + 3 :])
        table.has_recorded('"kind":"result_called"')
        table.stop()
        replayed = guest.ask(f"tirage replay --json {TABLE}")
        folder = copied(guest, tmp_path / "after")
    assert replayed.code in (0, 1), replayed  # 4: damaged, or its facts come out otherwise
    assert nothing_is_doubled_and_every_gap_is_told(folder, SIGNALS) == len(SIGNALS)
    assert facts(folder, "LinkFault") == []
    assert {(fact["shoe"], fact["hand"]) for fact in facts(folder, "CardDrawn")} == {("1", 1)}
    assert "restarted" in str(facts(folder, "HandSuspended"))


def at_work(guest: Guest, shoe: Shoe) -> Table:
    """A table that reads its shoe, from a machine as new."""
    install(guest)
    shoe.plug()
    shoe.is_back()
    table = Table(guest, shoe)
    table.start()
    return table
