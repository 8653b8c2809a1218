// Checks what reports say of failing runs on random programs with bugs in them, against every state of the program.
//
//     fuzz_said [count [first seed]]
//
// With --keep-going each assertion that can fail and each deadlock is reported once; "no run that fails like this has fewer"
// preemptions, the decisive event and "every run fails like this" are true; and the run that is shown is one of the
// program's. Each schedule is replayed. A program that fails the check is kept with its C file.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/program.h"
#include "fuzz/real_run.h"
#include "fuzz/said_check.h"

enum { BATCH = 25, MOST_STATES = 60000 };

struct batch {
    uint32_t count;
    struct real_place place;
    uint64_t seed[BATCH];
    struct said_program program[BATCH];
    struct said_truth truth[BATCH];
};

static const char *const strategies[] = {"", "", "--strategy bounded", "", "--strategy dpor", "--strategy dfs"};

static char *read_all(const char *command)
{
    FILE *pipe = popen(command, "r");
    require(pipe);
    size_t length = 0, room = 1 << 20;
    char *text = malloc(room + 1);
    require(text);
    for (size_t n; (n = fread(text + length, 1, room - length, pipe)) > 0;) {
        length += n;
        if (length == room) {
            text = realloc(text, (room *= 2) + 1);
            require(text);
        }
    }
    text[length] = 0;
    pclose(pipe);
    return text;
}

// Null, or what is wrong: each schedule fails again, with as many preemptions. What only follows another failure has the
// schedule of that one.
static char *check_replays(const struct batch *b, const cJSON *report)
{
    const cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItem(report, "bugs"))
    {
        char command[1024], expected[64];
        if (cJSON_IsNumber(cJSON_GetObjectItem(bug, "after")))
            continue;
        const char *schedule = cJSON_GetStringValue(cJSON_GetObjectItem(bug, "schedule"));
        snprintf(command, sizeof command, "cd %s.d && timeout 60 %s replay %s 2>&1", b->place.program, b->place.heddle,
                 schedule ? schedule : "none");
        snprintf(expected, sizeof expected, "preemptions: %d\n", cJSON_GetObjectItem(bug, "preemptions")->valueint);
        char *text = read_all(command);
        bool same = strstr(text, expected) && strstr(text, "still fails");
        free(text);
        if (!same)
            return strdup("a schedule does not fail again in the same way");
    }
    return NULL;
}

static char *check_one(struct batch *b, uint32_t k, struct said_tally *tally)
{
    char command[2048];
    const char *strategy = strategies[b->seed[k] % (sizeof strategies / sizeof *strategies)];
    snprintf(
        command, sizeof command,
        "rm -rf %s.d && mkdir %s.d && cd %s.d && timeout 300 %s check --keep-going --explain 20 %s --json - %s -- %u",
        b->place.program, b->place.program, b->place.program, b->place.heddle, strategy, b->place.program, k);
    char *text = read_all(command);
    cJSON *report = cJSON_Parse(text);
    snprintf(command, sizeof command, "%s.d", b->place.program);
    char *why = report ? said_check(&b->truth[k], report, command, tally) : strdup("there is no report");
    if (report && !why)
        why = check_replays(b, report);
    cJSON_Delete(report);
    free(text);
    return why;
}

// Draws programs that have bugs and are small enough.
static void draw(struct batch *b, uint64_t *seed)
{
    while (b->count < BATCH) {
        struct said_program *p = &b->program[b->count];
        struct said_truth *truth = &b->truth[b->count];
        said_random(p, *seed);
        bool good = said_truth_find(truth, p, MOST_STATES) && truth->bugs;
        b->seed[b->count] = (*seed)++;
        b->count += good;
        if (!good)
            said_truth_free(truth);
    }
}

static void build(struct batch *b)
{
    // Functions that are equal stay two, or the places of one would be told as those of the other.
    static const char *const flags[] = {"-O0", "-O1", "-O2 -fno-ipa-icf"};
    FILE *out = fopen(b->place.source, "w");
    uint32_t line = 1;
    require(out);
    said_print_head(out, &line);
    for (uint32_t k = 0; k < b->count; k++)
        said_print(&b->program[k], k, out, &line);
    said_print_main(out, b->count);
    require(!fclose(out));
    char *said = real_compile(&b->place, flags[b->seed[0] % 3]);
    if (said)
        fprintf(stderr, "fuzz_said: it does not compile: %s\n", said);
    require(!said);
}

// Returns how many of the first `count` programs are wrong.
static uint32_t run_batch(const char *folder, uint64_t *seed, uint32_t count, struct said_tally *tally)
{
    static struct batch b;
    uint32_t failed = 0;
    char name[32], command[512];
    memset(&b, 0, sizeof b);
    draw(&b, seed);
    snprintf(name, sizeof name, "said%llu", (unsigned long long)b.seed[0]);
    real_begin(&b.place, folder, name);
    build(&b);
    for (uint32_t k = 0; k < b.count && k < count; k++) {
        char *why = check_one(&b, k, tally);
        if (why)
            printf("seed %llu (%s -- %u): %s\n", (unsigned long long)b.seed[k], b.place.source, k, why);
        fflush(stdout);
        failed += why != NULL;
        free(why);
    }
    snprintf(command, sizeof command, "rm -rf %s.d", b.place.program);
    require(system(command) == 0);
    real_end(&b.place, failed > 0);
    for (uint32_t k = 0; k < b.count; k++)
        said_truth_free(&b.truth[k]);
    return failed;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100, failed = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char folder[] = "/tmp/fuzz_said.XXXXXX";
    struct said_tally tally = {0};
    require(mkdtemp(folder));
    if (!real_install(folder)) {
        fprintf(stderr, "fuzz_said: there is no heddle to be tested\n");
        return 2;
    }
    for (uint32_t done = 0; done < count; done += BATCH)
        failed += run_batch(folder, &seed, count - done, &tally);
    printf("said           %u programs, %u failed; %u bugs, %u of them deadlocks; %u with the fewest preemptions\n"
           "           decisive: %u proven, %u always, %u none, %u open; the next seed is %llu\n",
           count, failed, tally.bugs, tally.deadlocks, tally.minimal, tally.proven, tally.always, tally.none,
           tally.open, (unsigned long long)seed);
    real_uninstall(folder);
    if (!failed)
        rmdir(folder);
    return failed > 0;
}
