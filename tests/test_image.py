"""The card's image: what is packed lies on two partitions as a Pi looks for it, and the Imager's entry describes it."""

import hashlib
import json
import lzma
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
IMAGE = ROOT / "packaging" / "image"
TOOLS = ("mkfs.vfat", "mcopy", "sfdisk", "mkfs.ext4", "debugfs", "xz")
SBIN = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
pytestmark = pytest.mark.skipif(
    any(shutil.which(tool, path=SBIN) is None for tool in TOOLS),
    reason=f"needs {', '.join(TOOLS)}: sudo apt install dosfstools mtools fdisk e2fsprogs xz-utils",
)
MIB = 1 << 20
BOOT_MIB = 40  # the least that FAT32 takes is 33


def run(*command, **environ):
    return subprocess.run(
        [str(word) for word in command],
        env={**os.environ, "PATH": SBIN, **environ},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


@pytest.fixture
def card(tmp_path):
    """Packs a small root; answers image and entry."""

    def pack(name="small"):
        root = tmp_path / name
        (root / "boot/firmware/overlays").mkdir(parents=True)
        (root / "boot/firmware/cmdline.txt").write_text("root=PARTUUID=1e55e500-02\n")
        (root / "boot/firmware/overlays/one.dtbo").write_bytes(b"\xd0\x0d\xfe\xed")
        (root / "etc").mkdir()
        (root / "etc/hostname").write_text("linesies\n")
        (root / "init").symlink_to("usr/lib/systemd/systemd")
        environ = {"FOLDER": tmp_path / "out", "NAME": name, "DEVICES": "pi5-64bit pi4-64bit", "DISK_ID": "1e55e500"}
        environ |= {"SOURCE_DATE_EPOCH": "1700000000", "BOOT_MIB": str(BOOT_MIB), "TMPDIR": tmp_path}
        run("sh", IMAGE / "pack.sh", root, **{key: str(value) for key, value in environ.items()})
        return tmp_path / "out" / f"{name}.img", tmp_path / "out" / f"{name}.json"

    return pack


def test_a_pi_finds_its_first_files_on_fat_and_its_root_behind_them(card, tmp_path):
    image, _ = card()
    told = json.loads(run("sfdisk", "--json", image))["partitiontable"]
    first, second = told["partitions"]
    assert (told["label"], told["id"], first["type"], second["type"]) == ("dos", "0x1e55e500", "c", "83")
    assert first["start"] * 512 == 4 * MIB
    assert run("mtype", "-i", f"{image}@@4M", "::/cmdline.txt") == "root=PARTUUID=1e55e500-02\n"
    assert "::/overlays/one.dtbo" in run("mdir", "-b", "-i", f"{image}@@4M", "::/overlays")
    inner = tmp_path / "root"
    with image.open("rb") as whole:
        whole.seek(second["start"] * 512)
        inner.write_bytes(whole.read(second["size"] * 512))
    assert run("debugfs", "-R", "cat /etc/hostname", inner) == "linesies\n"
    assert run("debugfs", "-R", "ls -p /boot/firmware", inner).count("/") == 2 * 7, "nothing lies there twice"
    run("e2fsck", "-f", "-n", inner)


def test_the_imagers_entry_describes_the_image(card):
    image, entry = card()
    (told,) = json.loads(entry.read_text())["os_list"]
    packed = image.with_suffix(".img.xz").read_bytes()
    whole = lzma.decompress(packed)
    assert (told["extract_size"], told["extract_sha256"]) == (len(whole), hashlib.sha256(whole).hexdigest())
    assert told["image_download_size"] == len(packed)
    assert told["image_download_sha256"] == hashlib.sha256(packed).hexdigest()
    assert told["extract_size"] % 512 == 0, "the Imager writes whole sectors"
    assert told["devices"] == ["pi5-64bit", "pi4-64bit"]
    assert told["release_date"] == "2023-11-14"
    assert told["url"].endswith("small.img.xz")
    assert told["icon"].startswith("data:image/svg+xml;base64,")


def test_the_same_root_makes_the_same_first_partition(card):
    """The second as well where mkfs.ext4 keeps to SOURCE_DATE_EPOCH: e2fsprogs 1.47.1, Trixie's."""
    (first, _), (second, _) = card("one"), card("two")
    front = (4 + BOOT_MIB) * MIB
    assert first.read_bytes()[:front] == second.read_bytes()[:front]


def test_scripts_of_the_card_are_sound_shell():
    for script in (*IMAGE.glob("*.sh"), ROOT / "packaging/make_image.sh"):
        run("sh", "-n", script)
