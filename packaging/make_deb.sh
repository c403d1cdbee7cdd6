#!/bin/sh
# Builds dist/linesies_VERSION_all.deb from this tree. Needs dpkg-deb and a python3 that can build wheels ($PYTHON).
#
# The package holds our own wheel, the units and the documentation. What Debian and Raspberry Pi OS have comes from
# them; the rest is fetched by pip when the package is configured, into a virtual environment of its own in /opt/linesies.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
version=${VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
root=$tree/root

install -d "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/linesies" "$root/usr/lib/systemd/system" \
    "$root/usr/share/doc/linesies" "$root/etc/avahi/services" "$root/etc/issue.d"
git archive --format=tar HEAD | (mkdir "$tree/source" && tar -x -C "$tree/source")
rm "$tree/source/linesies/simulator" # a box has a street of its own
"$python" -m pip wheel -qq --no-deps --wheel-dir "$tree/wheel" "$tree/source"
install -m 644 "$tree"/wheel/linesies-*.whl "$root/usr/share/linesies/"
install -m 755 packaging/set_up.sh "$root/usr/share/linesies/set_up"
install -m 755 packaging/sign.sh "$root/usr/share/linesies/sign"
install -m 644 packaging/self_test.py "$root/usr/share/linesies/self_test.py"
install -m 644 systemd/linesies* "$root/usr/lib/systemd/system/"
install -m 644 packaging/avahi.service "$root/etc/avahi/services/linesies.service"
install -m 644 README.md CHANGELOG.md "$root/usr/share/doc/linesies/"
install -m 644 LICENSE "$root/usr/share/doc/linesies/copyright"
if [ -d docs ]; then cp -r docs/. "$root/usr/share/doc/linesies/"; fi
ln -s /opt/linesies/bin/linesies "$root/usr/bin/linesies"
ln -s /run/linesies/sign.issue "$root/etc/issue.d/linesies.issue"
for script in postinst prerm postrm; do
    install -m 755 "packaging/$script" "$root/DEBIAN/$script"
done
echo /etc/avahi/services/linesies.service > "$root/DEBIAN/conffiles"
sed "s/@VERSION@/$version/" packaging/control > "$root/DEBIAN/control"
find "$root/usr/share/doc" -type d -exec chmod 755 {} +
find "$root/usr/share/doc" -type f -exec chmod 644 {} +

mkdir -p dist
dpkg-deb --root-owner-group --build "$root" "dist/linesies_${version}_all.deb"
