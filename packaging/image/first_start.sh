#!/bin/sh
# What a card does for itself: `grow` its root to the card's size, `ssh` for an owner whose key lies on the card, `tell`
# on the card's first partition how to reach the box.
#
# That partition can be read and written by any computer, so that nobody needs a screen or a password.
set -eu
card=/boot/firmware
grown=/var/lib/linesies-grown

grow() {
    test ! -e "$grown" || return 0 # the table of a card in use is not written again
    root=$(findmnt --noheadings --output SOURCE /)
    disk=/dev/$(lsblk --noheadings --output PKNAME "$root")
    echo ', +' | sfdisk --quiet --force --no-reread -N 2 "$disk"
    partx --update --nr 2 "$disk"
    resize2fs "$root"
    touch "$grown"
}

ssh() {
    id owner > /dev/null 2>&1 || {
        useradd --create-home --shell /bin/bash --groups sudo owner
        printf 'owner ALL=(ALL) NOPASSWD: ALL\n' > /etc/sudoers.d/owner
        chmod 440 /etc/sudoers.d/owner
    }
    install -d -m 700 -o owner -g owner ~owner/.ssh
    install -m 600 -o owner -g owner "$card/authorized_keys" ~owner/.ssh/authorized_keys
    ssh-keygen -A
    systemctl --no-block enable --now ssh.service
}

tell() {
    network=$(/opt/linesies/bin/linesies hotspot ready 2>&1 > /dev/null) # what fails ends this, and is in the log
    codes=$(runuser -u linesies -- /opt/linesies/bin/linesies status /var/lib/linesies --codes)
    {
        echo "How to reach this box. Whoever has this file may referee."
        echo
        echo "$network" | tail -n 1
        echo "$codes" | head -n 1
    } > "$card/linesies.txt.new"
    mv "$card/linesies.txt.new" "$card/linesies.txt"
    sync --file-system "$card" # whoever reads it may pull the power first
    install -d /run/issue.d # a screen shows it as well
    sed -n 3p "$card/linesies.txt" > /run/issue.d/linesies-network.issue
}

"$1"
