#!/bin/bash
# Installs, upgrades, removes and purges the package in clean roots of Debian releases, and looks what became of a game.
#
#     sudo [ARCH=arm64] [OLDER="REVISION ..."] packaging/install_test.sh [trixie bookworm]
#
# With OLDER, revisions of this repository oldest first, their packages are installed one upon the other with games that
# the oldest kind of journal holds, then this tree's: all games must be told as they were.
# Another machine's package is tried under emulation (qemu-user-static with binfmt-support), and its answers are held
# beside this machine's, and beside those of the same release's root of this machine where that was tried before.
# Needs root, debootstrap and the network. Roots are kept as $CACHE/RELEASE.tar and unpacked anew each time. Packages
# that only Raspberry Pi OS has are stubbed by name.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${CACHE:-/var/tmp/linesies-roots}
releases=${*:-trixie bookworm}
network= # what a command in the root runs under
for tool in debootstrap dpkg-deb chroot unshare; do
    command -v "$tool" > /dev/null || { echo "install test skipped: there is no $tool here (sudo apt install debootstrap)"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "install test skipped: it needs root"; exit 0; }
mkdir -p "$cache"
own=$(dpkg --print-architecture)
export ARCH=${ARCH:-$own}
arch=$ARCH
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../pyproject.toml")

stub() { # NAME MODULE: a package of that name with an empty module
    local tree=$work/stub-$1
    mkdir -p "$tree/DEBIAN" "$tree/usr/lib/python3/dist-packages/$2"
    echo '"""Stands in for the real one."""' > "$tree/usr/lib/python3/dist-packages/$2/__init__.py"
    printf 'Package: %s\nVersion: 99\nArchitecture: all\nMaintainer: none <none@linesies.invalid>\nDescription: stub\n' "$1" > "$tree/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$tree" "$work/$1.deb" > /dev/null
}

check() { # WHAT [unshared] COMMAND...: run it in the root, `unshared` where no network is
    local what=$1 where=inside
    shift
    if [ "$1" = unshared ]; then
        where=offline
        shift
    fi
    if $where "$@" > "$work/log" 2>&1; then
        echo "  $release: $what"
    else
        tail -40 "$work/log" >&2
        echo "  $release: FAILED: $what" >&2
        exit 1
    fi
}

inside() {
    $network chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 HOME=/root \
        DEBIAN_FRONTEND=noninteractive "$@"
}

offline() {
    network="unshare --net" inside "$@"
}

beside() { # WHERE FILE: is what the package says what a file says that was said there?
    if cmp -s "$work/theirs" "$2"; then
        echo "  $release: rule, calibrate, judge and cards answer byte for byte as $1"
    else
        "$here_says" "$here/alike.py" "$2" "$work/theirs" | sed "s/^/  $release: beside $1, /"
    fi
}

answers() { # hold what the package says of rules, caps and cards beside what this tree says
    cp -r "$here/../tests/data" "$root/root/data"
    here_says=${PYTHON:-python3}
    set -- /root/data/scenes/street
    printf '%s\n' \
        "rule /root/data/vectors/skully/start_and_order.in.jsonl" \
        "calibrate $1/empty.jpg --board $1/board.json --lens $1/lens.json --corners $(cat "$here/../tests/data/scenes/street/corners.txt") -o /root/calibration.json" \
        "judge $1/frame_0.jpg --calibration /root/calibration.json --caps $1/caps.json" \
        "judge $1/frame_0.jpg --calibration /root/given.json --caps $1/caps.json" \
        "cards /root/data/cards/table.jpg" > "$work/asked"
    while read -r asked; do
        # shellcheck disable=SC2086 # several words
        inside linesies $asked >> "$work/theirs" 2> "$work/log" < /dev/null || { cat "$work/log" >&2; exit 1; }
        # shellcheck disable=SC2086
        (cd "$here/.." && "$here_says" -m linesies $(echo "$asked" | sed "s#/root/data#tests/data#g; s#/root/[cg]\w*.json#$work/calibration.json#g")) \
            >> "$work/ours" 2> /dev/null < /dev/null
        [ ! -e "$work/calibration.json" ] || cp "$work/calibration.json" "$root/root/given.json"
    done < "$work/asked"
    beside here "$work/ours"
    kept=$cache/$release-$(git -C "$here" rev-parse --short HEAD)
    cp "$work/theirs" "$kept-$arch.jsonl"
    [ "$arch" = "$own" ] || [ ! -e "$kept-$own.jsonl" ] || beside "in the $own root" "$kept-$own.jsonl"
}

settings_are_read="from pathlib import Path; from linesies.device.settings.settings import Settings; from linesies.device.settings.tables import read_tables
s = read_tables(Path('/etc/linesies/linesies.toml'), Settings); assert s.keep.state == '/var/lib/linesies' in s.camera.caps"

from_older() { # the packages of $OLDER one upon the other, then this tree's; what did they tell, and what does it?
    told='for game in 1 2 3 4 5; do linesies journal export --game $game /var/lib/linesies 2> /dev/null; done'
    rm -rf "$root/var/lib/linesies"
    number=0
    for revision in $OLDER; do
        number=$((number + 1))
        git clone -q --shared "$here/.." "$work/older"
        git -C "$work/older" checkout -q "$revision"
        VERSION=$version~$number PYTHON=${PYTHON:-python3} "$work/older/packaging/make_deb.sh" > /dev/null
        mv "$work/older/dist/linesies_${version}~${number}_$arch.deb" "$root/root/older.deb"
        rm -rf "$work/older"
        check "the package of $revision is installed" apt-get -q -q -y -o Dpkg::Use-Pty=0 install /root/older.deb
        if [ $number = 1 ]; then
            gzip -dc "$here/../tests/data/journals/format-1.sqlite.gz" > "$root/var/lib/linesies/journal.sqlite"
            inside chown -R linesies:linesies /var/lib/linesies
            inside sh -c "$told" > "$work/first_told"
        fi
        inside sh -c "$told" > "$work/older_told"
        cmp "$work/first_told" "$work/older_told"
    done
    check "this tree's package is installed over them" apt-get -q -q -y -o Dpkg::Use-Pty=0 install /root/new.deb
    inside su -s /bin/sh linesies -c "/opt/linesies/bin/python -c \"$write_game\" '$game'"
    inside sh -c "$told" > "$work/today_told"
    test -s "$work/first_told" # nothing told would be like nothing told
    cmp "$work/first_told" "$work/today_told"
    echo "  $release: $(wc -l < "$work/today_told") lines of older games are told as they were"
    check "a game that begins now stands behind them" sh -c 'linesies journal export /var/lib/linesies | grep -q "\"ana\", \"bo\"\]"'
    check "the settings of the first are read" /opt/linesies/bin/python -c "$settings_are_read"
}

game='{"event": "start", "game": "skully", "players": ["ana", "bo"], "options": {}}'
write_game="import json, sys; from linesies.device.journal.journal import Journal; from linesies.referee.rows import Draft; \
j = Journal('/var/lib/linesies/journal.sqlite'); \
j.append(Draft(origin='test', kind='set_up', body={}), Draft(origin='test', kind='start', body=json.loads(sys.argv[1])))"

for release in $releases; do
    work=$(mktemp -d)
    root=$work/root
    trap 'umount -l "$root/proc" "$root/dev" 2> /dev/null || true; rm -rf "$work"' EXIT
    clean=$cache/$release.tar
    [ "$arch" = "$own" ] || clean=$cache/$release-$arch.tar
    if [ ! -e "$clean" ]; then
        debootstrap --arch="$arch" --variant=minbase "$release" "$work/clean" > "$work/log" || { cat "$work/log"; exit 1; }
        tar -C "$work/clean" -cf "$clean" .
        rm -rf "$work/clean"
    fi
    mkdir "$root"
    tar -C "$root" -xf "$clean"
    chroot "$root" /bin/true || {
        echo "install test skipped: this machine runs no $arch program (sudo apt install qemu-user-static binfmt-support)"
        exit 0
    }
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d" # no service is started in here
    chmod 755 "$root/usr/sbin/policy-rc.d"
    echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # this root is thrown away
    stub python3-picamera2 picamera2
    stub python3-lgpio lgpio
    cp "$work"/python3-*.deb "$root/root/"
    cp "$here/../dist/linesies_${version}_$arch.deb" "$root/root/old.deb"
    VERSION=$version+upgrade PYTHON=${PYTHON:-python3} "$here/make_deb.sh" > /dev/null
    mv "$here/../dist/linesies_${version}+upgrade_$arch.deb" "$root/root/new.deb"

    inside apt-get -q -q update
    check "what Debian has is fetched" \
        apt-get -q -q -y -o Dpkg::Use-Pty=0 install --download-only /root/python3-picamera2.deb /root/python3-lgpio.deb /root/old.deb
    check "installs from a clean root by one command, without a network" \
        unshared apt-get -q -q -y -o Dpkg::Use-Pty=0 install /root/python3-picamera2.deb /root/python3-lgpio.deb /root/old.deb
    grep "linesies: all can be imported" "$work/log"
    check "a package of which a file is damaged is refused" \
        sh -c 'cd /usr/share/linesies && one=$(ls wheels/segno-*.whl) && cp "$one" /root/whole && printf x >> "$one" &&
               ! ./set_up 2> /root/said && grep -q "the package is damaged" /root/said && mv /root/whole "$one"'
    check "the command answers" sh -c 'linesies --version > /dev/null && echo "$0" | linesies rule - > /dev/null' "$game"
    check "its user may use camera, pins, renderer and loudspeaker" \
        sh -c 'for g in video gpio render audio; do id -nG linesies | tr " " "\n" | grep -qx "$g" || exit 1; done'
    check "the units are there, and begin with the machine" \
        sh -c 'ls /usr/lib/systemd/system/linesies-referee.service /usr/lib/systemd/system/linesies-web.service /usr/lib/systemd/system/linesies-web.socket > /dev/null &&
               test -L /etc/systemd/system/multi-user.target.wants/linesies.target'
    check "a screen shows the page and the code" \
        sh -c 'install -d -o linesies /run/linesies && su -s /bin/sh linesies -c /usr/share/linesies/sign && grep -q "referee on your phone" /etc/issue.d/linesies.issue'
    check "settings can be read, and name places under /var/lib/linesies" /opt/linesies/bin/python -c "$settings_are_read"
    check "numpy is the system's" sh -c 'test "$(/opt/linesies/bin/python -c "import numpy; print(numpy.__file__)")" = \
        "$(/usr/bin/python3 -c "import numpy; print(numpy.__file__)")"'
    check "no simulator lies on the box" sh -c '! ls -d /opt/linesies/lib/python3*/site-packages/linesies/simulator 2> /dev/null'
    answers
    inside su -s /bin/sh linesies -c "/opt/linesies/bin/python -c \"$write_game\" '$game'"
    inside sh -c 'echo "# mine" >> /etc/linesies/linesies.toml'
    check "is upgraded without a network" unshared apt-get -q -q -y -o Dpkg::Use-Pty=0 install /root/new.deb
    check "the game and the settings are still there" \
        sh -c 'linesies journal export /var/lib/linesies | grep -q "\"ana\"" && tail -1 /etc/linesies/linesies.toml | grep -q mine'
    check "is removed" apt-get -q -q -y -o Dpkg::Use-Pty=0 remove linesies
    check "the game and the settings are kept, the program is gone" \
        sh -c 'test -s /var/lib/linesies/journal.sqlite && test -e /etc/linesies/linesies.toml && test ! -e /opt/linesies && test ! -e /usr/bin/linesies'
    check "is purged" apt-get -q -q -y -o Dpkg::Use-Pty=0 purge linesies
    check "the game is kept all the same" sh -c 'test -s /var/lib/linesies/journal.sqlite && test ! -e /etc/linesies'
    inside apt-get -q -q -y -o Dpkg::Use-Pty=0 purge python3-picamera2 python3-lgpio > "$work/log"
    check "installs where nothing of a Pi is, camera and pins left out" \
        unshared apt-get -q -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install /root/new.deb
    grep "linesies: all can be imported" "$work/log"
    check "the command answers there too" sh -c 'echo "$0" | linesies rule - > /dev/null' "$game"
    check "is purged again" apt-get -q -q -y -o Dpkg::Use-Pty=0 purge linesies
    [ -z "${OLDER:-}" ] || from_older
    umount -l "$root/proc" "$root/dev"
    rm -rf "$work"
    trap - EXIT
done
echo "install test passed: $releases"
