// expect: verified
// The header leaves all names to the program: it may declare functions of the C library itself, and use their names and types.
#include <heddle/heddle.h>

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void *malloc(unsigned long);
typedef unsigned short uint64_t;
typedef struct {
    int id;
} pid_t;
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);

static int link, read, index, fork, stderr;
static struct time {
    int strcmp;
} exit;

static void *set(void *none)
{
    read = link + index + fork + stderr + exit.strcmp;
    return none;
}

int main(void)
{
    pthread_t t;
    pid_t none = {0};
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    heddle_assume(heddle_choose(2) == 0);
    heddle_note("nothing was %d", read);
    heddle_assert(read == none.id);
    if (!malloc(sizeof(uint64_t)))
        abort();
}
