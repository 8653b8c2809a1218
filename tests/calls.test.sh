#!/usr/bin/env bash
# docs/calls.md says of every call what heddle does with it. Here: every function that the C library exports with a name of
# threads or semaphores is there; what is said to be followed or refused is defined by the runtime; what is said to be
# harmless is known to the runtime as such; whatever the runtime refuses, altogether or on some descriptors, is said to be
# refused.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
runtime=$(dirname "$HEDDLE")/libheddle.so

# stated WORD: the calls of which the page says so, one a line
stated() {
    awk -F'|' -v word="$1" '$3 ~ "^ *" word " *$" { print $2 }' "$ROOT/docs/calls.md" | grep -o '`[^`]*`' | tr -d '`' | sort -u
}

libc=$(ldd "$runtime" | sed -n 's/.*=> \(.*libc\.so[^ ]*\).*/\1/p')
[ -n "$libc" ] || { echo "the C library was not found" && exit 1; }
nm -D --defined-only "$libc" | awk '$2 ~ /[TWi]/ { print $3 }' | sed 's/@.*//' |
    grep -E '^(_*pthread_|sem_|thrd_|mtx_|cnd_|tss_|call_once$)' | sort -u >exported
nm -D --defined-only "$runtime" | awk '{ print $3 }' | sed 's/@.*//' | sort -u >defined
{
    sed -n 's/^REFUSED([^,]*, *\([a-z_A-Z0-9]*\),.*/\1/p' "$ROOT"/src/target/threads/pthread/refused.c
    sed -n -E 's/^EXEC(_LIST)?\(([a-z]*),.*/\2/p' "$ROOT"/src/target/threads/outside/processes.c
} | sort -u >refusing
awk -F', *' '/^REFUSED_ON\(/ { print $3 }' "$ROOT"/src/target/threads/descriptor/fd_refused.c | sort -u >refusing-there
stated followed >followed
stated harmless >harmless
stated refused >refused
stated 'refused there' >refused-there
sort -u followed harmless refused refused-there >all

[ "$(wc -l <exported)" -gt 100 ] || fail "the C library's exports were not read"
for name in $(comm -23 exported all); do fail "$name is exported by the C library and not in docs/calls.md"; done
for name in $(sort followed refused refused-there | uniq -d) $(sort followed harmless | uniq -d) $(sort harmless refused | uniq -d); do
    fail "docs/calls.md says two things of $name"
done
for name in $(sort -u followed refused refused-there | comm -23 - defined); do fail "$name is not defined by the runtime"; done
for name in $(comm -12 harmless defined); do fail "$name is said to be harmless and is not left to the C library"; done
while read -r name; do
    grep -Eq "[\" ]$name[\" ]" "$ROOT/src/target/threads/library/library_table.c" || fail "$name is said to be harmless and not known as such"
done <harmless
for name in $(comm -3 refused refusing); do fail "docs/calls.md and refused.c do not agree on $name"; done
for name in $(comm -3 refused-there refusing-there); do fail "docs/calls.md and fd_refused.c do not agree on $name"; done
finish
