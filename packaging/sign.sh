#!/bin/sh
# What a screen shows that is plugged into the box, before anybody logs in (agetty reads it through /etc/issue.d): where
# the page is, \4 being the box's address, and the code that makes a phone the referee's.
umask 077
{
    printf '%s\n' 'Linesies: the page is at http://linesies.local:8642/ or http://\4:8642/'
    /opt/linesies/bin/linesies status /var/lib/linesies --codes | head -n 1
    printf '\n'
} > /run/linesies/sign.issue
