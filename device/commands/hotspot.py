"""`linesies hotspot`: a network of the box's own."""

import click
import segno.helpers

from device.box.hotspot import ADDRESS, close_hotspot, open_hotspot


@click.command("hotspot")
@click.argument("wish", type=click.Choice(["on", "off"]))
@click.option("--name", default="Linesies", show_default=True, help="What phones see in their list of networks.")
def command(wish: str, name: str) -> None:
    """Open or close a Wi-Fi network of the box's own, for where there is none (needs NetworkManager and root).

    Shows the code by which phones join; on most of them the page then opens by itself. Else it is at
    http://10.42.0.1:8642/.
    """
    if wish == "off":
        close_hotspot()
        click.echo("The access point is closed.", err=True)
        return
    hotspot = open_hotspot(name)
    segno.helpers.make_wifi(hotspot.name, hotspot.password, "WPA").terminal(compact=True)
    click.echo(f"Network {hotspot.name}, password {hotspot.password}; the page is at http://{ADDRESS}:8642/", err=True)
