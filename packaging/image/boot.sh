#!/bin/sh
# boot.sh IMAGE [SECONDS]: starts an image in an emulator until its page answers, and crashes its referee to see that he
# comes back by himself; then starts it anew, with no cable, until its own network is open. The image itself is left as
# it is.
#
# The machine is QEMU's, not a Pi: kernel and first files are taken from the image's first partition, as a Pi's firmware
# does, but the firmware itself, the Pi's devices and its radio stay untried. The radio is the kernel's own emulated one.
# The root must grow to the card's size, 8 GB here. The owner's key is a new one. Needs qemu-system-arm, mtools and ssh.
set -eu
image=$1 patience=${2:-1800} port=${PORT:-8690}
for tool in qemu-system-aarch64 mcopy curl ssh; do
    command -v "$tool" > /dev/null || { echo "boot skipped: there is no $tool here (sudo apt install qemu-system-arm mtools curl openssh-client)"; exit 0; }
done
work=$(mktemp -d "${TMPDIR:-/var/tmp}/linesies-boot.XXXXXX")
machine=
trap '[ -z "$machine" ] || kill "$machine" 2> /dev/null || true; rm -rf "$work"' EXIT
case $image in
    *.xz) xz -dc "$image" > "$work/card.img" ;;
    *) cp --sparse=always "$image" "$work/card.img" ;;
esac
truncate -s 8G "$work/card.img"
first="$work/card.img@@4M"
mcopy -i "$first" '::/vmlinuz*' "$work/kernel"
mcopy -i "$first" '::/initrd.img*' "$work/initrd"
mcopy -i "$first" ::/cmdline.txt "$work/cmdline"
ssh-keygen -q -t ed25519 -N "" -f "$work/key"
mcopy -i "$first" "$work/key.pub" ::/authorized_keys
words=$(sed 's/console=[^ ]*//g; s/cma=[^ ]*//' "$work/cmdline")

start() { # WORDS MORE...: start it with more words for the kernel and more devices
    more=$1
    shift
    qemu-system-aarch64 -M virt -cpu cortex-a72 -smp 2 -m 1024 -display none -monitor none -serial "file:$work/console" \
        -kernel "$work/kernel" -initrd "$work/initrd" -append "$words console=ttyAMA0 systemd.journald.forward_to_console=1 systemd.default_device_timeout_sec=900 $more" \
        -drive "file=$work/card.img,format=raw,if=virtio" "$@" &
    machine=$!
}

await() { # WHAT COMMAND...: until the command is true
    what=$1 began=$(date +%s)
    shift
    until "$@" > /dev/null 2>&1; do
        if [ $(($(date +%s) - began)) -gt "$patience" ] || ! kill -0 "$machine" 2> /dev/null; then
            tail -60 "$work/console" >&2
            echo "  FAILED: $what" >&2
            exit 1
        fi
        sleep 2
    done
    echo "  $what ($(($(date +%s) - began)) s)"
}

stop() {
    kill "$machine"
    wait "$machine" 2> /dev/null || true
}

inside() { # COMMAND...: as its owner, by the key on the card
    ssh -q -i "$work/key" -p $((port + 1)) -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes -o ConnectTimeout=20 \
        owner@127.0.0.1 sudo "$@"
}

told() { inside systemctl show --value --property "$2" "linesies-$1.service"; } # of one of its services

is_back() { [ "$(told referee NRestarts)" = 1 ] && [ "$(told referee ActiveState)" = active ]; }

answers() { curl --fail --silent --max-time 20 --location "http://127.0.0.1:$port/"; }

start "" -netdev "user,id=cable,hostfwd=tcp:127.0.0.1:$port-:80,hostfwd=tcp:127.0.0.1:$((port + 1))-:22" -device virtio-net-device,netdev=cable
await "the kernel starts" grep -q "Linux version" "$work/console"
await "the system starts" grep -qi "systemd.*running in system mode" "$work/console"
await "the root grows to the card's size" grep -q "resized filesystem" "$work/console"
await "the page answers on port 80, joined by cable" answers
await "the network's password and a code lie on the card" grep -q "Finished.*how to reach the box" "$work/console"
await "its owner comes in by the key on the card" inside true
[ "$(told referee ActiveState)" = active ] || { echo "  FAILED: the referee does not run" >&2; exit 1; }
inside systemctl kill --kill-whom=main --signal=SEGV linesies-referee.service
await "after a crash the referee is back" is_back
await "and the page is" answers
[ "$(told aid ActiveEnterTimestampMonotonic)" = 0 ] || { echo "  FAILED: one crash put the page in need up" >&2; exit 1; }
stop
mcopy -i "$first" ::/linesies.txt "$work/told"
sed 's/^/    /' "$work/told"
start "modules-load=mac80211_hwsim mac80211_hwsim.radios=1" -nic none
await "with no cable, it opens its own network" grep -q "so its own is open" "$work/console"
stop
mcopy -i "$first" ::/linesies.txt "$work/told_again"
network() { grep '^Network' "$1"; }
[ "$(network "$work/told")" = "$(network "$work/told_again")" ] || { echo "  FAILED: the password changed" >&2; exit 1; }
echo "image booted: $image"
