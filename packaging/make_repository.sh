#!/bin/sh
# make_repository.sh FOLDER: makes the packages in dist/ (or $PACKAGES) an apt repository of static files in a folder, for any web server.
#
# Signed where a key is named (KEY=..., for gpg); else who uses it must say that he trusts it. Needs apt-utils.
set -eu
folder=${1:-dist/apt}
packages=${PACKAGES:-dist}
cd "$(dirname "$0")/.."
command -v apt-ftparchive > /dev/null || { echo "linesies: there is no apt-ftparchive here; run: sudo apt install apt-utils" >&2; exit 2; }
ls "$packages"/linesies_*.deb > /dev/null 2>&1 || { echo "linesies: there is no package in $packages; run: make deb ARCH=arm64" >&2; exit 2; }
mkdir -p "$folder/pool"
cp "$packages"/linesies_*.deb "$folder/pool/"
cd "$folder"
for arch in arm64 amd64; do
    mkdir -p "dists/stable/main/binary-$arch"
    apt-ftparchive --arch "$arch" packages pool > "dists/stable/main/binary-$arch/Packages"
    gzip -9 -k -f "dists/stable/main/binary-$arch/Packages"
done
rm -f dists/stable/Release dists/stable/InRelease
apt-ftparchive -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Components=main \
    -o "APT::FTPArchive::Release::Architectures=arm64 amd64" release dists/stable > Release.new
mv Release.new dists/stable/Release
if [ -n "${KEY:-}" ]; then
    gpg --batch --yes --local-user "$KEY" --clearsign --output dists/stable/InRelease dists/stable/Release
    gpg --batch --yes --local-user "$KEY" --export --armor > linesies.asc
fi
