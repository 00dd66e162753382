"""`tirage order`: a technician tells an Angel Eye shoe to lock, unlock, clear an error or confirm."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from controller.cli.gaming import one_table

if TYPE_CHECKING:
    from controller.config import Config, TableConfig
    from controller.core.engine import Table
    from controller.core.signals import OrderStage
    from controller.daemon.ordering import Wanted

EXIT_DEVICE = 5
EXIT_INTEGRITY = 4
ORDERS = ("lock", "unlock", "clear-error", "confirm")

EPILOG = """\b
Examples:
  tirage order lock --config /etc/tirage/tirage.toml --table b1 --staff 1042
  tirage order clear-error --code 4 --config /etc/tirage/tirage.toml --table b1 --staff 1042

\b
The table's shoe needs engineering = true in the configuration, the daemon must be stopped and no hand open. The order
is in the journal before its bytes leave; one without an answer is never repeated: look at the shoe.
Exit codes: 0 taken, 5 refused, not answered or no port, 4 journal, 78 bad configuration, 2 usage or not allowed.
"""


@click.command("order", epilog=EPILOG)
@click.argument("name", metavar="ORDER", type=click.Choice(ORDERS))
@click.option("--config", "config_path", type=click.Path(), required=True, help="The configuration (TOML).")
@click.option("--table", "table_id", required=True, help="The table whose shoe is meant.")
@click.option("--staff", required=True, help="Your staff number; with accounts that of a technician.")
@click.option("--code", type=click.IntRange(1, 7), help="The error to clear.")
def order(name: str, config_path: str, table_id: str, staff: str, code: int | None) -> None:
    """Send one order to the shoe of a table, by hand."""
    from controller.cli.check_config import refuse
    from controller.config import ConfigError, load
    from controller.daemon.ordering import Wanted
    from drivers.angel_eye.orders import Check, Order

    if (code is not None) != (name == "clear-error"):
        raise click.UsageError("clear-error needs --code, and nothing else takes it")
    try:
        config = load(config_path)
    except ConfigError as error:
        refuse(error, as_json=False)
    table = _allowed(config, table_id, staff)
    wanted = Wanted(Order(name), code or 0, Check(table.shoe.order_check), f"staff:{staff}")
    sys.exit(_given(config, table, wanted))


def _allowed(config: Config, table_id: str, staff: str) -> TableConfig:
    """Return the table if this person may give orders to its shoe."""
    table = one_table(config.tables, table_id)
    if not table.shoe.engineering:
        raise click.UsageError(f"table {table_id} takes no orders: it needs engineering = true in [tables.shoe]")
    if config.accounts.enabled and not _technician(config, staff):
        raise click.UsageError(f"{staff} is no technician: an order needs one")
    return table


def _technician(config: Config, staff: str) -> bool:
    from controller.accounts.roles import Role
    from controller.accounts.store import Store

    store = Store(config.data_folder)
    try:
        account = store.account(staff)
    finally:
        store.close()
    return account is not None and not account.disabled and Role.TECHNICIAN in account.roles


def _given(config: Config, table: TableConfig, wanted: Wanted) -> int:
    from controller.journal.errors import JournalError
    from drivers.ports import PortLostError

    try:
        stage, why = asyncio.run(_give(config, table, wanted))
    except PortLostError as error:
        return _sorry(error.reason, EXIT_DEVICE)
    except JournalError as error:
        return _sorry(str(error), EXIT_INTEGRITY)
    click.echo(f"{wanted.order.value}: {stage.value}{f' ({why})' if why else ''}")
    return 0 if stage.value == "taken" else EXIT_DEVICE


async def _give(config: Config, table: TableConfig, wanted: Wanted) -> tuple[OrderStage, str]:
    from controller.app import recorder_of
    from controller.daemon.ordering import Ordering
    from drivers.ports import link_to

    recorder = recorder_of(config, table, lambda _: None)
    try:
        left = await recorder.look()
        _refuse_in_a_hand(recorder.table, table.id)  # before a start is recorded, which would suspend the hand
        await recorder.go_on(left)
        _refuse_in_a_hand(recorder.table, table.id)  # that the bytes kept last have opened
        return await Ordering(recorder, link_to(table.shoe.port, table.shoe.baud)).give(wanted)
    finally:
        await recorder.close()


def _refuse_in_a_hand(table: Table, ident: str) -> None:
    if table.hand is not None:
        raise click.UsageError(f"a hand is open at {ident}: let it be closed first")


def _sorry(why: str, code: int) -> int:
    click.echo(f"tirage order: {why}", err=True)
    return code
