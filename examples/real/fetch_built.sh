#!/usr/bin/env bash
# fetch_built.sh PACKAGE DIRECTORY: unpacks a Debian package as it is installed into DIRECTORY/PACKAGE, if it is not there, and
# writes its version to DIRECTORY/PACKAGE.version. Nothing is installed. Status 3 if it cannot be had.
set -eu
package=$1
into=$2
[ -f "$into/$package.version" ] && exit 0

cannot() {
    echo "$package: the package cannot be fetched: $1" >&2
    exit 3
}
type -P apt-get >/dev/null || cannot "there is no apt-get"
mkdir -p "$into"
place=$(mktemp -d "$into/fetching.XXXXXX")
trap 'rm -rf "$place"' EXIT
(cd "$place" && apt-get -qq -o APT::Sandbox::User= -o Acquire::Retries=1 -o Acquire::http::Timeout=20 download "$package") >"$place/log" 2>&1 ||
    cannot "$(grep -m1 '^E:' "$place/log" || tail -n 1 "$place/log")"
dpkg-deb -x "$place"/*.deb "$place/files"
version=$(dpkg-deb -f "$place"/*.deb Version)
rm -rf "${into:?}/$package"
mv "$place/files" "$into/$package"
echo "$version" >"$into/$package.version"
