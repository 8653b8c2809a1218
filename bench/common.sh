# What the scripts of bench/ begin with: they read it by `. common.sh`, and are then in an empty folder that is removed at the end.
# ROOT is the source tree, BUILD where it was built, HEDDLE the command.
set -u
ROOT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
BUILD=$(realpath -m -- "${BUILD:-$ROOT/build}")
HEDDLE=${HEDDLE:-$BUILD/heddle}

work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work

# field NAME: a field of report.json.
field() { sed -n "s/^	\"$1\":[[:space:]]*\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" report.json | head -n 1; }
