#!/bin/sh
# Makes or renews the virtual environment in /opt/linesies, writes first settings, and tests that all can be imported.
#
# The environment sees the system's packages, as picamera2 comes from there. The system's numpy is what picamera2 was
# built with, so pip is told to leave it alone. The rest comes from the wheels that this package brought, and from
# nowhere else: nothing is fetched.
set -eu
place=/opt/linesies
system=/usr/bin/python3

if [ -x "$place/bin/python" ] && [ "$("$place/bin/python" --version 2>&1)" != "$("$system" --version)" ]; then
    rm -rf "$place" # the system's Python was replaced under it
fi
[ -x "$place/bin/python" ] || "$system" -m venv --system-site-packages "$place"

constraints=$place/constraints.txt
"$system" - > "$constraints" <<'END'
from importlib.metadata import PackageNotFoundError, version

for name in ("numpy", "simplejpeg", "lgpio"):
    try:
        print(f"{name}=={version(name)}")
    except PackageNotFoundError:
        pass
END

cd /usr/share/linesies
sha256sum --check --quiet --strict SHA256SUMS || { echo "linesies: the package is damaged; fetch it again" >&2; exit 1; }
wheel=$(ls linesies-*.whl)
pip() {
    "$place/bin/python" -m pip --disable-pip-version-check --quiet "$@"
}
pip install --no-index --find-links wheels --constraint "$constraints" --upgrade-strategy only-if-needed "$wheel" || {
    echo "linesies: this package brings libraries for Python 3.11 (Bookworm) and 3.13 (Trixie); here is $("$system" --version)" >&2
    exit 1
}
pip install --no-index --force-reinstall --no-deps "$wheel" # the same version may have been built anew

settings=/etc/linesies/linesies.toml
if [ ! -e "$settings" ]; then
    "$place/bin/linesies" init - | sed \
        -e 's#^calibration = .*#calibration = "/var/lib/linesies/calibration.json"#' \
        -e 's#^caps = .*#caps = "/var/lib/linesies/caps.json"#' \
        -e 's#^state = .*#state = "/var/lib/linesies"#' > "$settings"
fi

"$place/bin/python" -P /usr/share/linesies/self_test.py
