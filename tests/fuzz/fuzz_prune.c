// Checks on random C programs that leaving out subspaces without races (heddle check --only races) loses no race: a
// program has one if and only if the search that leaves nothing out finds one.
//
//     fuzz_prune [count [first seed]]
//
// Programs are compiled fifty at a time, by gcc and clang at different levels. The file of one that fails is kept. At the end it
// says how many executions both searches took.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/prune_program.h"
#include "fuzz/real_run.h"

enum { BATCH = 50, MOST_EXECUTIONS = 20000 };

struct tally {
    uint64_t checked, failed, skipped, racy, fewer; // `fewer`: something was left out
    uint64_t whole, pruned;                         // executions
};

static bool has_race(const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (job->answer.bug[i].bug.kind == BUG_RACE)
            return true;
    return false;
}

static bool is_whole(const struct job *job)
{
    return job->answer.end == JOB_DONE;
}

// What is wrong with the program; null if nothing is.
static const char *check(const struct real_place *place, uint32_t k, struct tally *tally)
{
    struct real_task task = {
        .number = k, .strategy = STRATEGY_OPTIMAL, .restart = RESTART_UNDO, .max_executions = MOST_EXECUTIONS};
    struct real_answer all = real_explore(place, task);
    task.strategy = STRATEGY_DPOR;
    task.restart = k % 2 ? RESTART_REPLAY : RESTART_UNDO;
    task.only_races = true;
    const char *wrong = NULL;
    bool racy = has_race(all.job), whole = is_whole(all.job);
    tally->skipped += !whole && !racy;
    if (whole || racy) {
        struct real_answer some = real_explore(place, task);
        bool found = has_race(some.job);
        uint64_t executions = some.job->answer.counts.executions;
        if (!is_whole(some.job) && !(found && some.job->answer.end == JOB_EXECUTIONS))
            wrong = "the search that leaves out has no end";
        else if (racy != found)
            wrong = racy ? "a race is missing" : "a race that the other search does not know";
        tally->checked++;
        tally->racy += racy;
        tally->whole += all.job->answer.counts.executions;
        tally->pruned += executions;
        tally->fewer += executions < all.job->answer.counts.executions;
        real_forget(&some);
    }
    real_forget(&all);
    return wrong;
}

static void write_file(const struct real_place *place, uint64_t seed, uint32_t count)
{
    FILE *out = fopen(place->source, "w");
    require(out);
    prune_print_head(out);
    for (uint32_t k = 0; k < count; k++)
        prune_print_program(seed + k, k, out);
    prune_print_main(out, count);
    require(!fclose(out));
}

// A file with the one program alone, for whoever looks into it.
static void keep(const char *folder, uint64_t seed, const char *flags, const char *wrong)
{
    char path[512];
    snprintf(path, sizeof path, "%s/seed-%llu.c", folder, (unsigned long long)seed);
    FILE *out = fopen(path, "w");
    require(out);
    prune_print_head(out);
    prune_print_program(seed, 0, out);
    prune_print_main(out, 1);
    require(!fclose(out));
    printf("FAILED: seed %llu (%s): %s; %s\n", (unsigned long long)seed, flags, wrong, path);
}

static bool run_batch(uint64_t seed, uint32_t count, const char *folder, struct tally *tally)
{
    static const char *const flags[] = {"gcc -O0",   "gcc -O1",   "gcc -O2", "clang -O0",
                                        "clang -O1", "clang -O2", "gcc -O3"};
    const char *chosen = flags[seed / BATCH % (sizeof flags / sizeof *flags)];
    char name[64], compiler[16], command[2048];
    struct real_place place = {0};
    snprintf(name, sizeof name, "batch-%llu", (unsigned long long)seed);
    snprintf(compiler, sizeof compiler, "%.*s", (int)strcspn(chosen, " "), chosen);
    real_begin(&place, folder, name);
    write_file(&place, seed, count);
    snprintf(command, sizeof command, "HEDDLE_CC=%s %s cc -g -w --flows %s %s -o %s >%s 2>&1", compiler, place.heddle,
             chosen + strlen(compiler) + 1, place.source, place.program, place.log);
    bool built = system(command) == 0;
    if (!built)
        printf("FAILED: %s does not compile (%s)\n", place.source, chosen);
    for (uint32_t k = 0; built && k < count; k++) {
        const char *wrong = check(&place, k, tally);
        tally->failed += wrong != NULL;
        if (wrong)
            keep(folder, seed + k, chosen, wrong);
        fflush(stdout);
    }
    tally->failed += !built;
    real_end(&place, !built);
    return built;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    char folder[] = "/tmp/fuzz_prune.XXXXXX";
    struct tally tally = {0};
    require(mkdtemp(folder));
    if (!real_install(folder)) {
        fprintf(stderr, "fuzz_prune: no heddle and libheddle.so that work, next to it: build them first.\n");
        real_uninstall(folder);
        rmdir(folder);
        return 2;
    }
    for (uint64_t seed = first; seed < first + count;) {
        uint64_t end = (seed / BATCH + 1) * BATCH;
        end = end < first + count ? end : first + count;
        run_batch(seed, (uint32_t)(end - seed), folder, &tally);
        seed = end;
    }
    real_uninstall(folder);
    if (!tally.failed)
        rmdir(folder);
    printf(
        "%llu programs, %llu with races, %llu too large; executions %llu, with pruning %llu, fewer in %llu programs\n",
        (unsigned long long)tally.checked, (unsigned long long)tally.racy, (unsigned long long)tally.skipped,
        (unsigned long long)tally.whole, (unsigned long long)tally.pruned, (unsigned long long)tally.fewer);
    printf("%llu passed, %llu failed\n", (unsigned long long)(tally.checked - tally.failed),
           (unsigned long long)tally.failed);
    return tally.failed != 0;
}
