// A sequence lock: the writer makes the sequence number odd, writes, and makes it even again; a reader tries again when
// the number was odd or has changed meanwhile. The data are atomic because readers may overlap the writer.
//
// WRONG does not look whether the number is odd: a reader that begins and ends within one write takes half of it.
//
// heddle check examples/seqlock.c        verified
// heddle check examples/seqlock_wrong.c  bug: assertion (left and right differ)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { WRITES = 2 };

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *unused)
{
    (void)unused;
    for (int value = 1; value <= WRITES; value++) {
        unsigned now = atomic_load(&sequence);
        atomic_store(&sequence, now + 1);
        atomic_store(&left, value);
        atomic_store(&right, value);
        atomic_store(&sequence, now + 2);
    }
    return NULL;
}

static unsigned read_begin(void)
{
    unsigned now = atomic_load(&sequence);
#ifndef WRONG
    while (now & 1)
        now = atomic_load(&sequence);
#endif
    return now;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before;
    int l, r;
    do {
        before = read_begin();
        l = atomic_load(&left);
        r = atomic_load(&right);
    } while (atomic_load(&sequence) != before);
    assert(l == r);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
