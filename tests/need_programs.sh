#!/bin/sh
# What tests need beside Python: a real browser, a real MQTT broker, a real database, a compiler for the USB camera that they play,
# what makes and signs an apt repository, what packs a card's image.
# Finds them, installs Debian's where it may, else says what to do.
is_there() { # PACKAGE: is its program here?
    case $1 in
        chromium) command -v chromium || command -v chromium-browser || command -v google-chrome ;;
        mosquitto) command -v mosquitto || ls /usr/sbin/mosquitto ;;
        gcc) command -v gcc ;;
        apt-utils) command -v apt-ftparchive ;;
        gpg) command -v gpg ;;
        dosfstools) command -v mkfs.vfat || ls /usr/sbin/mkfs.vfat ;;
        mtools) command -v mcopy ;;
        fdisk) command -v sfdisk || ls /usr/sbin/sfdisk ;;
        e2fsprogs) command -v debugfs || ls /usr/sbin/debugfs ;;
        xz-utils) command -v xz ;;
        postgresql) command -v initdb || ls /usr/lib/postgresql/*/bin/initdb ;;
    esac > /dev/null 2>&1
}
missing=
for package in chromium mosquitto gcc postgresql apt-utils gpg dosfstools mtools fdisk e2fsprogs xz-utils; do
    is_there "$package" || missing="$missing $package"
done
case $missing in *gcc*) missing="$missing libc6-dev" ;; esac
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing$missing for the tests ..."
    # a broker of our own is started for each test; the system's is not to run beside it
    if { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1; then exit 0; fi
fi
echo "linesies: not here:$missing; what needs them will be skipped; run: sudo apt install$missing" >&2
