#!/bin/sh
# pack.sh ROOT: packs a root as $FOLDER/$NAME.img.xz with two partitions, its /boot/firmware (FAT) and the rest (ext4),
# and writes $FOLDER/$NAME.json, the entry for Raspberry Pi Imager. Mounts nothing.
#
# $DEVICES says which Pis it is for (the Imager's words), $URL where it will lie, $DISK_ID what its partitions are called
# after, $SOURCE_DATE_EPOCH the newest time of a file in it.
set -eu
root=$1
image=$FOLDER/$NAME.img
json=$FOLDER/$NAME.json
mib=1048576
boot_mib=${BOOT_MIB:-512}
mkdir -p "$FOLDER"
work=$(mktemp -d "${TMPDIR:-/var/tmp}/linesies-pack.XXXXXX")
trap 'rm -rf "$work"' EXIT
E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH
export E2FSPROGS_FAKE_TIME
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +

mkfs.vfat -F 32 -n LINESIES --invariant -C "$work/boot" $((boot_mib * 1024)) > /dev/null
mcopy -i "$work/boot" -s -m -Q "$root"/boot/firmware/* ::/
mkdir "$work/firmware"
mv "$root"/boot/firmware/* "$work/firmware/"

used_mib=$(du --summarize --block-size=$mib --apparent-size "$root" | cut -f 1)
files=$(find "$root" | wc -l)
root_mib=$((used_mib * 5 / 4 + files / 200 + 64)) # small files take a block each
uuid=$DISK_ID-0000-4000-8000-000000000000
mkfs.ext4 -q -L linesies -U "$uuid" -E "hash_seed=$uuid,lazy_itable_init=0,lazy_journal_init=0" -m 1 -d "$root" "$work/root" "${root_mib}M"

truncate -s $(((4 + boot_mib + root_mib) * mib)) "$image"
printf 'label: dos\nlabel-id: 0x%s\nstart=4MiB, size=%sMiB, type=c, bootable\nstart=%sMiB, size=%sMiB, type=83\n' \
    "$DISK_ID" "$boot_mib" $((4 + boot_mib)) "$root_mib" | sfdisk --quiet "$image"
dd if="$work/boot" of="$image" bs=$mib seek=4 conv=notrunc,sparse status=none
dd if="$work/root" of="$image" bs=$mib seek=$((4 + boot_mib)) conv=notrunc,sparse status=none
xz --keep --force --threads=0 "$image"

sum() { sha256sum "$1" | cut -d ' ' -f 1; }
{
    printf '{\n  "os_list": [\n    {\n'
    printf '      "name": "Linesies",\n'
    printf '      "description": "Camera referee for Skully and card tables. Opens its own network on first start.",\n'
    printf '      "icon": "%s",\n' "${ICON:-data:image/svg+xml;base64,$(base64 -w 0 "$(dirname "$0")/../../web/static/icon.svg")}"
    printf '      "url": "%s",\n' "${URL:-file://$(realpath "$image.xz")}"
    printf '      "extract_size": %s,\n      "extract_sha256": "%s",\n' "$(stat -c %s "$image")" "$(sum "$image")"
    printf '      "image_download_size": %s,\n      "image_download_sha256": "%s",\n' "$(stat -c %s "$image.xz")" "$(sum "$image.xz")"
    printf '      "release_date": "%s",\n      "init_format": "none",\n' "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)"
    printf '      "devices": ["%s"]\n    }\n  ]\n}\n' "$(echo "$DEVICES" | sed 's/ /", "/g')"
} > "$json"
echo "linesies: $image.xz, $(($(stat -c %s "$image.xz") / mib)) MiB, and $json for Raspberry Pi Imager"
