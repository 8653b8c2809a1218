#!/usr/bin/env bash
# Calls of libraries: what is known is seen, what is not known is named and never verified, unless it is trusted; each name in the
# table is one of a function that there is.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

ONLY=$(echo "$ROOT"/tests/library/*.cc) bash "$ROOT/tests/programs.test.sh" >wrong 2>&1 || fail "$(cat wrong)"

# of TABLE: the names in it.
of() {
    sed -n "/^static const struct group $1\[\]/,/^};/p" "$ROOT/src/target/threads/library/library_table.c" | grep -o '"[^"]*"' | tr -d '"' |
        tr ' ' '\n' | grep -v '^~\?[a-zA-Z][1-6]\([:*-].*\)\?$' | grep -v '^~\?$' | sort -u
}
exported() { nm -D --defined-only "$("${CC:-gcc}" -print-file-name="$1")" | sed 's/.* //; s/@.*//' | sort -u; }
{ exported libc.so.6; exported libm.so.6; printf '%s\n' __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable; } | sort -u >there
# missing TABLE: names in it that are not among those in the file `there`.
missing() {
    of "$1" | while IFS= read -r name; do
        grep -qx -- "${name//\*/.*}" there || echo "$name"
    done | tr '\n' ' '
}
not_there=$(missing c_library)
[ -z "$not_there" ] || fail "functions that are not there: $not_there"
exported libstdc++.so.6 >there
not_there=$(missing cxx_library)
[ "$(wc -w <<<"$not_there")" -le 5 ] || fail "functions of C++ that are not there: $not_there" # releases differ

what='an unknown function'
check "$CASES/library_unknown.c"
expect "$what" incomplete
grep -q "\"reason\":.*what memory is used by \`getpwuid' (libc.so.6), called at .*library_unknown.c:9 (--trust getpwuid" report.json ||
    fail "$what: $(grep '"reason"' report.json)"
for name in getpwuid libc.so.6 'other,getpwuid'; do
    check --trust "$name" "$CASES/library_unknown.c"
    expect "--trust $name" verified
    grep -q "getpwuid': they do nothing to memory that threads share, as --trust says" report.json || fail "--trust $name is no assumption"
done
check --trust getpwnam "$CASES/library_unknown.c"
expect '--trust of another' incomplete
check "$CASES/library_not_called.c"
grep -q "what \`getpwuid' did to memory while there was no other thread was not seen" report.json || fail 'an early call is no assumption'
for wrong in '' , a,,b; do
    heddle check --trust "$wrong" "$CASES/library_unknown.c"
    [ "$status" -eq 2 ] || fail "--trust '$wrong': status $status"
done

# A library of the program's own, by another compiler and by heddle cc.
printf 'int half(int x)\n{\n    return x / 2;\n}\n' >half.c
cat >use.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
int half(int);
static atomic_int sum;
static void *work(void *unused)
{
    sum += half(4);
    sum += half(6);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return sum != 10;
}
END
gcc -shared -fPIC half.c -o libhalf.so && heddle cc use.c -L. -lhalf -Wl,-rpath,"$PWD" -o use -pthread
check ./use
expect 'a foreign library' incomplete
grep -q "\`half' (libhalf.so)" report.json || fail "a foreign library: $(grep '"reason"' report.json)"
[ "$(field restart)" = replay ] || fail "a foreign library: restart $(field restart)"
check --trust libhalf.so --exit-status ./use
expect 'a trusted library' verified

# A lock in a library without hooks: nobody sees it, so nobody accuses what it protects.
cat >spin.c <<'END'
static char held;
void spin_lock(void) { while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE)) ; }
void spin_unlock(void) { __atomic_clear(&held, __ATOMIC_RELEASE); }
END
cat >spins.c <<'END'
#include <pthread.h>
void spin_lock(void);
void spin_unlock(void);
static int count;
static void *work(void *unused)
{
    spin_lock();
    count++;
    spin_unlock();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return count != 2;
}
END
gcc -shared -fPIC spin.c -o libspin.so && heddle cc spins.c -L. -lspin -Wl,-rpath,"$PWD" -o spins -pthread
check ./spins
expect 'a lock in a foreign library' incomplete
grep -q "\`spin_.*lock' (libspin.so)" report.json || fail "a lock in a foreign library: $(grep '"reason"' report.json)"

heddle cc -shared -fPIC half.c -o libhalf.so
check --exit-status ./use
expect 'a library by heddle cc' verified
[ "$(field restart)" = undo ] || fail "a library by heddle cc: restart $(field restart)"
finish
