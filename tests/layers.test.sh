#!/bin/bash
# Folders of src/ include only what is below them, and the script that says so would notice if they did not.
# shellcheck source=data/common.sh
. "$(dirname "$0")/data/common.sh"
LAYERS=$ROOT/scripts/layers.sh

"$LAYERS" >out || fail "includes that point upwards: $(cat out)"
"$LAYERS" --edges | grep -q '^explore model [1-9]' || fail "--edges does not say that explore includes model"

# notices FILE HEADER: that it includes this one, if it does.
notices() {
    rm -rf copy
    cp -r "$ROOT/src" copy
    echo "#include \"$2\"" >>"copy/$1"
    "$LAYERS" copy >out && fail "that $1 includes $2 is not noticed"
    grep -q "^src/$1 includes $2: " out || fail "it is not said that $1 includes $2: $(cat out)"
}
notices model/exec.c explore/search.h
notices explore/search.c target/threads/engine/engine.h
notices target/threads/engine/target.c explore/search.h
notices report/text.c cli/commands.h
finish
