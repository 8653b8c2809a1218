// Rank 0 of a search by states: decides when it is over, and puts together what came of it.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"
#include "spread/state_agreement.h"
#include "mpi/assignment.h"
#include "mpi/ranks.h"
#include "mpi/state_ranks.h"
#include "spread/save_file.h"
#include "spread/saved_search.h"
#include "spread/sights.h"

struct searcher {
    bool begun;      // it searches with others by now
    uint64_t synced; // the last mark that came from it, …
    uint64_t digest; // … with what belonged to its states then
    double heard;
    bool answered;
    struct states_result result;
    struct saved_search search;
};

struct states_coordinator {
    const struct subject *subject;
    struct traffic *traffic;
    struct agreement agreement;
    struct searcher *searcher; // by rank; none at 0
    int ranks;
    uint64_t number; // of this search
    uint64_t mark;   // the last one that was asked for …
    bool asking;     // … which not everybody has sent
    bool over;
    bool finished;                             // somebody says so, …
    struct exchange_record finish, asked_with; // … like this; and what the marks are asked for
    bool stopping;
    const char *trouble; // why nothing comes of it, or null
};

static void send_to_all(struct states_coordinator *c, const struct message *message)
{
    for (int rank = 1; rank < c->ranks; rank++) {
        struct message copy = {.kind = message->kind};
        buffer_append(&copy.body, message->body.text, message->body.length);
        traffic_note(c->traffic, copy.body.length);
        message_post(&copy, rank);
    }
}

static void stop_all(struct states_coordinator *c)
{
    struct message message = {.kind = MESSAGE_STOP};
    if (c->stopping)
        return;
    c->stopping = true;
    message_add_number(&message, c->number);
    send_to_all(c, &message);
    message_free(&message);
}

static void give_up(struct states_coordinator *c, const char *why)
{
    if (!c->trouble)
        c->trouble = why;
    stop_all(c);
}

// ---- whether it is over ----

static bool all_begun(const struct states_coordinator *c)
{
    for (int rank = 1; rank < c->ranks; rank++)
        if (!c->searcher[rank].begun)
            return false;
    return true;
}

static bool all_synced(const struct states_coordinator *c)
{
    for (int rank = 1; rank < c->ranks; rank++)
        if (c->searcher[rank].synced < c->mark)
            return false;
    return true;
}

static bool all_mean(const struct states_coordinator *c, uint64_t digest)
{
    for (int rank = 1; rank < c->ranks; rank++)
        if (c->searcher[rank].digest != digest)
            return false;
    return c->agreement.digest == digest;
}

static void ask_for_marks(struct states_coordinator *c)
{
    struct message message = {.kind = MESSAGE_SYNC};
    c->asking = true;
    c->finished = false;
    c->asked_with = c->finish;
    message_add_number(&message, c->number);
    message_add_number(&message, ++c->mark);
    send_to_all(c, &message);
    message_free(&message);
}

static void say_over(struct states_coordinator *c)
{
    struct message message = {.kind = MESSAGE_OVER};
    struct exchange_record record = c->asked_with;
    record.kind = EXCHANGE_OVER;
    message_add_number(&message, c->number);
    message_add_number(&message, c->mark);
    message_add(&message, &record, sizeof record);
    send_to_all(c, &message);
    message_free(&message);
}

// Whoever has finished with something else than what belongs to states by now will find out, and begin anew. Whoever is behind will
// find out, too: then everybody is asked once more.
static void decide(struct states_coordinator *c)
{
    if (c->agreement.trouble)
        give_up(c, c->agreement.trouble);
    if (c->stopping)
        return;
    if (c->asking && all_synced(c)) {
        c->asking = false;
        c->over = all_mean(c, c->asked_with.word[2]);
        if (c->over)
            say_over(c);
        else if (!c->finished && c->asked_with.word[2] == c->agreement.digest)
            c->finished = true, c->finish = c->asked_with;
    }
    if (c->finished && !c->asking && !c->over && all_begun(c))
        ask_for_marks(c);
}

// ---- what comes ----

static void tell_growth(struct states_coordinator *c, uint64_t word)
{
    struct message message = {.kind = MESSAGE_RECORDS};
    struct exchange_record record = {.kind = EXCHANGE_GROWN, .word = {word}};
    message_add_number(&message, c->number);
    message_add(&message, &record, sizeof record);
    send_to_all(c, &message);
    message_free(&message);
}

static void take_record(struct states_coordinator *c, int rank, const struct exchange_record *record)
{
    uint64_t word;
    c->searcher[rank].begun |= record->kind == EXCHANGE_BEGUN;
    if (record->kind == EXCHANGE_FINISHED) {
        c->finished = true;
        c->finish = *record;
    } else if (agreement_hear(&c->agreement, record, &word)) {
        tell_growth(c, word);
    }
}

static void take_records(struct states_coordinator *c, struct message *message)
{
    size_t length;
    const char *bytes = message_next(message, &length);
    struct exchange_record record;
    for (size_t at = 0; bytes && at + sizeof record <= length; at += sizeof record) {
        memcpy(&record, bytes + at, sizeof record);
        take_record(c, message->rank, &record);
    }
}

static void take_result(struct states_coordinator *c, struct message *message)
{
    struct searcher *s = &c->searcher[message->rank];
    size_t length, bytes;
    const char *result = message_next(message, &length), *search = message_next(message, &bytes);
    s->answered = true;
    if (!result || length != sizeof s->result || !search || !saved_read(&s->search, search, bytes)) {
        give_up(c, "a rank could not search");
        return;
    }
    memcpy(&s->result, result, sizeof s->result);
    c->traffic->messages += s->result.messages;
    c->traffic->bytes += s->result.bytes;
    if (s->search.before.answer->end == JOB_DONE && s->result.begun && !s->result.over)
        give_up(c, "a rank says that it is done, and nobody agreed"); // never to be believed
    if (!s->result.over)
        stop_all(c);
}

static void take_message(struct states_coordinator *c, struct message *message)
{
    struct searcher *s = &c->searcher[message->rank];
    s->heard = time_now();
    if (message->kind == MESSAGE_NEED) {
        ranks_send_program(c->traffic, c->subject, message->rank);
        return;
    }
    if (message->kind == MESSAGE_ALIVE || message_next_number(message) != c->number)
        return;
    traffic_note(c->traffic, message->body.length);
    if (message->kind == MESSAGE_RECORDS) {
        take_records(c, message);
    } else if (message->kind == MESSAGE_SYNCED) {
        s->synced = message_next_number(message);
        s->digest = message_next_number(message);
    } else if (message->kind == MESSAGE_STATES) {
        take_result(c, message);
    } else if (message->kind == MESSAGE_FAILED) {
        s->answered = true;
        give_up(c, "a rank could not search");
    }
}

// A rank that is silent is taken to be gone.
static void look_after(struct states_coordinator *c)
{
    for (int rank = 1; rank < c->ranks; rank++) {
        struct searcher *s = &c->searcher[rank];
        if (s->answered || time_now() < s->heard + message_patience())
            continue;
        s->answered = c->traffic->gone[rank] = true;
        c->traffic->lost++;
        give_up(c, "nothing was heard of a rank any more");
    }
}

static bool is_waiting(const struct states_coordinator *c)
{
    for (int rank = 1; rank < c->ranks; rank++)
        if (!c->searcher[rank].answered)
            return true;
    return false;
}

// ---- beginning and end ----

static void send_search(struct states_coordinator *c, const struct job *job)
{
    struct saved_search search = {.learnt = job->learnt, .threads = job->threads};
    struct buffer bytes = {0};
    struct task task = job->task;
    uint64_t hash = 0;
    task.slice = 1;
    task.shown = task.helpers = task.workers = 0;
    save_file_hash(c->subject->program, &hash);
    saved_begin(&search);
    legacy_copy(&search.before, &job->answer, job->steps, job->steps_used);
    saved_write(&search, &bytes);
    for (int rank = 1; rank < c->ranks; rank++) {
        struct message message = {.kind = MESSAGE_SEARCH};
        message_add_number(&message, c->number);
        message_add_number(&message, (uint64_t)rank - 1);
        message_add_number(&message, (uint64_t)c->ranks - 1);
        assignment_write(&message, c->subject, &task, hash);
        message_add(&message, bytes.text, bytes.length);
        c->searcher[rank].heard = time_now();
        if (!traffic_send(c->traffic, &message, rank))
            give_up(c, "a rank could not be reached");
    }
    buffer_free(&bytes);
    saved_free(&search);
}

// The rank whose end is that of the search: one that did it alone, or came to something else than its end; any if all did it together.
static int who_ended(const struct states_coordinator *c)
{
    int rank = 1;
    for (int i = 1; i < c->ranks; i++) {
        const struct searcher *s = &c->searcher[i];
        bool alone = s->search.before.answer->end == JOB_DONE && !s->result.begun;
        if (alone)
            return i;
        const struct answer *best = c->searcher[rank].search.before.answer;
        bool decides = !job_is_bounded(s->search.before.answer->end) && s->search.before.answer->end != JOB_DONE;
        if ((best->end == JOB_DONE && s->search.before.answer->end != JOB_DONE) ||
            (job_is_bounded(best->end) && decides))
            rank = i;
    }
    return rank;
}

static void take_over(struct job *job, const struct saved_search *from)
{
    const struct legacy *legacy = &from->before;
    memcpy(&job->answer, legacy->answer, offsetof(struct answer, bug) + legacy->answer->bugs * sizeof *job->answer.bug);
    memcpy(job->steps, legacy->steps, legacy->steps_used * sizeof *job->steps);
    job->steps_used = legacy->steps_used;
    job->learnt = from->learnt;
    job->threads = from->threads;
}

static bool is_known(const struct job *job, const struct bug *bug)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (bug_same(&job->answer.bug[i].bug, bug, job->task.rules.tell_apart))
            return true;
    return false;
}

static void add_bug(struct job *job, const struct legacy *from, const struct job_bug *bug)
{
    if (job->answer.bugs == JOB_BUGS || job->steps_used + bug->steps > JOB_STEPS) {
        job->answer.dropped++;
        return;
    }
    struct job_bug *kept = &job->answer.bug[job->answer.bugs++];
    *kept = *bug;
    kept->start = job->steps_used;
    memset(kept->after, 0, sizeof kept->after);
    memcpy(job->steps + kept->start, from->steps + bug->start, bug->steps * sizeof *job->steps);
    job->steps_used += bug->steps;
}

// Steps name actors by their numbers. False if those of the other search are others.
static bool same_actors(const struct job *job, const struct saved_search *other)
{
    uint32_t count = job->threads.count < other->threads.count ? job->threads.count : other->threads.count;
    return !memcmp(job->threads.thread, other->threads.thread, count * sizeof *job->threads.thread);
}

static bool add_search(struct job *job, const struct saved_search *other)
{
    const struct answer *from = other->before.answer;
    bool same = same_actors(job, other);
    for (uint32_t i = 0; i < from->bugs; i++) {
        if (is_known(job, &from->bug[i].bug))
            continue;
        if (!same)
            return false;
        add_bug(job, &other->before, &from->bug[i]);
    }
    if (same && other->threads.count > job->threads.count)
        job->threads = other->threads;
    counts_add(&job->answer.counts, &from->counts);
    answer_gather_sights(&job->answer, from);
    struct account *sum = &job->answer.account;
    sum->states += from->account.states;
    sum->known += from->account.known;
    sum->stood_for += from->account.stood_for;
    sum->state_bytes += from->account.state_bytes;
    sum->forgotten += from->account.forgotten;
    sum->endless += from->account.endless;
    return true;
}

// All of what came back, in the job. False if it does not go together.
static bool put_together(const struct states_coordinator *c, struct job *job)
{
    int last = who_ended(c);
    const struct searcher *s = &c->searcher[last];
    bool alone = s->search.before.answer->end == JOB_DONE && !s->result.begun, good = true;
    take_over(job, &s->search);
    job->answer.workers = alone ? 1 : (uint32_t)c->ranks - 1;
    for (int rank = 1; rank < c->ranks && !alone && good; rank++)
        if (rank != last)
            good = add_search(job, &c->searcher[rank].search);
    return good;
}

static bool are_all_there(const struct traffic *t, int ranks)
{
    for (int rank = 1; rank < ranks && t->gone; rank++)
        if (t->gone[rank])
            return false;
    return ranks > 1;
}

static void run_search(struct states_coordinator *c, const struct job *job, double began)
{
    static const struct timespec moment = {.tv_nsec = 500000};
    const double late = 2; // seconds
    struct message message;
    while (is_waiting(c)) {
        if (message_poll(&message, -1)) {
            take_message(c, &message);
            message_free(&message);
            continue;
        }
        if (interrupted() || (job->task.seconds > 0 && time_now() > began + job->task.seconds + late))
            stop_all(c);
        decide(c);
        look_after(c);
        messages_arrived();
        nanosleep(&moment, NULL);
    }
}

bool ranks_search_states(void *traffic, const struct subject *subject, struct job *job)
{
    static uint64_t numbers;
    struct states_coordinator c = {.subject = subject, .traffic = traffic, .number = ++numbers};
    double began = time_now(), worked = time_worked();
    MPI_Comm_size(MPI_COMM_WORLD, &c.ranks);
    if (!are_all_there(traffic, c.ranks))
        return false;
    if (!c.traffic->gone)
        c.traffic->gone = alloc_zeroed((size_t)c.ranks, sizeof *c.traffic->gone);
    c.searcher = alloc_zeroed((size_t)c.ranks, sizeof *c.searcher);
    send_search(&c, job);
    run_search(&c, job, began);
    if (!c.trouble && !put_together(&c, job))
        c.trouble = "threads have different numbers on different machines";
    if (c.trouble)
        fprintf(stderr, "heddle-mpi: rank 0 searches alone: %s\n", c.trouble);
    c.traffic->seconds += time_now() - began;
    c.traffic->worked += time_worked() - worked;
    for (int rank = 1; rank < c.ranks; rank++)
        saved_free(&c.searcher[rank].search);
    free(c.searcher);
    agreement_free(&c.agreement);
    return !c.trouble;
}
