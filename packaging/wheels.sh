#!/bin/sh
# wheels.sh WHEEL FOLDER ARCH: fetches everything that our wheel needs on a box into a folder, for each release.
#
# What the system brings (packaging/releases) is left to it. Wheels alone are taken: nothing is built on a box.
set -eu
wheel=$1 folder=$2 arch=$3
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
case $arch in
    arm64) machine=aarch64 ;;
    amd64) machine=x86_64 ;;
    *) echo "linesies: there are wheels for arm64 and amd64, none for $arch; install with pip instead" >&2; exit 2 ;;
esac
platforms=
for libc in manylinux2014 manylinux_2_17 manylinux_2_24 manylinux_2_27 manylinux_2_28; do # Bookworm has glibc 2.36
    platforms="$platforms --platform ${libc}_$machine"
done
mkdir -p "$folder"
grep -v '^#' "$here/releases" | while read -r release version own; do
    echo "$own" | tr ' ' '\n' > "$folder/own"
    # shellcheck disable=SC2086 # the platforms are several words
    "$python" -m pip download --quiet --disable-pip-version-check --only-binary=:all: --python-version "$version" \
        $platforms --constraint "$folder/own" --dest "$folder" "$wheel" \
        || { echo "linesies: not all wheels for $release ($arch) can be had; is the network there?" >&2; exit 1; }
    for one in $own; do rm -f "$folder/${one%%==*}"-*.whl; done
done
rm -f "$folder/own" "$folder"/linesies-*.whl
