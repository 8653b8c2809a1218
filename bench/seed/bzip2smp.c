// bzip2smp, after the thesis of Inspect (Yang, Utah 2009, sections 4.4 and 5.4): "a multithreaded compression program
// that uses multiple threads to speed up the compression of a file". The original has 6,400 lines; this has what its
// threads share.
//
// THREADS counts main, which cuts the input into BLOCKS blocks and writes the compressed ones in order. The others take
// the next block that nobody has taken and compress it: the Burrows–Wheeler transform, move-to-front, and runs as
// counts. At the end main compares the output with the blocks compressed one after the other.
//
// BUG: a worker says that its block is done before it has put down how long the result is.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

enum { WORKERS = THREADS - 1, BLOCK = 12, ROOM = 2 * BLOCK + 1, ALPHABET = 256 };

struct block {
    unsigned char text[BLOCK], packed[ROOM];
    int size; // of packed
    bool done;
};

static const char input[] = "abracadabra abracadabra abracadabra abracadabra ";
_Static_assert(sizeof input > BLOCKS * BLOCK, "the input is long enough");

static struct block block[BLOCKS];
static int taken;
static pthread_mutex_t take_lock = PTHREAD_MUTEX_INITIALIZER, done_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some_done = PTHREAD_COND_INITIALIZER;

static int compare_rotations(const unsigned char *text, int a, int b)
{
    for (int i = 0; i < BLOCK; i++) {
        int difference = text[(a + i) % BLOCK] - text[(b + i) % BLOCK];
        if (difference)
            return difference;
    }
    return a - b;
}

// Sorts the rotations; the last bytes of all of them are the transform, and where the text itself came is its result.
static unsigned char transform(const unsigned char *text, unsigned char *last)
{
    int order[BLOCK];
    unsigned char own = 0;
    for (int i = 0; i < BLOCK; i++) {
        int at = i;
        for (; at > 0 && compare_rotations(text, i, order[at - 1]) < 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < BLOCK; i++) {
        last[i] = text[(order[i] + BLOCK - 1) % BLOCK];
        if (!order[i])
            own = (unsigned char)i;
    }
    return own;
}

static void move_to_front(unsigned char *bytes)
{
    unsigned char table[ALPHABET];
    for (int i = 0; i < ALPHABET; i++)
        table[i] = (unsigned char)i;
    for (int i = 0; i < BLOCK; i++) {
        unsigned char byte = bytes[i];
        int at = 0;
        while (table[at] != byte)
            at++;
        memmove(table + 1, table, (size_t)at);
        table[0] = byte;
        bytes[i] = (unsigned char)at;
    }
}

static int pack_runs(const unsigned char *bytes, unsigned char *packed)
{
    int size = 0;
    for (int i = 0, next; i < BLOCK; i = next) {
        for (next = i; next < BLOCK && bytes[next] == bytes[i]; next++)
            ;
        packed[size++] = (unsigned char)(next - i);
        packed[size++] = bytes[i];
    }
    return size;
}

static int compress(const unsigned char *text, unsigned char *packed)
{
    unsigned char bytes[BLOCK];
    packed[0] = transform(text, bytes);
    move_to_front(bytes);
    return 1 + pack_runs(bytes, packed + 1);
}

static void finish(struct block *b, int size)
{
    pthread_mutex_lock(&done_lock);
#ifndef BUG
    b->size = size;
#endif
    b->done = true;
    pthread_cond_signal(&some_done);
    pthread_mutex_unlock(&done_lock);
#ifdef BUG
    b->size = size;
#endif
}

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&take_lock);
        int mine = taken < BLOCKS ? taken++ : BLOCKS;
        pthread_mutex_unlock(&take_lock);
        if (mine == BLOCKS)
            return unused;
        finish(&block[mine], compress(block[mine].text, block[mine].packed));
    }
}

// Appends the block to the output as soon as it is there.
static size_t write_block(struct block *b, unsigned char *output)
{
    pthread_mutex_lock(&done_lock);
    while (!b->done)
        pthread_cond_wait(&some_done, &done_lock);
    pthread_mutex_unlock(&done_lock);
    size_t size = (size_t)b->size;
    memcpy(output, b->packed, size);
    return size;
}

int main(void)
{
    pthread_t thread[WORKERS];
    unsigned char output[BLOCKS * ROOM], expected[BLOCKS * ROOM];
    size_t size = 0, expected_size = 0;
    for (int i = 0; i < BLOCKS; i++)
        memcpy(block[i].text, input + i * BLOCK, BLOCK);
    for (int i = 0; i < BLOCKS; i++)
        expected_size += (size_t)compress(block[i].text, expected + expected_size);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < BLOCKS; i++)
        size += write_block(&block[i], output + size);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    assert(size == expected_size && !memcmp(output, expected, size));
    return 0;
}
