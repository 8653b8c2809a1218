#include "target/threads/library/imported.h"

#include "target/threads/memory/memory_room.h"

struct imported imported;

static bool has_one_of(const char *const *names)
{
    for (; *names; names++)
        if (image_imports(*names))
            return true;
    return false;
}

#define HAS(...) has_one_of((const char *const[]){__VA_ARGS__, NULL})

void imported_find(void)
{
    imported.cancel = HAS("pthread_cancel");
    imported.key_deletion = HAS("pthread_key_delete", "tss_delete");
    imported.identity = HAS("pthread_getname_np", "prctl", "pthread_getschedparam", "pthread_getaffinity_np",
                            "sched_getaffinity", "sched_getscheduler", "sched_getparam");
    imported.kill = HAS("pthread_kill");
    imported.stream_locks = HAS("flockfile", "ftrylockfile");
    imported.binds = HAS("bind");
    imported.pipes = HAS("pipe", "pipe2", "socketpair", "syscall");
}
