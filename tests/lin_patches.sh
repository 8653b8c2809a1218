#!/usr/bin/env bash
# tests/lin_patches.sh [NAME[:BUG]…]: for each seeded bug of examples/lin (or of these) takes the patch that heddle lin suggests,
# applies it, and explores the object with two calls more than the bounds in which it was found. None may fail.
#
# REPAIR=SECONDS for finding the patch (30), TIME=SECONDS for exploring what it makes (120). Ends with how many held, how
# many of those within the time only, and for how many bugs there was none; status 1 if one failed.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
HEDDLE=${HEDDLE:-${BUILD:-$ROOT/build}/heddle}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work

wanted=("$@")
if [ $# -eq 0 ]; then
    for source in "$ROOT"/examples/lin/*.c; do
        for bug in $(sed -n 's|^// BUG=\([0-9]*\):.*|\1|p' "$source"); do wanted+=("$(basename "$source" .c):$bug"); done
    done
fi

held=0 in_time=0 none=0 failed=0
# try NAME BUG
try() {
    local name=$1 bug=$2 options status
    read -ra options < <(sed -n 's|^// options: ||p' "$ROOT/examples/lin/$name.c")
    cp "$ROOT/examples/lin/$name.c" . && rm -f lock.patch
    "$HEDDLE" lin "$name.c" --cflags "-DBUG=$bug" "${options[@]}" --grow 0 --explain 0 --repair "${REPAIR:-30}" \
        --suggest-lock lock.patch >found 2>&1
    status=$?
    if [ $status -ne 1 ]; then
        echo "FAIL      $name BUG=$bug: status $status without the patch: $(head -n 2 found | tr '\n' ' ')"
        failed=$((failed + 1))
        return
    fi
    if [ ! -s lock.patch ]; then
        echo "no patch  $name BUG=$bug:$(sed -n '/^repair/,/^all/p' found | grep -v '^repair\|^all\|forbids\|would have' | tail -n 1)"
        none=$((none + 1))
        return
    fi
    if ! patch -s -p1 <lock.patch >applied 2>&1; then
        echo "FAIL      $name BUG=$bug: the patch does not apply: $(head -n 1 applied)"
        failed=$((failed + 1))
        return
    fi
    # Two calls more than the bounds of three threads with two calls each, four in all.
    "$HEDDLE" lin "$name.c" --cflags "-DBUG=$bug" "${options[@]}" --calls 4 --total 6 --grow 0 --explain 0 --repair 0 \
        --time "${TIME:-120}" >after 2>&1
    status=$?
    case $status in
    0) held=$((held + 1)) ;;
    3) held=$((held + 1)) in_time=$((in_time + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    case $status in
    0 | 3) echo "holds     $name BUG=$bug: $(sed -n 's/.*with a mutex around \(.*\), see the patch.*/\1/p' found); $(head -n 1 after | sed 's/:.*//'), $(sed -n 's/^  \([0-9]* client[^,]*\),.*/\1/p' after)" ;;
    *) echo "FAIL      $name BUG=$bug: status $status with the patch: $(head -n 4 after | tr '\n' ' ')" ;;
    esac
}

for what in "${wanted[@]}"; do
    if [ "$what" != "${what%:*}" ]; then
        try "${what%:*}" "${what#*:}"
    else
        for bug in $(sed -n 's|^// BUG=\([0-9]*\):.*|\1|p' "$ROOT/examples/lin/$what.c"); do try "$what" "$bug"; done
    fi
done
echo "$held hold ($in_time of them as far as the time went), $failed fail, $none without a patch"
[ $failed -eq 0 ]
