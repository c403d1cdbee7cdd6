#!/bin/sh
# Builds dist/linesies_VERSION_ARCH.deb from this tree (ARCH=arm64 or amd64; else this machine's). Needs dpkg-deb, the
# network, and a python3 that can build wheels ($PYTHON).
#
# The package holds our own wheel, those of the libraries it was built with, the units and the documentation. A box
# fetches nothing but what Debian and Raspberry Pi OS have themselves; it is installed without a network where that is
# there already.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
version=${VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)}
arch=${ARCH:-$(dpkg --print-architecture)}
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
packaging/wheels.sh "$tree"/wheel/linesies-*.whl "$tree/wheels" "$arch"
install -d "$root/usr/share/linesies/wheels"
install -m 644 "$tree"/wheels/*.whl "$root/usr/share/linesies/wheels/"
(cd "$root/usr/share/linesies" && sha256sum linesies-*.whl wheels/*.whl) > "$root/usr/share/linesies/SHA256SUMS"
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
sed "s/@VERSION@/$version/; s/@ARCH@/$arch/" packaging/control > "$root/DEBIAN/control"
find "$root/usr/share/doc" -type d -exec chmod 755 {} +
find "$root/usr/share/doc" -type f -exec chmod 644 {} +

mkdir -p dist
# wheels are packed already: packing them again takes minutes and saves nothing
dpkg-deb --root-owner-group -Znone --build "$root" "dist/linesies_${version}_$arch.deb"
