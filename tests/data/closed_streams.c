// A thread uses a stream that another may have closed; under a lock, so that nothing else is wrong. With RIGHT it looks first.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int closed;
static void (*use)(void);

static void *uses(void *none)
{
    pthread_mutex_lock(&mutex);
#ifdef RIGHT
    if (!closed)
#endif
        use();
    pthread_mutex_unlock(&mutex);
    return none;
}

static void *closes(void *none)
{
    pthread_mutex_lock(&mutex);
    fclose(file);
    closed = 1;
    pthread_mutex_unlock(&mutex);
    return none;
}

static void run(void (*how)(void))
{
    pthread_t t[2];
    use = how;
    file = tmpfile();
    pthread_create(&t[0], NULL, uses, NULL);
    pthread_create(&t[1], NULL, closes, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}

#define USE(name, call)                                                                                                \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        call;                                                                                                          \
    }                                                                                                                  \
    heddle_test(#name)                                                                                                 \
    {                                                                                                                  \
        run(name);                                                                                                     \
    }

USE(puts_it, fputs("x", file))
USE(prints, fprintf(file, "%d", 1))
USE(flushes, fflush(file))
USE(seeks, fseek(file, 0, SEEK_SET))
USE(gets_one, fgetc(file))
USE(asks, ferror(file))
USE(asks_end, feof(file))
USE(clears, clearerr(file))
USE(asks_number, fileno(file))
USE(chooses_buffer, setvbuf(file, NULL, _IONBF, 0))
USE(locks, (flockfile(file), funlockfile(file)))
