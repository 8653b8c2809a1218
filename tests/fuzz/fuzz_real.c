// Checks the real engine (fibers, hooks, going back) on random C programs against plain enumeration.
//
//     fuzz_real [count [first seed]]
//
// First family (real_sync.h): the outcomes, deadlocks and failing assertions that each strategy finds with each way of
// going back are those of the enumeration, and `optimal` needs one execution per trace. Second family (real_plain.h):
// heddle reports exactly the bytes that race; with --races=explore it finds all outcomes of the races as well.
//
// Programs are compiled fifty at a time. One that fails is made as small as it can be while it still fails, and its C file
// is kept. REAL_KIND in the environment: only programs of this kind. REAL_UNDO_CHECK: how often what undo left is compared with a
// fresh run, as --undo-check has it.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/real_check.h"

enum { BATCH = 50 };

static const struct real_kind kinds[] = {
    {"atomics", SYNC, 0, true},
    {"mutexes", SYNC, WITH_MUTEX, true},
    {"report", PLAIN_REPORT, WITH_WIDE, false},
    {"trylock", SYNC, WITH_MUTEX | WITH_TRYLOCK, true},
    {"choose", SYNC, WITH_MUTEX | WITH_CHOOSE, true},
    {"faults", SYNC, WITH_MUTEX | WITH_FAULTS, true},
    {"faultconds", SYNC, WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_FAULTS | WITH_STOP | WITH_EXIT, false},
    {"faultkin", SYNC, WITH_KIN | WITH_MUTEX | WITH_FAULTS, false},
    {"explore", PLAIN_EXPLORE, WITH_VALUES, false},
    {"stop", SYNC, WITH_MUTEX | WITH_STOP, true},
    {"condvars", SYNC, WITH_MUTEX | WITH_COND, false},
    {"mixed", PLAIN_REPORT, WITH_WIDE | WITH_MIXED, false},
    {"exit", SYNC, WITH_MUTEX | WITH_EXIT, false},
    {"tryconds", SYNC, WITH_MUTEX | WITH_TRYLOCK | WITH_COND, false},
    {"everything", SYNC, WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_CHOOSE | WITH_STOP | WITH_EXIT, false},
    {"mixplore", PLAIN_EXPLORE, WITH_VALUES | WITH_MIXED, false},
    {"unchanged", PLAIN_REPORT, WITH_WIDE | WITH_UNCHANGED | WITH_EXCHANGE, false},
    {"remixed", PLAIN_REPORT, WITH_MIXED | WITH_UNCHANGED | WITH_EXCHANGE, false},
    {"kin", SYNC, WITH_KIN | WITH_MUTEX, false},
    {"trykin", SYNC, WITH_KIN | WITH_MUTEX | WITH_TRYLOCK | WITH_STOP, false},
    {"condkin", SYNC, WITH_KIN | WITH_MUTEX | WITH_COND | WITH_CHOOSE, false},
    {"allkin", SYNC, WITH_KIN | WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_STOP, false},
    {"descriptors", SYNC, WITH_SEM, false},
    {"lockpipes", SYNC, WITH_SEM | WITH_MUTEX | WITH_TRYLOCK, false},
    {"pipekin", SYNC, WITH_KIN | WITH_SEM, false},
    {"wide", PLAIN_EXPLORE, WITH_VALUES | WITH_UNCHANGED | WITH_WIDE, false},
    {"alike", PLAIN_REPORT, WITH_ALIKE, false},
    {"mixalike", PLAIN_REPORT, WITH_ALIKE | WITH_MIXED | WITH_UNCHANGED | WITH_EXCHANGE, false},
    {"explorealike", PLAIN_EXPLORE, WITH_ALIKE | WITH_VALUES, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct batch {
    uint32_t count;
    const char *flags;
    bool tls;
    struct real_place place;
    struct real_case cases[BATCH];
};

// Of one batch.
struct tally {
    uint64_t passed, failed, skipped, seed;
    uint64_t kin, alike; // programs with threads of one function, and those in which these took each other's places
    pid_t process;
};

// Null, or what the compiler complains about.
static char *build(struct batch *b)
{
    FILE *out = fopen(b->place.source, "w");
    require(out);
    bool sync = b->cases[0].kind->family == SYNC;
    real_print_head(out);
    if (!sync)
        real_plain_print_memory(out);
    fprintf(out, "#define MEMORY %s\n", sync ? "0" : "&memory");
    for (uint32_t k = 0; k < b->count; k++) {
        const struct real_case *c = &b->cases[k];
        fprintf(out, "// %s, seed %llu\n", c->kind->name, (unsigned long long)c->seed);
        if (sync)
            real_sync_print(&c->sync, k, out);
        else
            real_plain_print(&c->plain, k, out);
    }
    real_print_main(out, b->count);
    require(!fclose(out));
    return real_compile(&b->place, b->flags);
}

static void fill(struct real_case *c, const struct real_kind *kind, uint64_t seed, bool tls)
{
    c->kind = kind;
    c->seed = seed;
    if (kind->family == SYNC)
        real_sync_random(&c->sync, kind->language, seed, tls);
    else
        real_plain_random(&c->plain, kind->language, seed);
}

// ---- making a failing program small ----

// A batch of one.
static char *try(struct batch *one)
{
    struct real_course course;
    const struct real_case *c = &one->cases[0];
    if (c->kind->family == PLAIN_EXPLORE && !real_plain_joins_all(&c->plain))
        return NULL;
    char *complaint = build(one);
    free(complaint);
    return complaint ? NULL : real_check(&one->cases[0], &one->place, 0, &course);
}

// Leaves out the n-th thing; false if there is no such thing.
static bool leave_out(struct real_case *c, uint32_t n)
{
    struct program *p = &c->sync.program;
    struct real_plain *q = &c->plain;
    bool sync = c->kind->family == SYNC;
    if (real_has_kin(c->kind)) // they have their code in common
        return false;
    if (sync && n == 0 && c->sync.storage == IN_STATIC && c->sync.cell_size == 4)
        n = 1;
    if (sync && n == 0) { // the usual storage
        struct real_sync s = {.program = *p, .main_is_first = c->sync.main_is_first, .cell_size = 4};
        c->sync = s;
        return true;
    }
    uint32_t at = n - sync;
    for (uint32_t t = 0; t < (sync ? p->threads : q->threads); t++) {
        uint32_t length = sync ? p->length[t] : q->length[t];
        if (at < length && sync)
            program_delete(p, t, at);
        else if (at < length)
            memmove(&q->code[t][at], &q->code[t][at + 1], (--q->length[t] - at) * sizeof q->code[t][0]);
        if (at < length)
            return true;
        at -= length;
    }
    return false;
}

static char *shrink(struct batch *one, char *wrong)
{
    for (uint32_t n = 0;;) {
        struct real_case before = one->cases[0];
        if (!leave_out(&one->cases[0], n))
            break;
        char *still = try(one);
        if (still && !strncmp(still, wrong, strcspn(wrong, ","))) { // with the same strategy
            free(wrong);
            wrong = still;
        } else {
            free(still);
            one->cases[0] = before;
            n++;
        }
    }
    require(!build(one));
    return wrong;
}

static void report(const struct batch *b, uint32_t k, const char *folder, char *wrong)
{
    static struct batch one;
    char name[64];
    const struct real_case *c = &b->cases[k];
    printf("FAILED: %s, seed %llu: %s\n", c->kind->name, (unsigned long long)c->seed, wrong);
    snprintf(name, sizeof name, "%s-%llu", c->kind->name, (unsigned long long)c->seed);
    one = (struct batch){.count = 1, .flags = b->flags, .cases = {*c}};
    real_begin(&one.place, folder, name);
    char *again = try(&one);
    if (again)
        again = shrink(&one, again);
    printf("    %s; %s (%s)\n", again ? again : "but not alone", one.place.source, b->flags);
    fflush(stdout);
    free(again);
    free(wrong);
    real_end(&one.place, true);
}

// ---- batches ----

// Programs seed … seed + count - 1 of one kind.
static void run_batch(struct batch *b, const char *folder, struct tally *tally)
{
    char name[64];
    snprintf(name, sizeof name, "batch-%llu", (unsigned long long)b->cases[0].seed);
    real_begin(&b->place, folder, name);
    char *complaint = build(b);
    if (complaint) {
        printf("FAILED: %s does not compile: %s\n", b->place.source, complaint);
        tally->failed += b->count;
    }
    for (uint32_t k = 0; k < b->count && !complaint; k++) {
        struct real_course course;
        char *wrong = real_check(&b->cases[k], &b->place, k, &course);
        tally->skipped += course.skipped;
        tally->passed += !wrong && !course.skipped;
        tally->kin += real_has_kin(b->cases[k].kind);
        tally->alike += course.alike;
        tally->failed += wrong != NULL;
        if (wrong) {
            report(b, k, folder, wrong);
            setenv("REAL_OUTCOMES", b->place.table, 1);
        }
    }
    real_end(&b->place, complaint != NULL);
    free(complaint);
}

static const struct real_kind *kind_of(uint64_t seed)
{
    const char *only = getenv("REAL_KIND");
    for (uint32_t i = 0; only && i < KINDS; i++)
        if (!strcmp(only, kinds[i].name))
            return &kinds[i];
    return &kinds[seed / BATCH % KINDS];
}

static void start_batch(uint64_t seed, uint32_t count, const char *folder, struct tally *tally)
{
    static const char *const levels[] = {"-O1", "-O2", "-O0", "-O3", "-O1 --clear-dead", "-O2 --clear-dead"};
    enum { LEVELS = sizeof levels / sizeof *levels };
    static struct batch b;
    fflush(stdout);
    pid_t child = fork();
    require(child >= 0);
    if (child) {
        tally->process = child;
        tally->seed = seed;
        return;
    }
    b = (struct batch){.count = count, .flags = levels[seed / BATCH % LEVELS]};
    if (real_has_kin(kind_of(seed))) // an index that is no longer needed would tell them apart
        b.flags = levels[LEVELS - 1 - seed / BATCH % 2];
    for (uint32_t k = 0; k < count; k++)
        fill(&b.cases[k], kind_of(seed), seed + k, seed / BATCH % 3 == 0);
    run_batch(&b, folder, tally);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 600, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    char folder[] = "/tmp/fuzz_real.XXXXXX";
    require(mkdtemp(folder));
    if (!real_install(folder)) {
        fprintf(stderr, "fuzz_real: no heddle and libheddle.so that work, next to it: build them first.\n");
        real_uninstall(folder);
        rmdir(folder);
        return 2;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    uint64_t batches = count / BATCH + 2, number = 0;
    struct tally *tallies =
        mmap(NULL, batches * sizeof *tallies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(tallies != MAP_FAILED);
    uint64_t died = 0;
    for (uint64_t at = first; at < first + count || running;) {
        if (at < first + count && running <= processors) {
            uint64_t end = (at / BATCH + 1) * BATCH; // a seed is the same program whatever the first seed is
            end = end < first + count ? end : first + count;
            start_batch(at, (uint32_t)(end - at), folder, &tallies[number++]);
            running++;
            at = end;
            continue;
        }
        int status;
        pid_t ended = wait(&status);
        if (ended < 0)
            break;
        running--;
        died += status != 0;
        for (uint64_t i = 0; i < number && status; i++)
            if (tallies[i].process == ended)
                printf(
                    "FAILED: the programs from seed %llu on, of which %llu passed: the process that checks them died "
                    "(wait status %d)\n",
                    (unsigned long long)tallies[i].seed, (unsigned long long)tallies[i].passed, status);
    }
    struct tally all = {0};
    for (uint64_t i = 0; i < number; i++) {
        all.passed += tallies[i].passed;
        all.failed += tallies[i].failed;
        all.skipped += tallies[i].skipped;
        all.kin += tallies[i].kin;
        all.alike += tallies[i].alike;
    }
    real_uninstall(folder);
    rmdir(folder);
    if (all.skipped)
        printf("%llu were too large for the enumeration\n", (unsigned long long)all.skipped);
    if (all.kin)
        printf("%llu programs with threads of one function: in %llu they took each other's places\n",
               (unsigned long long)all.kin, (unsigned long long)all.alike);
    if (all.kin >= BATCH && !all.alike) {
        printf("FAILED: no threads are ever alike, so nothing of that was checked\n");
        all.failed++;
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)all.passed, (unsigned long long)(all.failed + died));
    return all.failed || died;
}
