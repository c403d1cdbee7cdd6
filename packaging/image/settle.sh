#!/bin/sh
# settle.sh ROOT FOLDER: makes an installed root the one of a card: what it is called, what it starts, and
# nothing that every card must have of its own.
set -eu
root=$1 folder=$2
inside() { chroot "$root" "$@"; }

echo linesies > "$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 linesies\n' > "$root/etc/hosts"
install -m 755 "$folder/first_start.sh" "$root/usr/lib/linesies-first-start"
install -m 644 "$folder/linesies-first-start.service" "$folder/linesies-tell.service" "$root/etc/systemd/system/"
inside systemctl --quiet enable linesies-first-start.service linesies-tell.service
inside systemctl --quiet disable ssh.service ssh.socket 2> /dev/null # until an owner's key lies on the card
inside systemctl --quiet mask systemd-networkd-wait-online.service NetworkManager-wait-online.service # nobody waits

# of its own on each card: who it is, and its keys
: > "$root/etc/machine-id"
rm -f "$root"/etc/ssh/ssh_host_* "$root/var/lib/dbus/machine-id" "$root/var/lib/systemd/random-seed"

kernel="cgroup_enable=memory" # by which the units' limits hold
if [ -n "${PI_KEY:-}" ]; then # Raspberry Pi's firmware package leaves settings alone
    cp "$folder/config.txt" "$root/boot/firmware/config.txt"
    echo "console=tty1 root=PARTUUID=$DISK_ID-02 rootfstype=ext4 fsck.repair=yes rootwait $kernel" > "$root/boot/firmware/cmdline.txt"
else # Debian's writes them anew with each kernel
    echo "$kernel" > "$root/etc/default/raspi-extra-cmdline"
    echo "ROOTPART=PARTUUID=$DISK_ID-02" >> "$root/etc/default/raspi-firmware"
    DEB_MAINT_PARAMS=configure inside /etc/kernel/postinst.d/z50-raspi-firmware
fi
