#!/usr/bin/env bash
# Programs that were built before are used again, and only if nothing that they are made of has changed.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

export HEDDLE_CACHE=$PWD/cache
cat >limit.h <<'END'
#define LIMIT 2
END
cat >program.c <<'END'
#include <assert.h>
#include <pthread.h>
#include "limit.h"
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(n == LIMIT);
    return 0;
}
END

kept() { find cache -type f | wc -l; }

# judged WHAT VERDICT KEPT OPTION…: the verdict on program.c, and how many programs are kept then.
judged() {
    local what=$1 verdict=$2 number=$3
    shift 3
    check "$@" program.c
    expect "$what" "$verdict"
    [ "$(kept)" = "$number" ] || fail "$what: $(kept) programs are kept, not $number"
}

# compiled: whether the compiler, which notes its runs, was asked to compile; it always preprocesses.
cat >compiler <<'END'
#!/bin/sh
case " $* " in *" -c "*) echo compiled >>compiled ;; esac
exec gcc "$@"
END
chmod +x compiler
export HEDDLE_CC=$PWD/compiler
compiled() { [ -f compiled ] && rm compiled; }

judged 'the first time' verified 1
compiled || fail 'the first time: nobody compiled'
judged 'again' verified 1
compiled && fail 'again: it was compiled'
judged 'without the cache' verified 1 --no-cache
compiled || fail '--no-cache: nobody compiled'
judged 'other flags' verified 2 --cflags -O0
judged 'a search for races, which needs other code' verified 3 --only races

# What a program is made of.
echo '#define LIMIT 3' >limit.h
judged 'a header that changed' bug 4
echo '#define LIMIT 2' >limit.h
compiled
judged 'a header that changed back' verified 4
compiled && fail 'a header that changed back: it was compiled'
echo '// nothing' >>program.c
judged 'a comment' verified 5
mkdir first second
mv limit.h second
judged 'a header elsewhere' verified 6 --cflags '-Ifirst -Isecond'
echo '#define LIMIT 3' >first/limit.h
judged 'a header in front of another' bug 7 --cflags '-Ifirst -Isecond'
mv second/limit.h .
touch -d '2001-01-01' compiler
judged 'another compiler' verified 8
cp limit.h program.c second
(cd second && heddle check program.c) || fail "another directory: $(cat second/err)"
[ "$(kept)" = 9 ] || fail "another directory: $(kept) programs are kept, not 9"

# What is not kept.
sed 's/^int main/static int unused;\n&/' program.c >warned.c
for time in first second; do
    heddle check --cflags -Wall warned.c
    grep -q "defined but not used" err || fail "a warning, the $time time: $(cat err)"
done
sed 's/^int main/__asm__(".section .rodata\\n.incbin \\"limit.h\\"\\n.text");\n&/' program.c >included.c
heddle check included.c
[ $status -ne 2 ] || fail "a file that the assembler includes: $(cat err)"
echo 'int main(void) { return 0 }' >wrong.c
for time in first second; do
    heddle check wrong.c
    [ $status -eq 2 ] && grep -q "expected" err && grep -q "wrong.c does not compile" err || fail "an error, the $time time: status $status, $(cat err)"
done
[ "$(kept)" = 9 ] || fail "what cannot be kept: $(kept) programs are kept, not 9"

# Damage.
for entry in cache/*; do truncate -s -1 "$entry"; done
compiled
judged 'cut programs' verified 9
compiled || fail 'cut programs: nobody compiled'
for entry in cache/*; do printf x | dd of="$entry" bs=1 seek=9000 conv=notrunc status=none; done
judged 'changed programs' verified 9
compiled || fail 'changed programs: nobody compiled'
judged 'whole again' verified 9
compiled && fail 'whole again: it was compiled'

# A bug of a program that was not compiled anew has the same report and the same schedule.
echo '#define LIMIT 3' >limit.h
for time in first second; do
    heddle check --schedule "$time.hd" program.c
    sed 's/[0-9.]* s;/s;/; s/first.hd/FILE/; s/second.hd/FILE/' out >"$time.out"
done
cmp first.out second.out || fail 'the reports differ'
heddle replay second.hd
[ $status -eq 1 ] || fail "the schedule: status $status, $(cat err)"

# A folder that others may write to is not used, nor one that cannot be made.
number=$(kept)
rm -f compiled
chmod 777 cache
judged 'a folder of everybody' bug "$number"
compiled || fail 'a folder of everybody: nobody compiled'
HEDDLE_CACHE=/dev/null/cache check program.c
expect 'a folder that cannot be made' bug
nothing_left cache
finish
