// One of the ranks that search states: runs a worker, and carries what it says and hears.
#define _GNU_SOURCE
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "model/state_exchange.h"
#include "mpi/assignment.h"
#include "mpi/fellow.h"
#include "mpi/state_ranks.h"
#include "spread/saved_search.h"

struct carrier {
    struct fellow *fellow;
    struct state_exchange *exchange;
    struct states_result result;
    struct buffer *to;     // by rank: records that are to be sent there
    uint64_t *synced;      // by rank: the last mark that came from there
    struct buffer arrived; // records for the worker …
    size_t taken;          // … of which it has so many bytes
    double sent_at;
    uint64_t over; // the mark after which the search is over; 0: it is not
    struct exchange_record end;
};

static int ranks(const struct carrier *c)
{
    return (int)c->exchange->count + 1;
}

static int own_rank(const struct carrier *c)
{
    return (int)c->exchange->self + 1;
}

// ---- to others ----

static void add_record(struct carrier *c, int rank, const struct exchange_record *record)
{
    buffer_append(&c->to[rank], (const char *)record, sizeof *record);
}

static void route(struct carrier *c, struct exchange_record record)
{
    uint32_t to = record.other;
    record.other = c->exchange->self;
    if (record.kind == EXCHANGE_ASK || record.kind == EXCHANGE_CLOSED) {
        add_record(c, (int)to + 1, &record);
        return;
    }
    for (int rank = 0; rank < ranks(c); rank++)
        if (rank == COORDINATOR || (record.kind == EXCHANGE_GROWN && rank != own_rank(c)))
            add_record(c, rank, &record);
}

static void post(struct carrier *c, struct message *message, int rank)
{
    c->result.messages++;
    c->result.bytes += message->body.length;
    message_post(message, rank);
}

// What the worker has said by now goes out.
static void carry_out(struct carrier *c, bool at_once)
{
    const double between = 0.002; // seconds
    struct exchange_ring *out = &c->exchange->out;
    for (const struct exchange_record *record; (record = exchange_look(out)); exchange_pass(out))
        route(c, *record);
    if (!at_once && time_now() < c->sent_at + between)
        return;
    c->sent_at = time_now();
    for (int rank = 0; rank < ranks(c); rank++) {
        struct message message = {.kind = MESSAGE_RECORDS};
        if (!c->to[rank].length)
            continue;
        message_add_number(&message, c->fellow->search);
        message_add(&message, c->to[rank].text, c->to[rank].length);
        buffer_cut(&c->to[rank], 0);
        post(c, &message, rank);
    }
}

static void send_mark(struct carrier *c, uint64_t mark)
{
    carry_out(c, true);
    const uint64_t digest = c->exchange->digest;
    for (int rank = 0; rank < ranks(c); rank++) {
        struct message message = {.kind = MESSAGE_SYNCED};
        message_add_number(&message, c->fellow->search);
        message_add_number(&message, mark);
        message_add_number(&message, digest);
        if (rank != own_rank(c))
            post(c, &message, rank);
        message_free(&message);
    }
}

// ---- from others ----

static void take_records(struct carrier *c, struct message *message)
{
    size_t length;
    const char *bytes = message_next(message, &length);
    if (bytes && length % sizeof(struct exchange_record) == 0)
        buffer_append(&c->arrived, bytes, length);
}

static void take_message(struct carrier *c, struct message *message)
{
    if (message_next_number(message) != c->fellow->search) // of an earlier search
        return;
    if (message->kind == MESSAGE_RECORDS) {
        take_records(c, message);
    } else if (message->kind == MESSAGE_SYNC) {
        send_mark(c, message_next_number(message));
    } else if (message->kind == MESSAGE_SYNCED) {
        c->synced[message->rank] = message_next_number(message);
    } else if (message->kind == MESSAGE_STOP) {
        c->fellow->stopped = true;
    } else if (message->kind == MESSAGE_OVER) {
        size_t length;
        c->over = message_next_number(message);
        const char *record = message_next(message, &length);
        if (record && length == sizeof c->end)
            memcpy(&c->end, record, sizeof c->end);
    }
}

static bool has_all_marks(const struct carrier *c)
{
    for (int rank = 1; rank < ranks(c); rank++)
        if (rank != own_rank(c) && c->synced[rank] < c->over)
            return false;
    return true;
}

static void carry_in(struct carrier *c)
{
    struct exchange_record record;
    while (c->taken < c->arrived.length) {
        memcpy(&record, c->arrived.text + c->taken, sizeof record);
        if (!exchange_put(&c->exchange->in, &record))
            return;
        c->taken += sizeof record;
    }
    buffer_cut(&c->arrived, c->taken = 0);
    if (c->over && has_all_marks(c) && exchange_put(&c->exchange->in, &c->end))
        c->over = 0;
}

static void take_early_messages(struct carrier *c)
{
    struct fellow *f = c->fellow;
    for (size_t i = 0; i < f->early_count; i++) {
        take_message(c, &f->early[i]);
        message_free(&f->early[i]);
    }
    f->early_count = 0;
}

// Asked while the worker runs, all the time.
static bool carry(void *carrier)
{
    struct carrier *c = carrier;
    struct message message;
    message_alive(COORDINATOR);
    carry_out(c, false);
    while (message_poll(&message, -1)) {
        take_message(c, &message);
        message_free(&message);
    }
    carry_in(c);
    messages_arrived();
    return c->fellow->stopped;
}

// ---- the search ----

static struct state_exchange *new_exchange(int *fd)
{
    struct state_exchange *exchange = MAP_FAILED;
    *fd = memfd_create("heddle-exchange", MFD_CLOEXEC);
    if (*fd >= 0 && !ftruncate(*fd, sizeof *exchange))
        exchange = mmap(NULL, sizeof *exchange, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    return exchange == MAP_FAILED ? NULL : exchange;
}

// With what earlier attempts have learnt and found.
static void prepare_job(struct job *job, const struct task *task, const struct saved_search *search, int fd)
{
    const struct legacy *before = &search->before;
    job->task = *task;
    job->task.exchange_fd = fd;
    job->learnt = search->learnt;
    job->threads = search->threads;
    job->answer.bugs = before->answer->bugs;
    memcpy(job->answer.bug, before->answer->bug, before->answer->bugs * sizeof *job->answer.bug);
    memcpy(job->steps, before->steps, before->steps_used * sizeof *job->steps);
}

static void send_result(struct carrier *c, const struct job *job)
{
    struct message message = {.kind = MESSAGE_STATES};
    struct saved_search search = {.learnt = job->learnt, .threads = job->threads};
    struct buffer bytes = {0};
    saved_begin(&search);
    legacy_copy(&search.before, &job->answer, job->steps, job->steps_used);
    saved_write(&search, &bytes);
    c->result.begun = c->exchange->begun;
    c->result.over = c->exchange->over;
    message_add_number(&message, c->fellow->search);
    message_add(&message, &c->result, sizeof c->result);
    message_add(&message, bytes.text, bytes.length);
    message_send(&message, COORDINATOR);
    message_free(&message);
    buffer_free(&bytes);
    saved_free(&search);
}

// What was sent arrives before anybody goes on to something else.
static void wait_until_sent(struct carrier *c)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    const double began = time_now();
    while (!messages_arrived() && time_now() < began + message_patience()) {
        carry(c);
        nanosleep(&moment, NULL);
    }
}

static bool search_states(struct carrier *c, struct subject *subject, const struct task *task,
                          const struct saved_search *search, int fd)
{
    struct job *job = job_new();
    prepare_job(job, task, search, fd);
    c->fellow->watch = (struct watch){carry, c};
    subject->watch = &c->fellow->watch;
    close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC); // programs are to have none of what MPI opens
    bool good = !run_job(subject, job, -1) && !run_interrupted();
    carry_out(c, true);
    wait_until_sent(c);
    if (good)
        send_result(c, job);
    job_free(job);
    return good;
}

static void say_failed(uint64_t number)
{
    struct message message = {.kind = MESSAGE_FAILED};
    message_add_number(&message, number);
    message_send(&message, COORDINATOR);
    message_free(&message);
}

static bool search_with_exchange(struct carrier *c, struct subject *subject, const struct assignment *assignment,
                                 const struct saved_search *search, uint32_t self, uint32_t count)
{
    int fd;
    bool good = false;
    c->exchange = new_exchange(&fd);
    if (c->exchange) {
        c->exchange->self = self;
        c->exchange->count = count;
        c->to = alloc_zeroed(count + 1, sizeof *c->to);
        c->synced = alloc_zeroed(count + 1, sizeof *c->synced);
        take_early_messages(c);
        good = search_states(c, subject, &assignment->task, search, fd);
        for (uint32_t rank = 0; rank <= count; rank++)
            buffer_free(&c->to[rank]);
        munmap(c->exchange, sizeof *c->exchange);
    }
    if (fd >= 0)
        close(fd);
    free(c->to);
    free(c->synced);
    buffer_free(&c->arrived);
    return good;
}

void fellow_search_states(struct fellow *f, struct message *message)
{
    struct carrier carrier = {.fellow = f};
    struct subject subject = {0};
    struct saved_search search;
    struct assignment assignment;
    size_t length;
    f->search = message_next_number(message);
    f->stopped = false;
    uint32_t self = (uint32_t)message_next_number(message), count = (uint32_t)message_next_number(message);
    assignment_read(message, &assignment);
    const char *bytes = message_next(message, &length);
    assignment_go_there(&assignment);
    subject.arguments = assignment.arguments;
    subject.program = fellow_find_program(f, assignment.program, assignment.hash);
    bool read = assignment.good && count && self < count && bytes && saved_read(&search, bytes, length);
    if (!read || !subject.program || !search_with_exchange(&carrier, &subject, &assignment, &search, self, count))
        say_failed(f->search);
    if (read)
        saved_free(&search);
    assignment_free(&assignment);
}
