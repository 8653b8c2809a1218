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

{ cat plug.c && echo '__attribute__((constructor)) static void begin(void) { plug_count = 0; }'; } >constructs.c
heddle cc -shared -fPIC constructs.c -o libplug.so
check ./host
expect 'a library with a constructor' incomplete
finish
