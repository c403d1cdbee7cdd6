"""`linesies hotspot`: a network of the box's own."""

import click
import segno.helpers

from linesies.device.box.hotspot import ADDRESS, close_hotspot, has_joined, open_hotspot, ready_hotspot

NETWORK_PATIENCE_S = 60.0


@click.command("hotspot")
@click.argument("wish", type=click.Choice(["on", "off", "auto", "ready"]))
@click.option("--name", default="Linesies", show_default=True, help="What phones see in their list of networks.")
def command(wish: str, name: str) -> None:
    """Open or close a Wi-Fi network of the box's own, for where there is none (needs NetworkManager and root).

    Shows the code by which phones join; on most of them the page then opens by itself. Else it is at
    http://10.42.0.1:8642/. `auto` opens it only when no other network is there within a minute, as a box does each
    time it starts; `ready` leaves it closed, and shows what to write on the box.
    """
    if wish == "off":
        close_hotspot()
        click.echo("The access point is closed.", err=True)
    elif wish == "auto":
        click.echo(_open_where_none(name), err=True)
    else:
        hotspot = open_hotspot(name) if wish == "on" else ready_hotspot(name)
        segno.helpers.make_wifi(hotspot.name, hotspot.password, "WPA").terminal(compact=True)
        told = f"Network {hotspot.name}, password {hotspot.password}; the page is at http://{ADDRESS}:8642/"
        click.echo(told, err=True)


def _open_where_none(name: str) -> str:
    """Say what was done, without the password: it goes into a log."""
    if has_joined(NETWORK_PATIENCE_S):
        return "The box has joined a network; its own stays closed."
    return f"There is no network that the box knows, so its own is open: {open_hotspot(name).name}."
