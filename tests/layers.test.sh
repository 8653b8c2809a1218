#!/usr/bin/env bash
# Folders of src/ include only what is below them, and rooms are entered only by their front door. The script that says so would
# notice if it were not so.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
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
notices explore/search.c target/threads/engine/engine_room.h
notices target/threads/engine/target.c explore/search.h
notices report/report_text.c cli/commands.h
notices target/threads/pthread/mutexes.c target/threads/engine/turn.h
notices worker/worker.c target/threads/memory/image.h
notices target/threads/libc/public.h target/threads/pthread/rwlocks.h

# A door of its own makes a room of any folder.
rm -rf copy
cp -r "$ROOT/src" copy
echo '#include "lin/inventor.h"' >copy/lin/lin_room.h
"$LAYERS" copy >out && fail "that others include inner headers of a new room is not noticed"
grep -q ' includes lin/[a-z_]*.h: that is inside a room; its front door is lin/lin_room.h$' out || fail "a new room: $(cat out)"
notices history/judge.c report/quote.h
notices repair/cause.c report/quote.h
finish
