#!/usr/bin/env bash
# Documents name only what exists, and the script that says so would notice if they did not.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
NAMES=$ROOT/scripts/names.sh

"$NAMES" >out || fail "names that do not exist: $(cat out)"

mkdir copy
for part in src include tests examples bench scripts docs Makefile README.md; do cp -r "$ROOT/$part" copy; done
: >copy/tests/names.test.sh                             # which has the following names itself
echo '// only_a_comment has this' >>copy/src/base/mem.c # so it does not exist
echo 'of_somebody_else # and this does' >>copy/scripts/names.txt
cat >copy/docs/json.md <<'END'
`explore/no_such_file.c` `src/nowhere/` `nobody_defines_this` `HEDDLE_NO_SUCH_VARIABLE` `--no-such-option` `make no-such-target`
`heddle unravel` `only_a_comment` `of_somebody_else` `explore/optimal.c` `src/base/` `heddle_assert` `HEDDLE_CC` `--strategy` `make check`
END
cp copy/src/base/mem.c copy/src/check
"$NAMES" copy >out && fail 'it notices nothing'
sed 's/^/docs\/json.md:/' >wanted <<'END'
1: there is no file or folder `explore/no_such_file.c`
1: there is no file or folder `src/nowhere/`
1: nothing is called `nobody_defines_this`
1: nothing is called `HEDDLE_NO_SUCH_VARIABLE`
1: there is no option `--no-such-option`
1: the Makefile has no target for `make no-such-target`
2: there is no command `heddle unravel`
2: nothing is called `only_a_comment`
END
echo 'src has two files that are called mem.c: base/mem.c check/mem.c ' >>wanted
cmp -s wanted out || fail "it says otherwise than expected: $(diff wanted out)"
finish
