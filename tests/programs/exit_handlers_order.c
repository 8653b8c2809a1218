// expect: verified
// Handlers run in the order of the C library: the newest first, those that they register next, the rest after a second call
// of exit; then destructors, by priority, which may register handlers too.
#include <assert.h>
#include <stdlib.h>

static int at;

static void expect(int place)
{
    assert(at == place);
    at++;
}

static void first(void)
{
    expect(6);
}
static void late(void)
{
    expect(4);
}
static void second(int status, void *argument)
{
    expect(3);
    assert(status == 3 && argument == &at);
    atexit(late);
}
static void third(void)
{
    expect(2);
    exit(3);
}
static void fourth(int status, void *argument)
{
    expect(1);
    assert(status == 2 && !argument);
    on_exit(second, &at);
    atexit(third);
}
static void after_destructors(void)
{
    expect(9);
}

__attribute__((destructor(200))) static void destroy_late(void)
{
    expect(8);
    atexit(after_destructors);
}
__attribute__((destructor(300))) static void destroy_early(void)
{
    expect(7);
}

static void fifth(void)
{
    expect(5);
}

__attribute__((constructor)) static void construct(void)
{
    expect(0);
    atexit(first);
}

int main(void)
{
    atexit(fifth);
    on_exit(fourth, NULL);
    exit(2);
}
