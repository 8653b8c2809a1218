// libuv: a loop, its pool of threads, and wake-ups from other threads (src/threadpool.c, src/unix/async.c).
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

#include "uv.h"

#ifndef WORK
#define WORK 2
#endif

static int worked[WORK], finished[WORK], cancelled[WORK];
static uv_work_t requests[WORK];

static int number_of(const uv_work_t *request)
{
    return (int)(request - requests);
}

static void work(uv_work_t *request)
{
    worked[number_of(request)]++;
}

static void after(uv_work_t *request, int status)
{
    (status == UV_ECANCELED ? cancelled : finished)[number_of(request)]++;
}

static void begin(uv_loop_t *loop)
{
    setenv("UV_THREADPOOL_SIZE", "2", 1);
    heddle_assert(uv_loop_init(loop) == 0);
}

static void end(uv_loop_t *loop)
{
    heddle_assert(uv_run(loop, UV_RUN_DEFAULT) == 0);
    heddle_assert(uv_loop_close(loop) == 0);
}

heddle_test("work is done once and reported once")
{
    uv_loop_t loop;
    begin(&loop);
    for (int i = 0; i < WORK; i++)
        uv_queue_work(&loop, &requests[i], work, after);
    end(&loop);
    for (int i = 0; i < WORK; i++)
        heddle_assert(worked[i] == 1 && finished[i] == 1);
}

heddle_test("work is cancelled or done")
{
    uv_loop_t loop;
    begin(&loop);
    for (int i = 0; i < WORK; i++)
        uv_queue_work(&loop, &requests[i], work, after);
    int result = uv_cancel((uv_req_t *)&requests[WORK - 1]);
    end(&loop);
    heddle_assert(result == 0 || result == UV_EBUSY);
    heddle_assert(cancelled[WORK - 1] == (result == 0));
    heddle_assert(worked[WORK - 1] == (result != 0) && finished[WORK - 1] == (result != 0));
}

static uv_async_t bell;
static int rung;
static int message; // written before the bell is rung

static void *ring(void *unused)
{
    (void)unused;
    message = 42;
    uv_async_send(&bell);
    return NULL;
}

static void answer(uv_async_t *handle)
{
    rung++;
    heddle_assert(message == 42);
    uv_close((uv_handle_t *)handle, NULL);
}

heddle_test("a loop is woken by another thread")
{
    uv_loop_t loop;
    pthread_t ringer;
    begin(&loop);
    uv_async_init(&loop, &bell, answer);
    pthread_create(&ringer, NULL, ring, NULL);
    end(&loop);
    pthread_join(ringer, NULL);
    heddle_assert(rung == 1);
}
