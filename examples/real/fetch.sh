#!/usr/bin/env bash
# fetch.sh PACKAGE DIRECTORY [RELEASE]: unpacks the source of a Debian package into DIRECTORY/PACKAGE, if it is not there, and
# writes its version to DIRECTORY/PACKAGE.version. Status 3 if it cannot be had (no apt-get, no network).
#
# It comes from where this machine gets its packages from: the entries for binaries are read as entries for sources, in a
# configuration of its own below DIRECTORY, so that the machine's stays as it is. With RELEASE, the package is that of another
# release of Debian, from the same place, and goes into DIRECTORY/PACKAGE-RELEASE.
set -eu
package=$1
into=$2
release=${3:-}
name=$package${release:+-$release}
[ -f "$into/$name.version" ] && exit 0

cannot() {
    echo "$package: the source cannot be fetched: $1" >&2
    exit 3
}
type -P apt-get >/dev/null || cannot "there is no apt-get"
type -P dpkg-source >/dev/null || cannot "there is no dpkg-source (package dpkg-dev)"

mkdir -p "$into"
into=$(cd "$into" && pwd)
own=$into/apt${release:+-$release}
mkdir -p "$own/sources.list.d" "$own/lists/partial" "$own/cache/archives/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] && sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" >"$own/sources.list.d/$(basename "$file" .list).list"
done
for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"$own/sources.list.d/$(basename "$file")"
done
if [ -n "$release" ]; then
    place=$(sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\/debian\)\/*$/\1/p; s/^deb-src .*\(http[^ ]*\/debian\)\/* .*/\1/p' "$own"/sources.list.d/* | head -n 1)
    rm -f "$own"/sources.list.d/*
    [ -n "$place" ] || cannot "this machine does not say where Debian is"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $place $release main" >"$own/sources.list.d/release.list"
fi
options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$own/sources.list.d" -o "Dir::State::Lists=$own/lists"
    -o "Dir::Cache=$own/cache" -o APT::Sandbox::User= -o APT::Update::Error-Mode=any -o Acquire::Languages=none -o Acquire::Retries=1
    -o Acquire::http::Timeout=20)
why() { grep -m1 '^[EW]:' "$own/log" || tail -n 1 "$own/log"; }

if [ ! -f "$own/updated" ]; then
    apt-get "${options[@]}" update >"$own/log" 2>&1 || cannot "$(why)"
    touch "$own/updated"
fi
place=$(mktemp -d "$into/fetching.XXXXXX")
trap 'rm -rf "$place"' EXIT
# A mirror may list a version whose files it does not have; an older one will do.
versions() { apt-cache "${options[@]}" showsrc "$package" | sed -n 's/^Version: //p' | sort -rV; }
get() {
    local each
    for each in "" $(versions | sed 's/^/=/'); do
        (cd "$place" && apt-get "${options[@]}" source "$package$each") >"$own/log" 2>&1 && return
    done
    return 1
}
if ! get; then
    rm "$own/updated" # the lists may be old: the next call asks for new ones
    cannot "$(why)"
fi
version=$(sed -n 's/^Version: //p' "$place"/*.dsc | head -n 1)
rm -rf "${into:?}/$name"
mv "$(find "$place" -mindepth 1 -maxdepth 1 -type d)" "$into/$name"
echo "$version" >"$into/$name.version"
