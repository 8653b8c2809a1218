#!/usr/bin/env bash
# SQLite: threads that share a connection, connections that share a cache in memory. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
long || finish # making and compiling it takes longer than the short part may
source_of sqlite3

# All of it in one file, sqlite3.c, made by its own makefile.
amalgamation() {
    [ -f made/sqlite3.c ] && return
    type -P tclsh >/dev/null || stop "sqlite3.c cannot be made without tclsh (package tcl)"
    rm -rf made
    mkdir made
    (cd made && "$SOURCE/configure" --disable-tcl && make sqlite3.c) >make.log 2>&1 ||
        stop "sqlite3.c cannot be made: $(tail -n 3 make.log)"
}

# database PROGRAM SQLITE3.C
database() {
    current "$1.o" || compile "$1.o" -O1 -c -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION "$2"
    compile "$1" -O1 -Imade "$HERE/threads.c" "$1.o" -pthread -lm
}

amalgamation
database sqlite made/sqlite3.c
check "threads share a connection" sqlite verified --restart undo
check "connections share a cache" sqlite clean --restart undo --time 2m
check "two threads initialise the library" sqlite "bug race" --restart undo

lines=2 seeded unlocked.c made/sqlite3.c '/^SQLITE_API int sqlite3_exec(/,/^}/{/sqlite3_mutex_.*(db->mutex);/d}'
database unlocked unlocked.c
check "threads share a connection" unlocked "bug race" --restart undo
finish
