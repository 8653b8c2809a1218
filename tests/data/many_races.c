// One thread writes WORDS words, another reads one of them, which the search chooses: as many races as there are words, and
// with -DFAILS an assertion that fails if the last one has been written. AT_ONCE: the other reads all of them.
#include <heddle/heddle.h>
#include <pthread.h>

static long words[WORDS], last; // `last' keeps the reads from being left out

static void *write_all(void *nothing)
{
    for (int i = 0; i < WORDS; i++)
        words[i] = 1;
    return nothing;
}

static void *read_one(void *nothing)
{
#ifdef AT_ONCE
    long seen = 0;
    for (int i = 0; i < WORDS; i++)
        last = seen = words[i];
    int which = WORDS - 1;
#else
    int which = heddle_choose(WORDS);
    long seen = words[which];
#endif
#ifdef FAILS
    heddle_assert(!(which == WORDS - 1 && seen == 1));
#else
    last = seen, (void)which;
#endif
    return nothing;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, 0, write_all, 0);
    pthread_create(&reader, 0, read_one, 0);
    pthread_join(writer, 0);
    pthread_join(reader, 0);
    return 0;
}
