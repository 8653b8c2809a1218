#!/usr/bin/env bash
# Libraries that a program opens while it runs: those of heddle cc are followed, others are named.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"


cat >plug.c <<'END'
int plug_count;
void plug_add(void) { plug_count++; }
int plug_get(void) { return plug_count; }
END
cat >host.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

static void (*add)(void);
static int (*get)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *none)
{
    if (!RACE)
        pthread_mutex_lock(&lock);
    add();
    if (!RACE)
        pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t a, b;
    void *handle = dlopen("./libplug.so", RTLD_NOW | RTLD_LOCAL);
    assert(handle);
    add = (void (*)(void))dlsym(handle, "plug_add");
    get = (int (*)(void))dlsym(handle, "plug_get");
    assert(add && get && !dlopen("./nothing.so", RTLD_NOW) && dlerror());
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(get() == 2);
    dlclose(handle);
}
END
heddle cc -shared -fPIC -g plug.c -o libplug.so
heddle cc -g -DRACE=0 host.c -o host -pthread
heddle cc -g -DRACE=1 host.c -o races -pthread
for restart in auto undo replay fork; do
    check --restart $restart ./host
    expect "restart $restart" verified
done
check ./races
expect 'a race in an opened library' bug
grep -q 'plug_count' out || fail "a race in an opened library: $(head -n 3 out)"

gcc -shared -fPIC plug.c -o libplug.so
check ./host
expect 'a library without hooks' incomplete
grep -q 'libplug.so' report.json || fail "a library without hooks is not named: $(head -n 3 out)"

# Constructors and destructors run where the program opens and closes the library, and its variables begin anew.
cat >plugin.c <<'END'
#include <stdlib.h>
extern int ended, handled;
int plug_count = 40;
static int *cell;
__attribute__((constructor)) static void begin(void)
{
    plug_count++;
    cell = malloc(sizeof *cell);
}
__attribute__((destructor)) static void end(void)
{
    ended++;
    free(cell);
    plug_count = -1;
}
static void leave(void) { handled++; }
void plug_add(void)
{
    if (plug_count == 41)
        atexit(leave);
    plug_count++;
}
int plug_get(void) { return plug_count; }
int *plug_variable(void) { return &plug_count; }
END
cat >opens.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

int ended, handled;
static void (*add)(void);
static int (*get)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *none)
{
    if (!RACE)
        pthread_mutex_lock(&lock);
    add();
    if (!RACE)
        pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t a, b;
        void *handle = dlopen("./libplugin.so", round ? RTLD_LAZY : RTLD_NOW);
        assert(handle);
        add = (void (*)(void))dlsym(handle, "plug_add");
        get = (int (*)(void))dlsym(handle, "plug_get");
        assert(get() == 41);
        pthread_create(&a, 0, work, 0);
        pthread_create(&b, 0, work, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(get() == 43 && dlopen("./libplugin.so", RTLD_NOW) == handle);
        dlclose(handle);
        assert(ended == round && handled == round && get() == 43);
        dlclose(handle);
        assert(ended == round + 1 && handled == round + 1);
        assert(!dlopen("./libplugin.so", RTLD_NOW | RTLD_NOLOAD));
    }
}
END
cat >gone.c <<'END'
#include <dlfcn.h>
#include <pthread.h>

int ended, handled;
static void (*add)(void);
static int *variable;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static void *work(void *none)
{
    pthread_mutex_lock(&lock);
    if (WRONG || !closed) {
        if (VARIABLE)
            ++*variable;
        else
            add();
    }
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t a;
    void *handle = dlopen("./libplugin.so", RTLD_NOW);
    add = (void (*)(void))dlsym(handle, "plug_add");
    variable = ((int *(*)(void))dlsym(handle, "plug_variable"))();
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    dlclose(handle);
    closed = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
END
cat >together.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

int ended, handled;

static void *work(void *none)
{
    void *handle = dlopen("./libplugin.so", RTLD_NOW);
    int (*get)(void) = (int (*)(void))dlsym(handle, "plug_get");
    assert(get() == 41);
    dlclose(handle);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ended == 1 || ended == 2);
    assert(ended != EXCLUDED);
}
END
for how in "gcc -O0" "gcc -O2" "clang -O0" "clang -O2"; do
    export HEDDLE_CC=${how% *}
    level=${how#* }
    heddle cc "$level" -shared -fPIC -g plugin.c -o libplugin.so
    for race in 0 1; do
        heddle cc "$level" -g -rdynamic -DRACE=$race opens.c -o "opens$race" -pthread
    done
    ./opens0 || fail "$how: without heddle the program fails"
    for restart in auto undo replay fork; do
        check --restart $restart ./opens0
        expect "constructors and destructors, $how, $restart" verified
    done
    check ./opens1
    expect "a race in an opened library, $how" bug race
    says "the line of a race in an opened library, $how" 'plugin.c:2[0-9]'
    for variable in 0 1; do
        heddle cc "$level" -g -rdynamic -DWRONG=0 -DVARIABLE=$variable gone.c -o gone -pthread
        check ./gone
        expect "used until it is closed, $how" verified
        heddle cc "$level" -g -rdynamic -DWRONG=1 -DVARIABLE=$variable gone.c -o gone -pthread
        check ./gone
        [ $variable = 1 ] && expect "a variable of a closed library, $how" bug use-after-unmap ||
            expect "code of a closed library, $how" bug signal
        tells "a closed library, $how" 'of a library that was closed'
    done
done
unset HEDDLE_CC
for excluded in 1 2 3; do
    heddle cc -g -rdynamic -DEXCLUDED=$excluded together.c -o together -pthread
    check ./together
    [ $excluded = 3 ] && expect 'two threads open and close it' verified || expect 'two threads open and close it' bug assertion
done

# Thread-local variables of opened libraries: each thread has its own, as they were at first, also when it is opened again.
cat >locals.c <<'END'
#include <stddef.h>
int plug_count;
static __thread int own = 5, none;
static __thread long many[8] __attribute__((aligned(32)));
_Thread_local int *plug_pointer = &plug_count;
int plug_own(void) { return own++ + none++; }
int *plug_address(void) { return &own; }
long *plug_many(void) { return many; }
int *plug_counted(void) { return plug_pointer; }
END
cat >own.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int (*own)(void);
static int *(*address)(void);
static long *(*many)(void);
static int *shared;
static pthread_barrier_t both;

static void *work(void *none)
{
    assert(own() == 5 && own() == 7);
    assert((uintptr_t)many() % 32 == 0 && !many()[7]++);
    if (RACE && !none)
        shared = address();
    pthread_barrier_wait(&both);
    if (RACE && none)
        ++*shared;
    if (RACE && !none)
        own();
    return none;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t a, b;
        void *handle = dlopen("./liblocals.so", RTLD_NOW);
        assert(handle);
        own = (int (*)(void))dlsym(handle, "plug_own");
        address = (int *(*)(void))dlsym(handle, "plug_address");
        many = (long *(*)(void))dlsym(handle, "plug_many");
        assert(((int *(*)(void))dlsym(handle, "plug_counted"))() == dlsym(handle, "plug_count"));
        assert(own() == 5 && !*many());
        *many() = 1;
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&a, NULL, work, NULL);
        pthread_create(&b, NULL, work, &both);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        pthread_barrier_destroy(&both);
        assert(own() == 7 && *many() == 1);
        dlclose(handle);
    }
}
END
for how in "gcc -O0" "gcc -O2" "clang -O1"; do
    export HEDDLE_CC=${how% *}
    level=${how#* }
    heddle cc "$level" -shared -fPIC -g locals.c -o liblocals.so
    [ -s err ] && fail "a library with thread-local variables, $how: $(head -n 1 err)"
    for race in 0 1; do
        heddle cc "$level" -g -DRACE=$race own.c -o "own$race" -pthread
    done
    ./own0 || fail "$how: without heddle the program fails"
    for restart in undo replay fork; do
        check --restart $restart ./own0
        expect "thread-local variables of an opened library, $how, $restart" verified
    done
    check ./own1
    expect "a race on a thread-local variable of an opened library, $how" bug race
done
unset HEDDLE_CC

cat >named.c <<'END'
#include <dlfcn.h>
int main(void) { return *(int **)dlsym(dlopen("./liblocals.so", RTLD_NOW), "plug_pointer") == 0; }
END
heddle cc named.c -o named
check ./named
expect 'a thread-local variable that is looked up' incomplete
{ cat plug.c && echo '__thread char large[100000];' && echo 'char *plug_large(void) { return large; }'; } >large.c
heddle cc -shared -fPIC large.c -o libplug.so
check ./host
expect 'a library with large thread-local variables' incomplete
finish
