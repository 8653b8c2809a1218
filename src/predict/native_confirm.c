#include "predict/native_confirm.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/time.h"
#include "predict/held_output.h"
#include "predict/held_order.h"
#include "predict/held_run.h"
#include "predict/predict_text.h"
#include "predict/prediction_groups.h"
#include "predict/variable_names.h"

enum {
    PLAIN_RUNS = 3,  // without being held back
    TOGETHER = 128,  // predictions in one run, at most
    ROUNDS = 4,      // of runs with many predictions, in which nothing new comes about
    ALONE = 3,       // runs of one prediction that has come about …
    PATIENCE = 8,    // … and of one that has not
    ENOUGH_HELD = 8, // times in vain, alone, for saying that it is infeasible
    HOLDS_A_RUN = 3, // how often a run waits for one prediction in vain
    HELD_ALL_MS = 4000,
};
#define SLOWER 10.0 // a run may take so many times as long as those without being held back …
#define LONGER 10.0 // … and so many seconds more

// What is known of one prediction.
struct trial {
    struct prediction *p;
    struct hold_order order;
    uint32_t confirmed, missing, alone, runs;
    uint32_t held;       // times that threads waited in vain …
    uint32_t held_alone; // … and nobody was held back for anything else
    uint32_t gates;      // whether threads waited at gates when it came about
    uint32_t seen[HOLDING_POINTS];
    bool stuck;     // its threads waited for one another for ever
    bool suspected; // a run in which it came about went wrong
    uint32_t hangs, tried_alone;
    uint32_t failed_on_the_way;
    char *printed; // by a run alone in which it came about and nothing went wrong; null: not compared
};

struct native_trials {
    struct confirmer *c;
    const struct native_request *request;
    struct held_program program;
    struct held_run run;
    struct held_result plain[2 * PLAIN_RUNS];
    uint32_t plain_count;
    char *plain_output[2 * PLAIN_RUNS]; // of those that came to their end
    uint32_t output_count;
    double longest;
    uint32_t executed;
    struct trial *list;
    uint32_t count;
    uint32_t standing; // so many at the beginning stand for others, or for themselves
    double from;
    char *trouble;
};

static bool out_of_time(const struct native_trials *n)
{
    return run_interrupted() || time_now() > n->c->until;
}

// ---- runs ----

static void execute(struct native_trials *n, uint32_t hold_ms, bool gates, struct held_result *result)
{
    struct holding_block *block = n->run.block;
    block->hold_ms = hold_ms;
    block->gates = gates;
    block->most_held = HOLDS_A_RUN;
    block->most_seen = 1;
    block->held_all_ms = HELD_ALL_MS;
    double most = n->longest ? n->longest * SLOWER + LONGER : n->c->until - time_now();
    held_execute(&n->run, &n->program, most, result);
}

static void run_plainly(struct native_trials *n)
{
    for (int i = 0; i < PLAIN_RUNS && !n->trouble && n->plain_count < 2 * PLAIN_RUNS && !out_of_time(n); i++) {
        struct held_result *result = &n->plain[n->plain_count];
        held_renew(&n->run);
        execute(n, 0, false, result);
        if (result->trouble)
            n->trouble = alloc_copy(result->trouble);
        else if (!n->run.block->attached)
            n->trouble = alloc_copy("the program does not load what holds its threads back");
        else if (result->late && !n->program.load)
            n->trouble = alloc_copy("the program does not end by itself; --load says what it serves");
        else if (result->late)
            n->trouble = alloc_copy("the program does not end when it is asked to after its load");
        n->longest = result->seconds > n->longest ? result->seconds : n->longest;
        n->plain_count++;
        if (result->output && !result->late)
            n->plain_output[n->output_count++] = result->output;
    }
}

// ---- harm ----

static bool ends_like_some(const struct native_trials *n, const struct held_result *result)
{
    for (uint32_t i = 0; i < n->plain_count; i++)
        if (n->plain[i].status == result->status && n->plain[i].late == result->late)
            return true;
    return false;
}

static char *how_it_ended(const struct held_result *result)
{
    if (result->late)
        return alloc_copy("the program did not end any more");
    if (WIFSIGNALED(result->status))
        return alloc_format("the program was ended by a signal (%s)", strsignal(WTERMSIG(result->status)));
    return alloc_format("the program ended with status %d", WEXITSTATUS(result->status));
}

// Whether the end of this run is one that it never has otherwise, also if it is run some more.
static bool is_new_end(struct native_trials *n, const struct held_result *result)
{
    if (ends_like_some(n, result))
        return false;
    run_plainly(n);
    return !ends_like_some(n, result);
}

// Keeps what the run printed, above all if no run prints it in which nobody is held back; that is asked of some more of them.
static void compare_output(struct native_trials *n, struct trial *t, const struct held_result *result)
{
    bool is_new = output_is_new(result->output, n->plain_output, n->output_count);
    if (t->printed && !is_new)
        return;
    if (is_new && n->plain_count == PLAIN_RUNS)
        run_plainly(n);
    free(t->printed);
    t->printed = alloc_copy(result->output);
}

// ---- one prediction alone ----

static void take_result(const struct native_trials *n, struct trial *t, uint32_t at)
{
    const struct hold_order *o = &n->run.block->order[at];
    t->confirmed += o->confirmed;
    t->gates = o->confirmed ? n->run.block->gates : t->gates;
    t->held += o->held;
    t->missing = o->held ? o->missing : t->missing;
    for (uint32_t i = 0; i < o->point_count; i++)
        t->seen[i] += o->seen[i];
    t->runs++;
}

static bool is_stuck(const struct hold_order *o)
{
    return o->confirmed && o->point[0].kind == HOLD_LOCK && o->stuck == o->point_count;
}

// What a run in which it came about has shown. Hangs count only if there are two: the machine may have been busy.
static void judge_run(struct native_trials *n, struct trial *t, const struct held_result *result)
{
    struct prediction *p = t->p;
    if (is_stuck(&n->run.block->order[0])) {
        p->harmful = true;
        p->reason = alloc_copy("the threads wait for each other's locks for ever");
    } else if (p->kind == PREDICT_FREED) {
        p->harmful = true;
        p->reason = alloc_copy("the memory was used after it had been freed");
    } else if (result->late ? ++t->hangs > 1 : is_new_end(n, result)) {
        char *end = how_it_ended(result);
        p->harmful = true;
        p->reason = alloc_format("%s, which it does not do otherwise", end);
        free(end);
    } else if (!result->late && !n->program.load) {
        compare_output(n, t, result);
    }
}

// Whether threads of two parts of the order came to its points, and one of them was held back, but never in vain: then the run ended before
// the order could come about.
static bool ended_on_the_way(const struct hold_order *o)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < o->point_count; i++)
        threads |= (uint32_t)(o->seen[i] != 0) << o->point[i].thread;
    return !o->confirmed && o->waits && !o->held && (threads & (threads - 1));
}

// What a run has shown that ended on the way. The same order would have come about if the program had gone on, or it may have gone wrong
// by itself, so it counts if it happens twice.
static void judge_way(struct native_trials *n, struct trial *t, const struct held_result *result)
{
    struct prediction *p = t->p;
    if (result->late || !ended_on_the_way(&n->run.block->order[0]) || !is_new_end(n, result) ||
        ++t->failed_on_the_way < 2)
        return;
    char *end = how_it_ended(result);
    p->confirmed = CONFIRMED;
    p->harmful = true;
    p->reason = alloc_format("on the way there %s, which it does not do otherwise", end);
    free(end);
}

// One run. Threads wait at gates in every other one: where the lock does not matter, it is better to wait closer. And they wait longer
// and longer: the others may be slow.
static void run_alone(struct native_trials *n, struct trial *t)
{
    struct held_result result;
    uint32_t i = t->tried_alone++, longer = t->confirmed ? 1 : i / 2;
    held_renew(&n->run);
    n->run.block->order[0] = t->order;
    n->run.block->order_count = 1;
    execute(n, n->request->hold_ms << longer, t->confirmed ? t->gates : !(i % 2), &result);
    take_result(n, t, 0);
    t->held_alone += n->run.block->order[0].held;
    bool came = n->run.block->order[0].confirmed;
    t->alone += came;
    if (!result.trouble && came)
        judge_run(n, t, &result);
    else if (!result.trouble)
        judge_way(n, t, &result);
    held_result_free(&result);
}

// One that has come about, to see what it leads to.
static void try_confirmed(struct native_trials *n, struct trial *t)
{
    for (uint32_t i = 0; i < ALONE && !t->p->harmful && !out_of_time(n); i++)
        run_alone(n, t);
}

// ---- many together ----

static bool is_open(const struct trial *t)
{
    return !t->p->reason && !t->confirmed;
}

static uint32_t hold_together_ms(const struct native_trials *n)
{
    return n->request->hold_ms / 4 + 1;
}

// How many are tried in one run. A thread that waits for one prediction is not where another one wants it, so there are as few as
// let all have their ROUNDS in the time.
static uint32_t how_many_together(const struct native_trials *n, double seconds)
{
    double a_run = n->longest + HOLDS_A_RUN * hold_together_ms(n) / 1000.0;
    double many = n->count * (double)ROUNDS * a_run / (seconds > a_run ? seconds : a_run);
    return many >= TOGETHER ? TOGETHER : (uint32_t)many + 1;
}

// One run with so many of the open ones. Those that stand next to each other in the list are about the same places, so they are
// taken from all over it. Returns how many came about.
static uint32_t try_together(struct native_trials *n, uint32_t most, uint32_t turn)
{
    uint32_t open[TOGETHER], all = 0, count = 0, came = 0;
    for (uint32_t i = 0; i < n->count; i++)
        all += is_open(&n->list[i]);
    uint32_t apart = (all + most - 1) / most, passed = 0;
    held_renew(&n->run);
    for (uint32_t i = 0; i < n->count && count < most; i++) {
        if (!is_open(&n->list[i]) || passed++ % apart != turn % apart)
            continue;
        open[count] = i;
        n->run.block->order[count++] = n->list[i].order;
    }
    n->run.block->order_count = count;
    struct held_result result;
    execute(n, hold_together_ms(n), n->executed++ % 2 == 0, &result);
    bool wrong = !result.trouble && !ends_like_some(n, &result);
    for (uint32_t i = 0; i < count; i++) {
        take_result(n, &n->list[open[i]], i);
        came += n->run.block->order[i].confirmed != 0;
        n->list[open[i]].suspected |= wrong && n->run.block->order[i].confirmed;
    }
    held_result_free(&result);
    return came;
}

static void try_all_together(struct native_trials *n)
{
    // Half of the time is for looking at each alone.
    double seconds = (n->c->until - n->from) / 2;
    uint32_t most = how_many_together(n, seconds), in_vain = 0, turns = n->count / most + 1;
    for (uint32_t turn = 0; in_vain < ROUNDS * turns && !out_of_time(n) && time_now() < n->from + seconds; turn++) {
        uint32_t open = 0;
        for (uint32_t i = 0; i < n->count; i++)
            open += is_open(&n->list[i]);
        if (!open)
            break;
        in_vain = try_together(n, most, turn) ? 0 : in_vain + 1;
    }
}

// ---- what is said ----

static void say_where(const struct hunt *h, const struct trial *t, uint32_t point, struct buffer *text)
{
    uint32_t record = t->p->records[point];
    buffer_add(text, "%s ", h->r->threads[h->r->records[record].thread].name);
    predict_action(h->r, record, text);
    if (h->r->records[record].place != NOT_RECORDED) {
        buffer_add(text, " at ");
        place_short(h->r, h->r->records[record].place, text);
    }
}

static void conclude_confirmed(const struct native_trials *n, struct trial *t)
{
    struct prediction *p = t->p;
    char *remark = NULL;
    p->confirmed = CONFIRMED;
    if (p->reason)
        return;
    if (t->printed)
        remark = output_remark(t->printed, n->plain_output, n->output_count, &p->differs);
    if (!t->alone)
        p->reason = alloc_format("it was seen to happen in a run with others%s",
                                 t->tried_alone ? ", but not alone" : "; there was no time to try it alone");
    else if (remark)
        p->reason = alloc_format("it was seen to happen: %s", remark);
    else
        p->reason = alloc_copy("it was seen to happen; nothing went wrong in that run");
    free(remark);
}

static void conclude(const struct native_trials *n, struct trial *t)
{
    struct prediction *p = t->p;
    struct buffer text = {0};
    if (t->confirmed) {
        conclude_confirmed(n, t);
        return;
    }
    if (p->reason)
        return;
    uint32_t unseen = 0;
    while (unseen < t->order.point_count && t->seen[unseen])
        unseen++;
    p->confirmed = unseen == t->order.point_count && t->held_alone >= ENOUGH_HELD ? INFEASIBLE : UNKNOWN;
    if (!t->runs) {
        buffer_add(&text, "there was no time left");
    } else if (unseen < t->order.point_count) {
        buffer_add(&text, "no run came to where ");
        say_where(n->c->h, t, unseen, &text);
    } else if (t->held) {
        buffer_add(&text, "threads waited for it %u times in vain: nobody came to where ", t->held);
        say_where(n->c->h, t, t->missing, &text);
    } else {
        buffer_add(&text, "threads came there, but never about the same memory, or in one call");
    }
    p->reason = text.text;
}

// ---- all of it ----

static void add_trial(struct native_trials *n, struct prediction *p)
{
    struct trial *t = &n->list[n->count];
    *t = (struct trial){.p = p};
    const char *why = n->trouble ? n->trouble : held_order_make(n->c->h, p, &t->order);
    if (why) {
        p->confirmed = UNKNOWN;
        p->reason = alloc_copy(why);
    } else {
        n->count++;
    }
}

// Those that stand for others come first.
static void list_trials(struct native_trials *n)
{
    struct predictions *found = &n->c->h->found;
    uint32_t only = n->request->only;
    n->list = alloc_zeroed(found->count + 1, sizeof *n->list);
    for (int others = 0; others < 2; others++) {
        for (uint32_t i = 0; i < found->count; i++)
            if ((found->list[i].group != i) == others && (!only || only == i + 1))
                add_trial(n, &found->list[i]);
        n->standing = others ? n->standing : n->count;
    }
}

// One that has not come about: a run, if there were not `runs` of it yet, and it is not known by now to be in vain.
static void try_once_more(struct native_trials *n, struct trial *t, uint32_t runs)
{
    if (t->confirmed || t->p->reason || t->tried_alone >= runs || t->held_alone >= ENOUGH_HELD || out_of_time(n))
        return;
    run_alone(n, t);
    if (t->confirmed)
        try_confirmed(n, t);
}

// Those that came about with others first, suspected ones before the rest. Then all others get a run each before any gets another one,
// since most that can come about do so soon; but those that stand for others get two before the rest gets any.
static void try_each_alone(struct native_trials *n)
{
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < n->count && !out_of_time(n); i++)
            if (n->list[i].confirmed && n->list[i].suspected == !round)
                try_confirmed(n, &n->list[i]);
    for (uint32_t runs = 1; runs <= 2; runs++)
        for (uint32_t i = 0; i < n->standing; i++)
            try_once_more(n, &n->list[i], runs);
    for (uint32_t runs = 1; runs <= PATIENCE; runs++)
        for (uint32_t i = 0; i < n->count; i++)
            try_once_more(n, &n->list[i], runs);
}

void native_confirm(struct confirmer *c, const struct native_request *request)
{
    struct native_trials n = {.c = c, .request = request, .from = time_now()};
    n.program = (struct held_program){.path = c->subject.program,
                                      .arguments = c->subject.arguments,
                                      .directory = c->h->r->directory,
                                      .load = request->load};
    n.trouble = c->trouble ? alloc_copy(c->trouble) : NULL;
    predictions_group(c->h);
    if (!n.trouble && !held_open(&n.run))
        n.trouble = alloc_copy("there is no shared memory for it");
    run_plainly(&n);
    list_trials(&n);
    if (n.count) {
        try_all_together(&n);
        try_each_alone(&n);
    }
    for (uint32_t i = 0; i < n.count; i++) {
        conclude(&n, &n.list[i]);
        free(n.list[i].printed);
    }
    for (uint32_t i = 0; i < n.plain_count; i++)
        held_result_free(&n.plain[i]);
    held_close(&n.run);
    free(n.list);
    free(n.trouble);
}
