#!/bin/sh
# Builds dist/linesies_VERSION_RELEASE.img.xz, an SD card for a Raspberry Pi with the package on it, and beside it the
# entry by which Raspberry Pi Imager offers it.
#
#     sudo [RELEASE=trixie] [PI_KEY=raspberrypi-archive-keyring.gpg] packaging/make_image.sh
#
# Needs root, the network, dist/linesies_VERSION_arm64.deb (`make deb ARCH=arm64`), and Debian's mmdebstrap, dosfstools,
# mtools, fdisk, e2fsprogs and xz-utils; on a machine of another kind qemu-user-static and binfmt-support as well.
#
# With PI_KEY, the key of Raspberry Pi's archive (PI_ARCHIVE), kernel, firmware, camera and pins come from there, as in
# Raspberry Pi OS. Without, all is Debian's: for a Pi 3 or 4 with a USB or network camera, and no lamps.
#
# The same packages make the same image, but for what Debian's own programs write with a time or by chance while they
# are installed, and times that an mkfs.ext4 older than Trixie's writes. MIRROR may name a day of snapshot.debian.org.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
release=${RELEASE:-trixie}
mirror=${MIRROR:-http://deb.debian.org/debian}
pi_archive=${PI_ARCHIVE:-http://archive.raspberrypi.com/debian}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
package=dist/linesies_${version}_arm64.deb
for tool in mmdebstrap mkfs.vfat mcopy sfdisk mkfs.ext4 xz; do
    command -v "$tool" > /dev/null || {
        echo "linesies: there is no $tool here; run: sudo apt install mmdebstrap dosfstools mtools fdisk e2fsprogs xz-utils" >&2
        exit 2
    }
done
[ "$(id -u)" = 0 ] || { echo "linesies: the files of an image belong to root; put sudo before the command" >&2; exit 2; }
[ -e "$package" ] || { echo "linesies: there is no $package; run: make deb ARCH=arm64" >&2; exit 2; }
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
DISK_ID=$(printf %s "$version $release" | sha256sum | cut -c 1-8) # partitions are found by it, whatever the card is called
export DISK_ID

base=systemd-sysv,udev,dbus,kmod,initramfs-tools,zstd,systemd-timesyncd,fdisk,e2fsprogs,dosfstools,sudo,less,nano
network=network-manager,wpasupplicant,wireless-regdb,dnsmasq-base,nftables,rfkill,iproute2,openssh-server,avahi-daemon,avahi-utils,libnss-mdns
quick=libopenblas0-pthread # Debian's numpy brings a slow BLAS alone
if [ -n "${PI_KEY:-}" ]; then
    machine=raspi-firmware,linux-image-rpi-v8,linux-image-rpi-2712,firmware-brcm80211,python3-picamera2,python3-lgpio,python3-gpiozero
    devices="pi5-64bit pi4-64bit pi3-64bit"
else
    machine=raspi-firmware,linux-image-arm64,firmware-brcm80211
    devices="pi4-64bit pi3-64bit"
fi

# beside dist/, as a memory file system may be too small for it
work=$(mktemp -d "${TMPDIR:-/var/tmp}/linesies-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
printf 'deb %s %s main non-free-firmware\n' "$mirror" "$release" > "$work/sources.list"
[ -z "${PI_KEY:-}" ] || printf 'deb [signed-by=%s] %s %s main\n' "$(realpath "$PI_KEY")" "$pi_archive" "$release" >> "$work/sources.list"
# before the kernel comes, whose first files hold what checks the file systems named here
printf 'PARTUUID=%s-02 / ext4 noatime 0 1\nPARTUUID=%s-01 /boot/firmware vfat noatime,umask=0077,nofail 0 2\n' \
    "$DISK_ID" "$DISK_ID" > "$work/fstab"
DEBIAN_FRONTEND=noninteractive mmdebstrap --mode=root --architectures=arm64 --variant=apt \
    --include="$base,$network,$quick,$machine" \
    --essential-hook="upload $work/fstab /etc/fstab" \
    --customize-hook="copy-in $package /root" \
    --customize-hook="chroot \"\$1\" apt-get -q -q -y --no-install-recommends install /root/$(basename "$package")" \
    --customize-hook="rm \"\$1/root/$(basename "$package")\"" \
    --customize-hook="$here/image/settle.sh \"\$1\" $here/image" \
    "$release" "$work/root" "$work/sources.list"
FOLDER=dist DEVICES="$devices" NAME="linesies_${version}_$release" "$here/image/pack.sh" "$work/root"
