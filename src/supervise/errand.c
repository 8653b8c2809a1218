#define _GNU_SOURCE
#include "supervise/errand.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/scratch.h"

enum { WAIT_MS = 100, SHELF = 1 << 28 };

struct errand {
    struct errand *next;
    uint32_t workers;
    pid_t process; // 0: it is over …
    int status;    // … and came to this
    struct shelf *shelf;
    char folder[PATH_MAX];
};

int errands_open(struct errands *all, uint32_t most)
{
    *all = (struct errands){.most = most};
    if (pipe2(all->ended, O_CLOEXEC | O_NONBLOCK)) {
        fprintf(stderr, "heddle: no pipe can be made: %s\n", strerror(errno));
        return 2;
    }
    scratch_watch();
    return 0;
}

void errands_close(struct errands *all)
{
    while (all->first)
        errand_free(all, all->first);
    close(all->ended[0]);
    close(all->ended[1]);
}

bool errands_have_room(const struct errands *all, uint32_t workers)
{
    return !all->busy || all->busy + workers <= all->most;
}

static bool redirect_errors(const char *folder)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/said", folder) >= sizeof path)
        return false;
    int said = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return said >= 0 && dup2(said, STDERR_FILENO) >= 0;
}

static _Noreturn void do_errand(const struct errands *all, const struct errand *e, pid_t command, errand_work *work,
                                void *context)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the command ends
    if (getppid() != command)
        _exit(ERRAND_DIED);
    scratch_move(e->folder);
    int status = redirect_errors(e->folder) ? work(context, e->shelf) : ERRAND_DIED;
    _exit(write(all->ended[1], "", 1) == 1 ? status : ERRAND_DIED);
}

static struct errand *errand_forget(struct errand *e)
{
    if (e->shelf)
        shelf_free(e->shelf);
    free(e);
    return NULL;
}

struct errand *errand_begin(struct errands *all, uint32_t workers, errand_work *work, void *context)
{
    struct errand *e = alloc_zeroed(1, sizeof *e);
    const char *trouble = NULL;
    e->workers = workers;
    e->shelf = shelf_new(SHELF);
    if (!e->shelf || !scratch_folder(e->folder, sizeof e->folder))
        trouble = strerror(errno);
    fflush(stdout); // or both would print it
    pid_t command = getpid();
    e->process = trouble ? -1 : fork();
    if (!e->process)
        do_errand(all, e, command, work, context);
    if (e->process < 0) {
        fprintf(stderr, "heddle: a process cannot be started: %s\n", trouble ? trouble : strerror(errno));
        return errand_forget(e);
    }
    scratch_note_user(e->process, true);
    all->busy += workers;
    e->next = all->first;
    all->first = e;
    return e;
}

static void errand_end(struct errands *all, struct errand *e, int status)
{
    scratch_note_user(e->process, false);
    all->busy -= e->workers;
    e->process = 0;
    e->status = WIFEXITED(status) ? WEXITSTATUS(status) : ERRAND_DIED;
}

// The user's signal may have reached the command alone.
static void tell_all(struct errands *all)
{
    all->told = true;
    for (struct errand *e = all->first; e; e = e->next)
        if (e->process)
            kill(e->process, interrupt_signal());
}

// Whether one has ended that was under way.
static bool reap_some(struct errands *all)
{
    bool some = false;
    for (struct errand *e = all->first; e; e = e->next) {
        int status;
        if (e->process && waitpid(e->process, &status, WNOHANG) == e->process) {
            errand_end(all, e, status);
            some = true;
        }
    }
    return some;
}

void errands_wait(struct errands *all)
{
    enum { LAST_WORDS_MS = 20 }; // between the byte and the end of its process
    struct pollfd ended = {.fd = all->ended[0], .events = POLLIN};
    char byte;
    bool some = reap_some(all), said = !some && poll(&ended, 1, WAIT_MS) > 0 && read(all->ended[0], &byte, 1) == 1;
    if (interrupted() && !all->told)
        tell_all(all);
    for (int i = 0; said && i < LAST_WORDS_MS && !reap_some(all); i++)
        poll(NULL, 0, 1);
}

bool errand_is_over(const struct errand *e)
{
    return !e->process;
}

int errand_status(const struct errand *e)
{
    return e->status;
}

struct shelf *errand_shelf(const struct errand *e)
{
    return e->shelf;
}

void errand_say(struct errand *e)
{
    char path[PATH_MAX + 8], part[4096];
    size_t n;
    snprintf(path, sizeof path, "%s/said", e->folder);
    FILE *said = fopen(path, "r");
    while (said && (n = fread(part, 1, sizeof part, said)))
        fwrite(part, 1, n, stderr);
    if (said)
        fclose(said);
}

void errand_free(struct errands *all, struct errand *e)
{
    struct errand **link = &all->first;
    int status;
    while (*link != e)
        link = &(*link)->next;
    *link = e->next;
    if (e->process) {
        kill(e->process, SIGKILL);
        while (waitpid(e->process, &status, 0) < 0 && errno == EINTR)
            ;
        errand_end(all, e, status);
    }
    scratch_drop(e->folder);
    errand_forget(e);
}
