#include "fuzz/real_check.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fuzz/oracle.h"

enum {
    MOST_STATES = 200000,
    MOST_TRACES = 20000,
    MOST_DFS = 2000,
    MOST_DPOR = 20000,
    COMMAND_EVERY = 25,
    BOUNDED_EVERY = 4
};

static const enum strategy_kind by_states[] = {STRATEGY_STATES, STRATEGY_SPOR, STRATEGY_DLSPOR, STRATEGY_SDPOR};

static char *wrong_text;

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!wrong_text)
        require(vasprintf(&wrong_text, format, arguments) >= 0);
    va_end(arguments);
    return false;
}

static const char *task_name(struct real_task task)
{
    static char text[64];
    static const char *const restarts[] = {"auto", "undo", "replay", "verify"};
    snprintf(text, sizeof text, "%s, %s", strategy_table[task.strategy].name, restarts[task.restart]);
    return text;
}

// Whether the sets agree; `part`: not everything was explored. `rf` has to find what threads read, and not what is left in memory.
static bool check_outcomes(struct real_task task, const struct set *found, const struct set *truth,
                           const struct set *locals, bool part)
{
    const struct set *needed = task.strategy == STRATEGY_RF ? locals : truth;
    uint32_t missing = 0, invented = 0;
    for (uint32_t i = 0; i < needed->limit; i++)
        missing += needed->slot[i] && !set_has(found, needed->slot[i]);
    for (uint32_t i = 0; i < found->limit; i++)
        invented += found->slot[i] && !set_has(truth, found->slot[i]);
    if (invented)
        return wrong("%s: %u outcomes of %u cannot be", task_name(task), invented, found->count);
    if (missing && !part)
        return wrong("%s: %u outcomes of %u are missing", task_name(task), missing, truth->count);
    return true;
}

static bool check_sync_bugs(struct real_task task, const struct job *job, const struct real_truth *truth, bool part)
{
    uint64_t failing[MAX_THREADS] = {0};
    bool deadlock = false;
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        const struct bug *bug = &job->answer.bug[i].bug;
        const char *name = strstr(bug->text, "\"a");
        unsigned t, at;
        if (bug->kind == BUG_ASSERTION && name && sscanf(name, "\"a%u.%u", &t, &at) == 2)
            failing[t] |= 1ull << at;
        else if (bug->kind == BUG_DEADLOCK)
            deadlock = true;
        else
            return wrong("%s: %s: %s", task_name(task), bug_name(bug->kind), bug->text);
    }
    if (deadlock ? !truth->deadlock : truth->deadlock && !part)
        return wrong("%s: %s", task_name(task), deadlock ? "a deadlock that cannot be" : "the deadlock is missing");
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        if (part ? failing[t] & ~truth->failing[t] : failing[t] != truth->failing[t])
            return wrong("%s: other assertions fail", task_name(task));
    return true;
}

static bool explored(struct real_task task, const struct job *job, bool *part)
{
    *part = job->answer.end == JOB_EXECUTIONS || job->answer.end == JOB_TIME;
    if (job->answer.end != JOB_DONE && !*part)
        return wrong("%s: search ended with %u: %s%s", task_name(task), job->answer.end, job->answer.reason,
                     job->answer.bugs ? job->answer.bug[job->answer.bugs - 1].bug.text : "");
    return true;
}

static bool some_alike;

static struct real_answer explore(const struct real_place *place, struct real_task task)
{
    struct real_answer answer = real_explore(place, task);
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        some_alike |= answer.job->answer.alike[i] != 0;
    return answer;
}

static bool check_sync_task(const struct real_place *place, struct real_task task, const struct real_truth *truth,
                            uint64_t traces)
{
    struct real_answer answer = explore(place, task);
    bool part;
    bool good = explored(task, answer.job, &part) &&
                check_outcomes(task, &answer.outcomes, &truth->outcomes, &truth->locals, part) &&
                check_sync_bugs(task, answer.job, truth, part);
    if (good && traces && task.strategy == STRATEGY_OPTIMAL && answer.job->answer.counts.executions != traces)
        good = wrong("%s: %llu executions, %llu traces", task_name(task),
                     (unsigned long long)answer.job->answer.counts.executions, (unsigned long long)traces);
    real_forget(&answer);
    return good;
}

// The report as JSON says the same.
static bool check_sync_command(const struct real_place *place, uint32_t k, uint8_t faults,
                               const struct real_truth *truth)
{
    struct real_task task = {.number = k, .strategy = STRATEGY_OPTIMAL, .faults = faults};
    cJSON *json = real_command(place, task);
    if (!json)
        return wrong("heddle check gives no JSON");
    bool deadlock = false, expected = truth->deadlock;
    int failing = 0, number = 0;
    cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(json, "bugs"))
    {
        const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "kind"));
        deadlock |= kind && !strcmp(kind, "deadlock");
        failing += kind && !strcmp(kind, "assertion");
        if (!cJSON_GetArraySize(cJSON_GetObjectItem(bug, "events")))
            wrong("heddle check: a bug without a recorded run: %s",
                  cJSON_GetStringValue(cJSON_GetObjectItem(bug, "trace_error")));
    }
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        number += __builtin_popcountll(truth->failing[t]);
    const char *verdict = cJSON_GetStringValue(cJSON_GetObjectItem(json, "verdict"));
    if (deadlock != expected || failing != number)
        wrong("heddle check: other bugs");
    const char *fitting = number || expected      ? "bug"
                          : truth->outcomes.count ? "verified"
                                                  : "incomplete"; // all cut short
    if (!verdict || strcmp(verdict, fitting))
        wrong("heddle check: verdict %s", verdict ? verdict : "missing");
    cJSON_Delete(json);
    return !wrong_text;
}

static uint64_t count_traces(const struct program *p)
{
    struct set traces = {0};
    struct machine m;
    machine_init(&m, p);
    uint64_t n = oracle_traces(&m, &traces, MOST_TRACES) ? traces.count : 0;
    machine_free(&m);
    set_free(&traces);
    return n;
}

static bool check_sync(const struct real_case *c, const struct real_place *place, uint32_t k, bool *skipped)
{
    static const enum strategy_kind strategies[] = {STRATEGY_OPTIMAL, STRATEGY_DPOR, STRATEGY_DFS, STRATEGY_RF};
    const struct program *p = &c->sync.program;
    struct real_truth truth = {0};
    bool good = true;
    *skipped = !real_sync_truth(p, &truth, MOST_STATES) || truth.outcomes.count > REAL_MOST_OUTCOMES;
    uint64_t traces = c->kind->exact && !*skipped ? count_traces(p) : 0;
    const bool polled = c->kind->language & WITH_SEM; // each round of a loop that polls is a trace of its own
    // What is special about kin only searches by states know.
    const int ways = c->kind->language & WITH_KIN ? 1 : polled ? 4 : 8;
    for (int i = 0; i < ways && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .faults = p->faults,
                                 .strategy = strategies[i / 2],
                                 .restart = i % 2 ? RESTART_REPLAY : RESTART_UNDO,
                                 .max_executions = i / 2 == 2 || polled ? MOST_DFS
                                                   : i / 2 == 1         ? MOST_DPOR
                                                                        : 0};
        good = check_sync_task(place, task, &truth, traces);
    }
    if (good && !*skipped && c->seed % BOUNDED_EVERY == 0) {
        struct real_task task = {.number = k,
                                 .faults = p->faults,
                                 .strategy = STRATEGY_BOUNDED,
                                 .restart = RESTART_UNDO,
                                 .max_executions = MOST_DPOR};
        good = check_sync_task(place, task, &truth, 0);
    }
    for (int i = 0; i < 4 && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .faults = p->faults,
                                 .strategy = by_states[i],
                                 .restart = RESTART_UNDO,
                                 .max_executions = MOST_DPOR};
        good = check_sync_task(place, task, &truth, 0);
    }
    if (good && !*skipped && c->seed % COMMAND_EVERY == 0)
        good = check_sync_command(place, k, p->faults, &truth);
    set_free(&truth.outcomes);
    set_free(&truth.locals);
    return good;
}

// ---- the second family ----

static uint64_t words(uint64_t racy)
{
    for (int word = 0; word < 8; word++)
        if (racy >> 8 * word & 0xff)
            racy |= 0xffull << 8 * word;
    return racy;
}

static bool check_races(struct real_task task, const struct real_answer *answer, uint64_t racy)
{
    uint64_t covered = 0;
    bool by_word = task.races == RACES_EXPLORE;
    for (uint32_t i = 0; i < answer->job->answer.bugs; i++) {
        const struct bug *bug = &answer->job->answer.bug[i].bug;
        if (bug->kind == BUG_DEADLOCK)
            continue;
        uint64_t at = bug->address - answer->memory;
        if (bug->kind != BUG_RACE || at + bug->size > PLAIN_BYTES || !bug->size)
            return wrong("%s: %s on 0x%llx: %s", task_name(task), bug_name(bug->kind), (unsigned long long)bug->address,
                         bug->text);
        uint64_t bytes = ((1ull << bug->size) - 1) << at;
        if (bytes & ~(by_word ? words(racy) : racy))
            return wrong("%s: no race on %s, %u bytes at %u", task_name(task), plain_name((uint32_t)at), bug->size,
                         (unsigned)at);
        covered |= by_word ? words(bytes) : bytes;
    }
    if (racy & ~covered)
        return wrong("%s: the race on %s, byte %d, is missing", task_name(task),
                     plain_name((uint32_t)__builtin_ctzll(racy & ~covered)), __builtin_ctzll(racy & ~covered));
    return true;
}

static bool check_deadlock(struct real_task task, const struct job *job, bool expected)
{
    bool found = false;
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        found |= job->answer.bug[i].bug.kind == BUG_DEADLOCK;
    return found == expected || wrong("%s: deadlock %d, expected %d", task_name(task), found, expected);
}

static bool check_plain_task(const struct real_place *place, struct real_task task, const struct plain_truth *truth)
{
    struct real_answer answer = explore(place, task);
    bool part;
    bool good = explored(task, answer.job, &part) && (part || check_races(task, &answer, truth->racy));
    if (good && task.races == RACES_EXPLORE)
        good = check_outcomes(task, &answer.outcomes, &truth->outcomes, &truth->locals, part) &&
               (part || truth->racy || check_deadlock(task, answer.job, truth->deadlock));
    real_forget(&answer);
    return good;
}

// The report as JSON names the variables.
static bool check_plain_command(const struct real_place *place, uint32_t k, const struct plain_truth *truth)
{
    struct real_task task = {.number = k, .strategy = STRATEGY_OPTIMAL};
    cJSON *json = real_command(place, task);
    if (!json)
        return wrong("heddle check gives no JSON");
    uint64_t named = 0;
    cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(json, "bugs"))
    {
        const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "kind"));
        const char *object = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "object"));
        if (kind && !strcmp(kind, "deadlock"))
            continue;
        uint64_t meant = 0;
        for (uint32_t byte = 0; byte < PLAIN_BYTES && object; byte++)
            if (!strncmp(object, plain_name(byte), strlen(plain_name(byte))))
                meant |= 1ull << byte;
        if (object && !meant)
            meant = UINT64_MAX; // several of them, or a gap
        if (!(meant & truth->racy))
            wrong("heddle check: there is no race on %s", object ? object : "an unnamed object");
        if (cJSON_GetArraySize(cJSON_GetObjectItem(bug, "accesses")) != 2)
            wrong("heddle check: a race on %s without two accesses", object ? object : "nothing");
        named |= meant;
    }
    if (truth->racy & ~named)
        wrong("heddle check: a race on %s is missing", plain_name((uint32_t)__builtin_ctzll(truth->racy & ~named)));
    cJSON_Delete(json);
    return !wrong_text;
}

static bool check_plain(const struct real_case *c, const struct real_place *place, uint32_t k, bool *skipped)
{
    static const enum strategy_kind strategies[] = {STRATEGY_OPTIMAL, STRATEGY_DPOR, STRATEGY_DFS, STRATEGY_RF};
    bool explores = c->kind->family == PLAIN_EXPLORE, good = true;
    struct plain_truth truth = {0};
    *skipped = !real_plain_truth(&c->plain, explores, &truth, MOST_STATES) || truth.outcomes.count > REAL_MOST_OUTCOMES;
    for (int i = 0; i < 8 && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .strategy = strategies[i / 2],
                                 .restart = i % 2 ? RESTART_REPLAY : RESTART_UNDO,
                                 .races = explores ? RACES_EXPLORE : RACES_REPORT,
                                 .max_executions = i / 2 == 2   ? MOST_DFS
                                                   : i / 2 == 1 ? MOST_DPOR
                                                                : 0};
        good = check_plain_task(place, task, &truth);
    }
    for (int i = 0; i < 4 && good && !*skipped; i++) {
        struct real_task task = {.number = k,
                                 .strategy = by_states[i],
                                 .restart = RESTART_UNDO,
                                 .races = explores ? RACES_EXPLORE : RACES_REPORT,
                                 .max_executions = MOST_DPOR};
        good = check_plain_task(place, task, &truth);
    }
    if (good && !*skipped && !explores) {
        struct real_task task = {.number = k,
                                 .strategy = STRATEGY_DPOR,
                                 .restart = c->seed % 2 ? RESTART_REPLAY : RESTART_UNDO,
                                 .max_executions = MOST_DPOR,
                                 .only_races = true};
        good = check_plain_task(place, task, &truth);
    }
    if (good && !*skipped && !explores && c->seed % COMMAND_EVERY == 0)
        good = check_plain_command(place, k, &truth);
    set_free(&truth.outcomes);
    set_free(&truth.locals);
    return good;
}

bool real_has_kin(const struct real_kind *kind)
{
    return kind->language & (kind->family == SYNC ? WITH_KIN : WITH_ALIKE);
}

char *real_check(const struct real_case *c, const struct real_place *place, uint32_t k, struct real_course *course)
{
    *course = (struct real_course){0};
    some_alike = false;
    if (c->kind->family == SYNC)
        check_sync(c, place, k, &course->skipped);
    else
        check_plain(c, place, k, &course->skipped);
    course->alike = some_alike;
    char *text = wrong_text;
    wrong_text = NULL;
    return text;
}
