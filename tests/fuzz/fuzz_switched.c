// Checks searches with several switches on at once against plain enumeration: `dfs`, which tries every order, in runs that begin
// with main each, under the same rules.
//
//     fuzz_switched [count [first seed]]
//
// Rules (what may happen in a run) go to both: --reuse, --memory-errors, --spurious, --fault, --leaks, --fill, --races. Switches of
// the search go to the other one: each strategy, --symmetry, --memory, --audit-states, --tail, --undo-check, --restart. Each finds the same
// outcomes, and the same bugs: of accesses and assertions the same places, of others the same kinds. Where memory is used that
// was freed or is nobody's, or where threads race and that is not explored, only kinds of bugs count: what is read there may differ.
// With --races off such programs are left out: what is not looked for is not tried in every order either.
//
// Programs (switched_program.h) are compiled twenty at a time. One that fails is made as small as it can be while it still fails, and
// its C file is kept. At the end stands how many programs each pair was tried on. SWITCHED_RULES=NAME: only programs with this one.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/real_run.h"
#include "fuzz/switched_program.h"
#include "model/fill.h"

enum { BATCH = 20, MOST_EXECUTIONS = 20000, SMALL_TABLE = 256 * 1024 };

enum rule {
    REUSE,
    MEMORY_ERRORS,
    SPURIOUS,
    FAULT_OF_MALLOC,
    FAULT_OF_CREATE,
    FAULT_OF_WRITE,
    LEAKS,
    FILL,
    EXPLORES,
    RACES_NOT,
    RULES
};

static const char *const rule_names[RULES] = {"reuse",         "memory-errors", "spurious", "fault malloc",
                                              "fault create",  "fault write",   "leaks",    "fill",
                                              "races explore", "races off"};

enum extra { SYMMETRIC, ALL_APART, LITTLE_MEMORY, AUDITED, EACH_TAIL, EACH_UNDO, BY_REPLAY, EXTRAS };

static const char *const extra_names[EXTRAS] = {"symmetry",    "symmetry off", "memory", "audit",
                                                "tail always", "undo-check",   "replay"};

static const enum strategy_kind ways[] = {STRATEGY_STATES,  STRATEGY_SPOR, STRATEGY_DLSPOR, STRATEGY_SDPOR,
                                          STRATEGY_OPTIMAL, STRATEGY_DPOR, STRATEGY_RF};

enum { WAYS = sizeof ways / sizeof *ways, BY_STATES = 4 };

struct tally {
    uint64_t passed, failed, skipped;
    uint64_t rules[RULES][RULES], ways[WAYS][RULES], extras[WAYS][EXTRAS], all[WAYS];
};

static struct tally *tally;

struct subject_of_test {
    struct switched_program program;
    uint64_t seed;
    uint32_t rules; // a bit for each
};

static bool has(uint32_t set, uint32_t member)
{
    return set >> member & 1;
}

// ---- one search ----

struct found {
    struct set outcomes, bugs;
    uint32_t kinds; // a bit for each kind of bug
    bool whole;
    bool late;      // it was not done in time: the machine was busy
    char text[256]; // why it is not whole
};

static uint64_t bug_key(const struct bug *bug)
{
    const struct bug_traits *traits = bug_traits(bug->kind);
    bool placed =
        bug->kind != BUG_RACE && !traits->has_no_place && !traits->of_whole_run && traits->shape == BUG_IN_ONE_THREAD;
    uint64_t key[2] = {bug->kind, placed ? bug->pc : 0};
    return hash_bytes(key, sizeof key);
}

static void set_rules(struct rules *rules, uint32_t set)
{
    rules->reuse = has(set, REUSE);
    rules->memory_errors = has(set, MEMORY_ERRORS);
    rules->spurious = has(set, SPURIOUS);
    rules->leaks = has(set, LEAKS);
    rules->fill = has(set, FILL) ? FILL_BYTES : FILL_USUAL;
    rules->races = has(set, EXPLORES) ? RACES_EXPLORE : has(set, RACES_NOT) ? RACES_OFF : RACES_REPORT;
    static const enum fault_family families[] = {FAULT_MALLOC, FAULT_CREATE, FAULT_WRITE};
    for (uint32_t i = 0; i < 3; i++)
        rules->faults[families[i]] =
            (struct fault_budget){has(set, FAULT_OF_MALLOC + i), has(set, FAULT_OF_MALLOC + i)};
}

static void set_extras(struct task *task, uint32_t set)
{
    task->symmetry = has(set, SYMMETRIC) ? SYMMETRY_AUTO : SYMMETRY_OFF;
    task->memory = has(set, LITTLE_MEMORY) ? SMALL_TABLE : 0;
    task->audit_states = has(set, AUDITED);
    task->tail = has(set, EACH_TAIL);
    task->undo_check = has(set, EACH_UNDO) ? 2 : 0; // enum audit_mode
}

static struct found search(const struct real_place *place, uint32_t k, enum strategy_kind strategy, uint32_t rules,
                           uint32_t extras)
{
    struct real_task task = {.number = k,
                             .strategy = strategy,
                             .restart = has(extras, BY_REPLAY) ? RESTART_REPLAY : RESTART_UNDO,
                             .max_executions = MOST_EXECUTIONS};
    struct task more = {0};
    set_rules(&more.rules, rules);
    set_extras(&more, extras);
    task.more = &more;
    struct real_answer answer = real_explore(place, task);
    const struct job *job = answer.job;
    struct found found = {
        .outcomes = answer.outcomes, .whole = job->answer.end == JOB_DONE, .late = job->answer.end == JOB_TIME};
    answer.outcomes = (struct set){0};
    snprintf(found.text, sizeof found.text, "%u: %.200s", job->answer.end, job->answer.reason);
    for (uint32_t i = 0; i < job->answer.bugs; i++) {
        set_add(&found.bugs, bug_key(&job->answer.bug[i].bug));
        found.kinds |= 1u << job->answer.bug[i].bug.kind;
    }
    real_forget(&answer);
    return found;
}

static void forget(struct found *found)
{
    set_free(&found->outcomes);
    set_free(&found->bugs);
}

// ---- one program ----

enum {
    READS_ANYTHING = 1u << BUG_USE_AFTER_FREE | 1u << BUG_USE_AFTER_RETURN | 1u << BUG_OUT_OF_BOUNDS |
                     1u << BUG_DOUBLE_FREE | 1u << BUG_BAD_FREE | 1u << BUG_SIGNAL | 1u << BUG_UNINITIALISED
};

// Whether what is found after a bug may depend on what nobody promises.
static bool values_count(const struct found *truth, uint32_t rules)
{
    bool races = truth->kinds >> BUG_RACE & 1 && !has(rules, EXPLORES);
    return !(truth->kinds & READS_ANYTHING) && !races;
}

static char *compare(enum strategy_kind strategy, uint32_t extras, const struct found *found, const struct found *truth,
                     uint32_t rules)
{
    char *text = NULL, switches[128] = "";
    for (uint32_t i = 0; i < EXTRAS; i++)
        if (has(extras, i))
            snprintf(switches + strlen(switches), sizeof switches - strlen(switches), ", %s", extra_names[i]);
    const char *name = strategy_table[strategy].name, *wrong = NULL;
    if (found->kinds != truth->kinds)
        wrong = found->kinds & ~truth->kinds ? "a bug that cannot be" : "a bug is missing";
    else if (values_count(truth, rules) && !set_equal(&found->bugs, &truth->bugs))
        wrong = "bugs at other places";
    else if (values_count(truth, rules) && strategy != STRATEGY_RF && !set_equal(&found->outcomes, &truth->outcomes))
        wrong = "other outcomes";
    if (wrong)
        require(asprintf(&text, "%s, %s%s (kinds %x, expected %x; %u outcomes, expected %u)", wrong, name, switches,
                         found->kinds, truth->kinds, found->outcomes.count, truth->outcomes.count) >= 0);
    return text;
}

static uint32_t draw_extras(uint64_t *state, bool by_states)
{
    uint32_t extras = splitmix(state) % 2 ? 1u << SYMMETRIC : 1u << ALL_APART;
    if (splitmix(state) % 3 == 0)
        extras |= 1u << EACH_TAIL;
    if (by_states && splitmix(state) % 3 == 0)
        extras |= 1u << LITTLE_MEMORY;
    if (by_states && splitmix(state) % 4 == 0)
        extras |= 1u << AUDITED;
    if (splitmix(state) % 8 == 0)
        extras |= 1u << EACH_UNDO;
    if (!by_states && splitmix(state) % 4 == 0)
        extras |= 1u << BY_REPLAY;
    return extras;
}

static void count(uint32_t way, uint32_t rules, uint32_t extras)
{
    tally->all[way]++;
    for (uint32_t i = 0; i < RULES; i++)
        tally->ways[way][i] += has(rules, i);
    for (uint32_t i = 0; i < EXTRAS; i++)
        tally->extras[way][i] += has(extras, i);
}

// A search that was cut short or could not be by states shows less than there is, and nothing else.
static char *check_way(const struct subject_of_test *s, const struct real_place *place, uint32_t k, uint32_t way,
                       const struct found *truth)
{
    uint64_t state = s->seed * WAYS + way;
    uint32_t extras = draw_extras(&state, way < BY_STATES);
    struct found found = search(place, k, ways[way], s->rules, extras);
    char *text = NULL;
    if (found.whole) {
        text = compare(ways[way], extras, &found, truth, s->rules);
        count(way, s->rules, extras);
    } else if (way < BY_STATES && !has(extras, LITTLE_MEMORY) && !found.late) {
        require(asprintf(&text, "no end, %s: %s", strategy_table[ways[way]].name, found.text) >= 0);
    }
    forget(&found);
    return text;
}

static struct found enumerate(const struct real_place *place, uint32_t k, uint32_t rules)
{
    return search(place, k, STRATEGY_DFS, rules, 1u << BY_REPLAY | 1u << ALL_APART | 1u << EACH_TAIL);
}

static bool has_orders_unseen(const struct real_place *place, uint32_t k, uint32_t rules)
{
    if (!has(rules, RACES_NOT))
        return false;
    struct found with = enumerate(place, k, rules & ~(1u << RACES_NOT));
    bool unseen = !with.whole || with.kinds & (READS_ANYTHING | 1u << BUG_RACE);
    forget(&with);
    return unseen;
}

static char *check(const struct subject_of_test *s, const struct real_place *place, uint32_t k, bool *skipped)
{
    struct found truth = enumerate(place, k, s->rules);
    char *text = NULL;
    *skipped = !truth.whole || has_orders_unseen(place, k, s->rules);
    for (uint32_t way = 0; way < WAYS && !*skipped && !text; way++)
        if (way < BY_STATES || (s->seed + way) % 3 == 0)
            text = check_way(s, place, k, way, &truth);
    for (uint32_t i = 0; i < RULES && !*skipped; i++)
        for (uint32_t j = 0; j < RULES; j++)
            tally->rules[i][j] += has(s->rules, i) && has(s->rules, j);
    forget(&truth);
    return text;
}

// ---- batches ----

static bool has_heap(uint64_t seed)
{
    return seed / BATCH % 2;
}

static uint32_t draw_rules(uint64_t seed)
{
    uint64_t state = seed ^ 0xab1e;
    uint32_t rules = 0;
    const char *only = getenv("SWITCHED_RULES");
    for (uint32_t i = 0; i < RULES; i++) {
        rules |= (splitmix(&state) % (i >= FAULT_OF_MALLOC && i <= FAULT_OF_WRITE ? 3 : 2) == 0) << i;
        if (only && !strcmp(only, rule_names[i]))
            rules |= 1u << i;
    }
    if (has(rules, EXPLORES))
        rules &= ~(1u << RACES_NOT);
    rules &= ~(1u << MEMORY_ERRORS); // which its batch has, or has not: they are compiled with it
    return rules | (uint32_t)has_heap(seed) << MEMORY_ERRORS;
}

static char *build(const struct subject_of_test *tests, uint32_t count, const struct real_place *place, uint64_t seed)
{
    static const char *const levels[] = {"-O1", "-O2 --clear-dead", "-O0",
                                         "-O2", "-O1 --clear-dead", "-O3 --clear-dead"};
    char flags[64];
    FILE *out = fopen(place->source, "w");
    require(out);
    real_print_head(out);
    fprintf(
        out,
        "#define MEMORY 0\n#include <sched.h>\n#include <time.h>\n"
        "__attribute__((unused)) static uint64_t weight(uint64_t n)\n"
        "{\n    n *= 0x9e3779b97f4a7c15u;\n    n = (n ^ n >> 31) * 0xbf58476d1ce4e5b9u;\n    return n ^ n >> 29;\n}\n");
    for (uint32_t k = 0; k < count; k++) {
        fprintf(out, "// seed %llu\n", (unsigned long long)tests[k].seed);
        switched_print(&tests[k].program, k, out);
    }
    real_print_main(out, count);
    require(!fclose(out));
    snprintf(flags, sizeof flags, "%s%s", levels[seed / BATCH % 6], has_heap(seed) ? " --memory-errors" : "");
    return real_compile(place, flags);
}

// ---- making a failing program small ----

static char *try(const struct subject_of_test *s, const struct real_place *place)
{
    bool skipped;
    char *complaint = build(s, 1, place, s->seed);
    bool failed = complaint;
    free(complaint);
    return failed ? NULL : check(s, place, 0, &skipped);
}

static void print_rules(uint32_t rules)
{
    for (uint32_t i = 0; i < RULES; i++)
        if (has(rules, i))
            printf(" [%s]", rule_names[i]);
}

static bool as_before(const char *still, const char *wrong)
{
    return still && !strncmp(still, wrong, strcspn(wrong, "("));
}

static char *shrink(struct subject_of_test *s, const struct real_place *place, char *wrong)
{
    for (uint32_t n = 0, rule = 0; rule < RULES;) {
        struct subject_of_test smaller = *s;
        bool of_rules = !switched_leave_out(&smaller.program, n);
        if (of_rules && (rule == MEMORY_ERRORS || !has(s->rules, rule))) {
            rule++;
            continue;
        }
        if (of_rules)
            smaller.rules &= ~(1u << rule);
        char *still = try(&smaller, place);
        if (as_before(still, wrong)) {
            *s = smaller;
            free(wrong);
            wrong = still;
        } else {
            free(still);
            n += !of_rules;
            rule += of_rules;
        }
    }
    free(build(s, 1, place, s->seed));
    return wrong;
}

static void report(const struct subject_of_test *s, const char *folder, char *wrong)
{
    struct real_place place;
    struct subject_of_test one = *s;
    char name[64];
    printf("FAILED: seed %llu: %s", (unsigned long long)s->seed, wrong);
    print_rules(s->rules);
    snprintf(name, sizeof name, "switched-%llu", (unsigned long long)s->seed);
    real_begin(&place, folder, name);
    char *again = try(&one, &place);
    if (again)
        again = shrink(&one, &place, again);
    printf("\n    %s; %s", again ? again : "but not alone", place.source);
    print_rules(one.rules);
    printf("\n");
    fflush(stdout);
    free(again);
    free(wrong);
    real_end(&place, true);
}

static void run_batch(uint64_t seed, uint32_t count, const char *folder)
{
    static struct subject_of_test tests[BATCH];
    struct real_place place;
    char name[64];
    snprintf(name, sizeof name, "batch-%llu", (unsigned long long)seed);
    for (uint32_t k = 0; k < count; k++) {
        tests[k] = (struct subject_of_test){.seed = seed + k, .rules = draw_rules(seed + k)};
        switched_random(&tests[k].program, seed + k);
    }
    real_begin(&place, folder, name);
    char *complaint = build(tests, count, &place, seed);
    if (complaint) {
        printf("FAILED: %s does not compile: %s\n", place.source, complaint);
        tally->failed += count;
    }
    for (uint32_t k = 0; k < count && !complaint; k++) {
        bool skipped;
        char *wrong = check(&tests[k], &place, k, &skipped);
        tally->skipped += skipped;
        tally->passed += !wrong && !skipped;
        tally->failed += wrong != NULL;
        if (wrong) {
            report(&tests[k], folder, wrong);
            setenv("REAL_OUTCOMES", place.table, 1);
        }
    }
    real_end(&place, complaint != NULL);
    free(complaint);
}

static void print_row(const char *name, uint64_t all, const uint64_t *columns, uint32_t n)
{
    printf("%-14s %8llu", name, (unsigned long long)all);
    for (uint32_t i = 0; i < n; i++)
        printf(" %13llu", (unsigned long long)columns[i]);
    printf("\n");
}

static void print_tally(void)
{
    printf("%-14s %8s", "tried with", "");
    for (uint32_t i = 0; i < RULES; i++)
        printf(" %13s", rule_names[i]);
    printf("\n");
    for (uint32_t i = 0; i < RULES; i++)
        print_row(rule_names[i], tally->rules[i][i], tally->rules[i], RULES);
    for (uint32_t way = 0; way < WAYS; way++)
        print_row(strategy_table[ways[way]].name, tally->all[way], tally->ways[way], RULES);
    printf("%-14s %8s", "", "");
    for (uint32_t i = 0; i < EXTRAS; i++)
        printf(" %13s", extra_names[i]);
    printf("\n");
    for (uint32_t way = 0; way < WAYS; way++)
        print_row(strategy_table[ways[way]].name, tally->all[way], tally->extras[way], EXTRAS);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 200, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    char folder[] = "/tmp/fuzz_switched.XXXXXX";
    require(mkdtemp(folder));
    if (!real_install(folder)) {
        fprintf(stderr, "fuzz_switched: no heddle and libheddle.so that work, next to it: build them first.\n");
        real_uninstall(folder);
        rmdir(folder);
        return 2;
    }
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(tally != MAP_FAILED);
    for (uint64_t at = first; at < first + count;) {
        uint64_t end = (at / BATCH + 1) * BATCH; // a seed is the same program whatever the first seed is
        end = end < first + count ? end : first + count;
        run_batch(at, (uint32_t)(end - at), folder);
        at = end;
    }
    real_uninstall(folder);
    rmdir(folder);
    print_tally();
    if (tally->skipped)
        printf("%llu were left out, mostly since they were too large for the enumeration\n",
               (unsigned long long)tally->skipped);
    printf("%llu passed, %llu failed\n", (unsigned long long)tally->passed, (unsigned long long)tally->failed);
    return tally->failed != 0;
}
