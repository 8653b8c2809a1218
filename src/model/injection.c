#include "model/injection.h"

#include <errno.h>
#include <stddef.h>

#define WAY(way) (1u << (way))

const struct injection_way_info injection_ways[INJECTION_WAYS] = {
    [INJECT_NOTHING] = {"nothing", 0, false},    [INJECT_ENOMEM] = {"ENOMEM", ENOMEM, false},
    [INJECT_EAGAIN] = {"EAGAIN", EAGAIN, false}, [INJECT_EMFILE] = {"EMFILE", EMFILE, false},
    [INJECT_EIO] = {"EIO", EIO, false},          [INJECT_EINTR] = {"EINTR", EINTR, false},
    [INJECT_ENOSPC] = {"ENOSPC", ENOSPC, false}, [INJECT_ETIMEDOUT] = {"ETIMEDOUT", ETIMEDOUT, false},
    [INJECT_SHORT] = {"short", 0, false},        [INJECT_DELAY] = {"delay", 0, false},
    [INJECT_FLIP] = {"flip", 0, true},           [INJECT_LARGER] = {"larger", 0, false},
    [INJECT_SMALLER] = {"smaller", 0, false},    [INJECT_ARGUMENT] = {"argument", 0, true},
    [INJECT_POINTER] = {"pointer", 0, true},
};

const struct injection_group_info injection_groups[INJECTION_GROUPS] = {
    [GROUP_MALLOC] = {"malloc", NULL, "an allocation fails", WAY(INJECT_ENOMEM)},
    [GROUP_CREATE] = {"create", NULL, "a thread cannot be created", WAY(INJECT_EAGAIN)},
    [GROUP_OPEN] = {"open", NULL, "a file cannot be opened", WAY(INJECT_EMFILE)},
    [GROUP_READ] = {"read", NULL, "a read fails or falls short",
                    WAY(INJECT_EIO) | WAY(INJECT_EINTR) | WAY(INJECT_SHORT)},
    [GROUP_WRITE] = {"write", NULL, "a write fails or falls short",
                     WAY(INJECT_ENOSPC) | WAY(INJECT_EINTR) | WAY(INJECT_SHORT)},
    [GROUP_TIMEOUT] = {"timeout", NULL, "a wait with a time-out is over at once", WAY(INJECT_ETIMEDOUT)},
    [GROUP_DELAY] = {"delay", NULL, "a thread sleeps before it takes a lock", WAY(INJECT_DELAY)},
    [GROUP_INTERRUPT] = {"interrupt", NULL, "a signal interrupts a call that waits", WAY(INJECT_EINTR)},
    [GROUP_BITFLIP] = {"bitflip", "BitFlip", "a bit flips in what is read", WAY(INJECT_FLIP)},
    [GROUP_FILESIZE] = {"filesize", "FileSize", "more is read or written than was asked for", WAY(INJECT_LARGER)},
    [GROUP_MALLSIZE] = {"mallsize", "MallSize", "less is allocated than was asked for", WAY(INJECT_SMALLER)},
    [GROUP_CALLCORR] = {"callcorr", "CallCorr", "a bit flips in the first argument of a library call",
                        WAY(INJECT_ARGUMENT)},
    [GROUP_INVALPTR] = {"invalptr", "InvalPtr", "a bit flips in the pointer that an allocation returns",
                        WAY(INJECT_POINTER)},
};

const char *const injection_calls[INJECTION_CALLS] = {
    [CALL_MALLOC] = "malloc",
    [CALL_CALLOC] = "calloc",
    [CALL_REALLOC] = "realloc",
    [CALL_MEMALIGN] = "memalign",
    [CALL_NEW] = "new",
    [CALL_MMAP] = "mmap",
    [CALL_ASPRINTF] = "asprintf",
    [CALL_STRDUP] = "strdup",
    [CALL_PTHREAD_CREATE] = "pthread_create",
    [CALL_THRD_CREATE] = "thrd_create",
    [CALL_OPEN] = "open",
    [CALL_OPENAT] = "openat",
    [CALL_FOPEN] = "fopen",
    [CALL_READ] = "read",
    [CALL_PREAD] = "pread",
    [CALL_READV] = "readv",
    [CALL_RECV] = "recv",
    [CALL_RECVFROM] = "recvfrom",
    [CALL_RECVMSG] = "recvmsg",
    [CALL_FREAD] = "fread",
    [CALL_FGETS] = "fgets",
    [CALL_GETLINE] = "getline",
    [CALL_WRITE] = "write",
    [CALL_PWRITE] = "pwrite",
    [CALL_WRITEV] = "writev",
    [CALL_SEND] = "send",
    [CALL_SENDTO] = "sendto",
    [CALL_SENDMSG] = "sendmsg",
    [CALL_FWRITE] = "fwrite",
    [CALL_FFLUSH] = "fflush",
    [CALL_FCLOSE] = "fclose",
    [CALL_COND_TIMEDWAIT] = "pthread_cond_timedwait",
    [CALL_CND_TIMEDWAIT] = "cnd_timedwait",
    [CALL_MUTEX_TIMEDLOCK] = "pthread_mutex_timedlock",
    [CALL_MTX_TIMEDLOCK] = "mtx_timedlock",
    [CALL_SEM_TIMEDWAIT] = "sem_timedwait",
    [CALL_MUTEX_LOCK] = "pthread_mutex_lock",
    [CALL_MTX_LOCK] = "mtx_lock",
    [CALL_SEM_WAIT] = "sem_wait",
    [CALL_POLL] = "poll",
    [CALL_SELECT] = "select",
    [CALL_ACCEPT] = "accept",
    [CALL_NANOSLEEP] = "nanosleep",
    [CALL_THRD_SLEEP] = "thrd_sleep",
    [CALL_FREE] = "free",
    [CALL_MEMCPY] = "memcpy",
    [CALL_MEMSET] = "memset",
    [CALL_STRLEN] = "strlen",
    [CALL_STRCMP] = "strcmp",
    [CALL_STRCPY] = "strcpy",
    [CALL_ATOI] = "atoi",
    [CALL_LOAD] = "load",
};

static bool allocates(enum injection_call call)
{
    return call <= CALL_STRDUP || call == CALL_GETLINE;
}

static bool call_is_one_of(enum injection_call call, enum injection_call first, enum injection_call last)
{
    return call >= first && call <= last;
}

static bool has_pieces(enum injection_call call)
{
    return call == CALL_READV || call == CALL_WRITEV || call == CALL_RECVMSG || call == CALL_SENDMSG;
}

static bool belongs_to(enum injection_call call, enum injection_group group)
{
    switch (group) {
    case GROUP_MALLOC:
        return allocates(call);
    case GROUP_CREATE:
        return call == CALL_PTHREAD_CREATE || call == CALL_THRD_CREATE;
    case GROUP_OPEN:
        return call_is_one_of(call, CALL_OPEN, CALL_FOPEN);
    case GROUP_READ:
        return call_is_one_of(call, CALL_READ, CALL_GETLINE);
    case GROUP_WRITE:
        return call_is_one_of(call, CALL_WRITE, CALL_FCLOSE);
    case GROUP_TIMEOUT:
        return call_is_one_of(call, CALL_COND_TIMEDWAIT, CALL_SEM_TIMEDWAIT);
    case GROUP_DELAY:
        return call == CALL_MUTEX_LOCK || call == CALL_MTX_LOCK;
    case GROUP_INTERRUPT:
        return call_is_one_of(call, CALL_SEM_WAIT, CALL_THRD_SLEEP);
    case GROUP_BITFLIP:
        return call == CALL_LOAD;
    case GROUP_FILESIZE:
        return call_is_one_of(call, CALL_READ, CALL_FWRITE) && !has_pieces(call) && call != CALL_GETLINE;
    case GROUP_MALLSIZE:
    case GROUP_INVALPTR:
        return call == CALL_MALLOC || call == CALL_CALLOC;
    case GROUP_CALLCORR:
        return call == CALL_MALLOC || call == CALL_FREE || call_is_one_of(call, CALL_MEMCPY, CALL_ATOI);
    default:
        return false;
    }
}

// A stream that is read to its end tells an error and a short count in the same way; nobody interrupts it.
static bool can_happen(enum injection_call call, enum injection_way way)
{
    bool counts = call == CALL_FREAD || call == CALL_FWRITE;
    bool stream = counts || call == CALL_FGETS || call == CALL_GETLINE || call == CALL_FFLUSH || call == CALL_FCLOSE;
    return !stream || (way != INJECT_EINTR && (counts || way != INJECT_SHORT));
}

bool injection_fits(enum injection_call call, enum injection_group group, enum injection_way way)
{
    return belongs_to(call, group) && injection_groups[group].ways >> way & 1 && can_happen(call, way);
}
