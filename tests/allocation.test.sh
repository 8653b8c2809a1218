#!/usr/bin/env bash
# Every allocation of the command is checked: it asks base/alloc.h, which never answers null. The runtime asks base/mem.h.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# unchecked SOURCE: calls of the C library's allocators. The runtime, the recorder and the injector define them, and so do nodes of a cluster for
# protocols. OpenMP's runtime is part of the program under test.
unchecked() {
    local calls='malloc|calloc|realloc|reallocarray|strn?dup|v?asprintf|getline|getdelim|open_memstream'
    (cd "$1" && grep -rnE "(^|[^A-Za-z0-9_\"])($calls)\(" --include='*.[ch]' .) |
        grep -vE '^\./(base/alloc\.c|target/nodes/memory\.c|target/threads/|recorder/|injector/|worker/|openmp/)' |
        grep -vE '^[^:]*:[0-9]*: *//|alloc_checked\(open_memstream\('
}
unchecked "$ROOT/src" >out && fail "allocations that nobody checks: $(cat out)"

cp -r "$ROOT/src" copy
echo 'static char *copy_of(const char *text) { return strdup(text); }' >>copy/report/report_text.c
unchecked copy >out || fail 'an unchecked strdup is not noticed'
grep -q '^\./report/report_text\.c:' out || fail "it is not said where: $(cat out)"
finish
