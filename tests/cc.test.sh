#!/usr/bin/env bash
# The compiler driver, used as projects use a compiler.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
set -e
runtime=${HEDDLE_RUNTIME_DIR:-$(dirname "$HEDDLE")}
unset HEDDLE_CXX

# Each part builds on the ones before it, so the first failure ends the test.
fail() {
    echo "$*" >&2
    exit 1
}
# ends WANTED COMMAND…: the command must end with this status; what it prints is in `said`.
ends() {
    local wanted=$1 got=0
    shift
    "$@" >said 2>&1 || got=$?
    [ "$got" -eq "$wanted" ] || { cat said; fail "status $got instead of $wanted from: $*"; }
}
says() { grep -q -- "$1" said || { cat said; fail "'$1' expected in what was said"; }; }
clean() { nothing_left "${1:-heddle cc}"; }
hooked() { nm "$1" | grep -q __tsan_init || fail "$1 is not instrumented"; }
# linked EXECUTABLE: heddle's runtime comes first and is found, the sanitizer's is not there, addresses are fixed.
linked() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >needed
    [ "$(head -1 needed)" = libheddle.so ] || fail "$1: libheddle.so is not the first library: $(tr '\n' ' ' <needed)"
    ! grep -q tsan needed || fail "$1 is linked with the sanitizer's runtime"
    readelf -d "$1" | sed -n 's/.*PATH.*\[\(.*\)\]/:\1:/p' | grep -qF ":$runtime:" || fail "$1: no path to the runtime"
    readelf -h "$1" | grep -q 'EXEC' || fail "$1 is position-independent"
    hooked "$1"
}
foreign() { nm "$1" | sed -n 's/^0*\([0-9a-f]*\) A heddle_foreign_objects$/\1/p'; }

cat >half.c <<'END'
int half(int x) { return x / 2; }
END
cat >main.c <<'END'
#include <stdio.h>
int half(int);
volatile int twelve = 12;
int main(void) { printf("half is %d\n", half(twelve)); return 0; }
END

simple() {
    ends 0 "$HEDDLE" cc main.c half.c -o simple
    linked simple
    [ -z "$(foreign simple)" ] || fail "objects of its own taken for foreign"
    ends 0 ./simple
    says 'half is 6'
    ends 0 "$HEDDLE" cc -c main.c half.c
    hooked main.o
    nm main.o | grep -q __tsan_volatile_read4 || fail "volatile accesses are not told apart"
    ends 0 "$HEDDLE" cc -Wall -Werror main.o half.o -o simple2
    linked simple2
    ends 0 "$HEDDLE" cc -Wall -Werror main.o half.c -L. -lm -o simple3
    linked simple3
    rm -f main.o half.o
}

flags() {
    ends 0 "$HEDDLE" cc -O2 -flto -fPIE -pie -fsanitize=thread main.c half.c -o flags -Wl,--as-needed
    linked flags
    ends 0 "$HEDDLE" cc -fsanitize=thread,undefined -c half.c -o undefined.o
    hooked undefined.o
    for kind in address leak memory; do
        ends 2 "$HEDDLE" cc -fsanitize=$kind main.c half.c
        says "-fsanitize=$kind cannot be combined"
    done
    ends 2 "$HEDDLE" cc -static main.c half.c -o flags
    says 'static linking hides the C library'
    ends 0 "$HEDDLE" cc -static -c half.c -o half.o
    ends 0 "$HEDDLE" cc -r half.o main.c -o both.o
    ! nm --defined-only both.o | grep -q heddle || fail "-r linked the runtime"
    ends 0 "$HEDDLE" cc both.o -o flags
    linked flags
    ends 0 "$HEDDLE" cc '-DTEXT="a b '\''c'\'' $HOME"' -E - <<<'TEXT'
    says "\"a b 'c' \$HOME\""
    echo 'no C at all' >words.h
    [ "$("$HEDDLE" cc -E -P -x c words.h)" = 'no C at all' ] || fail "-E shows more than the file has"
    ends 0 "$HEDDLE" cc -gsplit-dwarf main.c half.c -o flags
    readelf -S flags | grep -q debug_info || fail "debug information lost"
    rm -f ./*.o
}

# What a library function writes must reach it as a call: written out in place it would not be seen.
string_functions() {
    cat >string.c <<'END'
#include <string.h>
void clear(void *p) { memset(p, 0, 64); }
void copy(void *p, const void *q) { memcpy(p, q, 48); }
void text(char *p) { strcpy(p, "hello"); }
END
    for level in -O0 -O1 '-O2 -D_FORTIFY_SOURCE=2' -Os -O3; do
        # shellcheck disable=SC2086
        ends 0 "$HEDDLE" cc $level -c string.c
        for name in memset memcpy; do
            nm string.o | grep -q "U $name" || fail "$name is written out in place with $level"
        done
        nm string.o | grep -qE 'U (strcpy|memcpy)' || fail "strcpy is written out in place with $level"
    done
}

queries() {
    ends 0 "$HEDDLE" cc --version
    says "$1"
    ends 0 "$HEDDLE" cc -dumpmachine
    says linux
    ends 0 "$HEDDLE" cc -v
    ends 0 "$HEDDLE" cc -print-prog-name=ld
    ends 0 "$HEDDLE" cc '-###' main.c half.c
    ends 0 "$HEDDLE" cc -E main.c
    says 'int half(int);'
    ends 0 "$HEDDLE" cc -S half.c -o half.s
    grep -q __tsan_init half.s || fail "-S without hooks"
    ends 0 "$HEDDLE" cc -M half.c
    says 'half.o: half.c'
    ends 0 "$HEDDLE" cc -fsyntax-only main.c
    [ ! -e a.out ] || fail "a.out made by -fsyntax-only"
}

failures() {
    echo 'int f(void) { return undeclared; }' >bad.c
    ends 1 "$HEDDLE" cc -c bad.c
    says undeclared
    ends 1 "$HEDDLE" cc bad.c main.c half.c -o bad
    [ ! -e bad ] || fail "linked in spite of an error"
    clean
    ends 1 "$HEDDLE" cc main.c -o bad # no half
    says half
    clean
    ends 2 env HEDDLE_CC=no-such-compiler-gcc "$HEDDLE" cc main.c half.c
    says 'cannot be run'
    clean
    ends 2 env HEDDLE_RUNTIME_DIR=/nonexistent "$HEDDLE" cc main.c half.c
    says libheddle.so
}

response_files() {
    mkdir -p 'with space'
    cp half.c 'with space/half it.c'
    printf '%s\n' "-DX='a \"b\"'" '"with space/half it.c"' @nested.rsp >all.rsp
    printf 'main.c -o with\\ space/the\\ program' >nested.rsp
    ends 0 "$HEDDLE" cc @all.rsp
    linked 'with space/the program'
    ends 0 './with space/the program'
    says 'half is 6'
    mkdir -p 'tmp dir'
    ends 0 env TMPDIR="$PWD/tmp dir" "$HEDDLE" cc 'with space/half it.c' main.c -o 'with space/again'
    [ -z "$(ls -A 'tmp dir')" ] || fail "left behind in a TMPDIR with a space"
}

standard_input() {
    ends 0 "$HEDDLE" cc -x c - -x none half.c -o stdin <main.c
    linked stdin
    ends 0 ./stdin
    says 'half is 6'
    cp half.c half.text
    ends 0 "$HEDDLE" cc main.c -xc half.text -o stdin
    ends 0 ./stdin
}

dependencies() {
    echo '#include "part.h"' >user.c
    echo 'int main(void) { return 0; }' >part.h
    ends 0 "$HEDDLE" cc -MMD user.c -o user.exe
    [ "$(cat user.d)" = 'user.exe: user.c part.h' ] || fail "wrong dependencies: $(cat user.d)"
    ends 0 "$HEDDLE" cc -MMD -MF other.dep -MT goal user.c -o user.exe
    [ "$(cat other.dep)" = 'goal: user.c part.h' ] || fail "wrong dependencies: $(cat other.dep)"
    rm user.d
    ends 0 "$HEDDLE" cc -MMD user.c
    [ "$(cat user.d)" = 'user.o: user.c part.h' ] || fail "wrong dependencies: $(cat user.d)"
    rm -f user.d a.out
}

foreign_code() {
    gcc -c half.c -o plain.o
    echo 'int only_data = 3;' >data.c
    gcc -c data.c
    printf '.globl in_assembler\nin_assembler: ret\n.section .note.GNU-stack,"",@progbits\n' >assembler.s
    ends 0 "$HEDDLE" cc main.c plain.o data.o -o foreign
    [ "$(foreign foreign)" = 1 ] || fail "one foreign object expected, not '$(foreign foreign)'"
    ends 0 "$HEDDLE" cc -Wall -Werror main.c plain.o assembler.s -o foreign
    [ "$(foreign foreign)" = 2 ] || fail "two foreign objects expected, not '$(foreign foreign)'"
    rm -f libplain.a && ar rcs libplain.a plain.o data.o
    ends 0 "$HEDDLE" cc main.c libplain.a -o foreign
    [ "$(foreign foreign)" = 1 ] || fail "foreign code in an archive not seen"
    ends 0 "$HEDDLE" cc main.c -L. -lplain -o foreign
    [ "$(foreign foreign)" = 1 ] || fail "foreign code in a library not seen"
    ends 0 ./foreign
    ends 3 "$HEDDLE" check ./foreign
    "$HEDDLE" check ./foreign 2>&1 | grep -q '^incomplete: parts of the program were not compiled by heddle cc' ||
        fail "unseen code is not spoken of"
    rm -f ./*.o libplain.a
}

cplusplus() {
    cat >hello.cc <<'END'
#include <atomic>
#include <iostream>
#include <thread>
#include <vector>
std::atomic<int> sum{0};
int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([] { sum += 2; });
    for (auto &t : threads)
        t.join();
    std::cout << "sum is " << sum << '\n';
}
END
    ends 0 "$HEDDLE" c++ -std=c++17 hello.cc -o hello -pthread
    linked hello
    nm hello | grep -q __tsan_atomic32 || fail "atomics are not hooked"
    ends 0 "$HEDDLE" c++ -std=c++17 -c hello.cc && ends 0 "$HEDDLE" c++ hello.o -o hello2 -pthread
    linked hello2
    "$HEDDLE" c++ -std=c++17 -c hello.cc >said 2>&1
    [ ! -s said ] || fail "a program without mistakes: $(cat said)"
}

# A compiler that is stopped leaves nothing behind, nor does what it was stopped by.
interrupted() {
    mkdir slow
    printf '#!/bin/sh\ntouch slow/started\nexec sleep 60\n' >slow/slow-gcc
    chmod +x slow/slow-gcc
    HEDDLE_CC=$PWD/slow/slow-gcc "$HEDDLE" cc main.c half.c -o slow/app &
    local driver=$! got=0
    until [ -e slow/started ]; do sleep 0.05; done
    kill -TERM $driver
    wait $driver || got=$?
    [ $got -eq 143 ] || fail "status $got after SIGTERM"
    rm -r slow
}

# The runtime and the headers are found from where the command is.
installed() {
    local top="$PWD/a prefix, moved"
    mkdir -p "$top/bin" "$top/lib/heddle" "$top/include/heddle"
    cp "$HEDDLE" "$top/bin/heddle"
    cp "$runtime/libheddle.so" "$runtime/libheddle-frameworks.a" "$top/lib/heddle"
    cp "$ROOT"/include/heddle/*.h "$top/include/heddle"
    printf '#include <heddle/heddle.h>\nint main(void) { return 0; }\n' >includes.c
    ends 0 env -u HEDDLE_RUNTIME_DIR "$top/bin/heddle" cc includes.c -o includes
    readelf -d includes | grep -qF "[$top/lib/heddle]" || fail "the installed runtime is not found"
    ends 0 ./includes
    rm -r "$top"
}

# Files that the compiler names after the program, not after a temporary object.
coverage() {
    ends 0 "$HEDDLE" cc --coverage main.c half.c -o covered
    ls covered-main.gcno covered-half.gcno >/dev/null || fail "coverage notes are lost"
}

# Options whose code would run at every function, where no hook sees it.
at_every_function() {
    ends 0 "$HEDDLE" cc -pg -fsplit-stack main.c half.c -o at-every-function
    if nm at-every-function | grep -E 'mcount|morestack'; then fail "functions are profiled, or split their stacks"; fi
}

makefile_project() {
    mkdir project
    cp main.c half.c project
    echo 'int in_so(void) { return 1; }' >project/so.c
    sed -i 's/int half(int);/int half(int); int in_so(void);/; s/twelve)/twelve + in_so())/' project/main.c
    cat >project/Makefile <<'END'
CFLAGS = -O2 -MMD -fPIC
app: main.o libhalf.a libso.so
	$(CC) $(LDFLAGS) -o $@ main.o -L. -Wl,-rpath,'$$ORIGIN' -lhalf -lso
libhalf.a: half.o
	$(AR) rcs $@ $^
libso.so: so.o
	$(CC) -shared -Wl,-z,defs -o $@ $^
-include main.d half.d so.d
END
    ends 0 make -C project CC="$HEDDLE cc"
    linked project/app
    [ -z "$(foreign project/app)" ] || fail "an archive of its own taken for foreign"
    hooked project/libso.so
    grep -q '^main.o: main.c' project/main.d || fail "wrong main.d"
    ends 0 project/app
    says 'half is 6'
    ends 0 make -C project CC="$HEDDLE cc"
    says 'up to date'
    rm -r project
}

cmake_project() {
    type cmake >/dev/null 2>&1 || return 0
    mkdir 'cmake project'
    cp main.c half.c hello.cc 'cmake project'
    cat >'cmake project/CMakeLists.txt' <<'END'
cmake_minimum_required(VERSION 3.10)
project(example C CXX)
find_package(Threads REQUIRED)
add_library(half STATIC half.c)
add_executable(app main.c)
target_link_libraries(app half Threads::Threads)
set_property(TARGET app PROPERTY POSITION_INDEPENDENT_CODE ON)
add_executable(hello hello.cc)
target_link_libraries(hello Threads::Threads)
END
    ends 0 env CC="$HEDDLE cc" CXX="$HEDDLE c++" cmake -S 'cmake project' -B 'cmake build'
    ends 0 cmake --build 'cmake build'
    linked 'cmake build/app'
    linked 'cmake build/hello'
    ends 0 'cmake build/app'
    says 'half is 6'
    rm -r 'cmake project' 'cmake build'
}

# A static library that defines what C11 has too, with other values: the program calls the library's, as it does without heddle.
own_names() {
    mkdir own
    cat >own/mtx.h <<'END'
typedef struct { int held; } mtx_t;
enum { mtx_plain = 7, thrd_success = 70, thrd_busy = 71 };
int mtx_init(mtx_t *mutex, int type);
int mtx_trylock(mtx_t *mutex);
END
    cat >own/mtx.c <<'END'
#include "mtx.h"
int mtx_init(mtx_t *mutex, int type) { mutex->held = 0; return type == mtx_plain ? thrd_success : thrd_busy; }
int mtx_trylock(mtx_t *mutex) { return mutex->held++ ? thrd_busy : thrd_success; }
END
    cat >own/main.c <<'END'
#include "mtx.h"
int main(void)
{
    mtx_t mutex;
    return !(mtx_init(&mutex, mtx_plain) == thrd_success && mtx_trylock(&mutex) == thrd_success && mtx_trylock(&mutex) == thrd_busy);
}
END
    (cd own && ends 0 "$HEDDLE" cc -c mtx.c && ar rcs libmtx.a mtx.o && ends 0 "$HEDDLE" cc main.c libmtx.a -o app && ends 0 ./app)
    (cd own && ends 0 "$HEDDLE" cc main.c -L. -lmtx -o app && ends 0 ./app)
    linked own/app
    rm -r own
}

# Variables that the linker leaves out because nobody needs them may name what does not exist.
unneeded_variables() {
    cat >unneeded.c <<'END'
extern int missing(void), nowhere[];
int (*unneeded[])(void) = {missing, missing};
int *neither = nowhere;
static int dead(void) { return missing(); }
int (*nor_this)(void) = dead;
int needed[4] = {0, 1, 2, 3};
int main(int count, char **words) { return (void)words, needed[count - 1]; }
END
    ends 0 "$HEDDLE" cc -fdata-sections -ffunction-sections -Wl,--gc-sections unneeded.c -o unneeded
    ends 0 ./unneeded
    rm unneeded unneeded.c
}

# Functions of which several objects have a copy, whose copies differ in size: what is known of their reads belongs to one of them.
copied_functions() {
    cat >copied.h <<'END'
struct number {
    int *place;
    number() : place(new int) {}
    ~number() { delete place; }
    int is_large() { if (*place > 3) return LARGE(); return 0; }
};
END
    echo 'static int one() { return 1; }
#define LARGE one
#include "copied.h"
int small() { number n; *n.place = 3; return n.is_large(); }' >copied1.cc
    echo '#define LARGE() 1
#include "copied.h"
int small();
int main(int count, char **) { number n; if (count == 1) *n.place = 5; return n.is_large() + small() - 1; }' >copied2.cc
    for order in 'copied1.cc copied2.cc' 'copied2.cc copied1.cc'; do
        # shellcheck disable=SC2086
        ends 0 "$HEDDLE" c++ --memory-errors -O0 -g $order -o copied
        ends 0 "$HEDDLE" check --memory-errors ./copied
        ends 1 "$HEDDLE" check --memory-errors ./copied -- wrong
        says 'takes a branch by 4 bytes that nobody has written'
    done
    rm -f copied copied.h copied1.cc copied2.cc ./*.hd
}

# A foreign configure script asks the compiler to make programs, and runs them.
configure_probe() {
    mkdir conftest
    echo 'int main(void) { return 0; }' >conftest/conftest.c
    (cd conftest && ends 0 "$HEDDLE" cc conftest.c && ends 0 ./a.out)
    rm -r conftest
}

for compiler in gcc clang; do
    type $compiler >/dev/null 2>&1 || continue
    export HEDDLE_CC=$compiler
    for part in simple flags "queries $compiler" failures response_files standard_input dependencies foreign_code cplusplus \
        makefile_project cmake_project own_names unneeded_variables copied_functions configure_probe interrupted installed; do
        echo "with $compiler: $part"
        $part
        clean
    done
    [ $compiler != gcc ] || { string_functions && coverage && at_every_function; }
done
finish
