#!/usr/bin/env bash
# mimalloc: an allocator on memory that it maps itself. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
source_of mimalloc

# allocator PROGRAM DIRECTORY: src/static.c includes all other sources.
allocator() { compile "$1" -O1 -pthread -DNDEBUG -DMI_STAT=0 -I"$SOURCE/include" -I"$SOURCE/src" "$HERE/free.c" "$2/static.c"; }

allocator free "$SOURCE/src"
check "two threads free what a third allocated" free verified
check "two threads free the first blocks of a page" free verified
check "one frees while the other allocates" free verified
long && check "two threads allocate" free clean --time 60s

# The list of blocks that others freed is written without looking whether it is still the one that was read.
rm -rf src && cp -r "$SOURCE/src" src
seeded src/alloc.c "$SOURCE/src/alloc.c" \
    's/^  } while (!mi_atomic_cas_weak_release(&page->xthread_free, &tfree, tfreex));/  } while ((mi_atomic_store_release(\&page->xthread_free, tfreex), false));/'
allocator free_lost src
check "two threads free what a third allocated" free_lost "bug assertion"
finish
