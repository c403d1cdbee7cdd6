#!/bin/sh
# The page is tested in a real browser: finds Chromium, installs Debian's where it may, else says what to do.
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing chromium for the browser tests ..."
    if { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1; then exit 0; fi
fi
echo "linesies: no Chromium here, so the browser tests will be skipped; run: sudo apt install chromium" >&2
