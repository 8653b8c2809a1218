// How long one judgement of a small history takes, as a search through the executions of an object does it: register and
// queue, 3 processes, 4 to 16 operations, right and wrong ones in turns.
#include <stdio.h>

#include "base/time.h"
#include "history/linearize.h"
#include "history/models.h"

enum { PROCESSES = 3, OPS = 16, HISTORIES = 64 };

static struct operation ops[HISTORIES][OPS];

static uint64_t random_below(uint64_t limit)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % limit;
}

// Overlapping calls of an atomic object; every second history has one result that is wrong.
static void make_history(const struct spec *spec, struct operation *to, uint32_t count, int wrong)
{
    struct history h;
    char state[2][8 * (OPS + 1)];
    uint32_t open[PROCESSES];
    int64_t result[OPS];
    size_t size = spec->init(spec, state[0]);
    for (uint32_t p = 0; p < PROCESSES; p++)
        open[p] = UINT32_MAX;
    history_begin(&h, to, count);
    for (uint32_t returned = 0; returned < count;) {
        uint32_t p = (uint32_t)random_below(PROCESSES);
        if (open[p] != UINT32_MAX) {
            history_return(&h, open[p], result[open[p]] + (wrong && returned == count / 2));
            open[p] = UINT32_MAX;
            returned++;
        } else if (h.count < count) {
            int64_t argument = (int64_t)random_below(4);
            open[p] = history_invoke(&h, p, (uint16_t)random_below(2), &argument, 1);
            size = spec->step(spec, state[0], size, &to[open[p]], 0, state[1], &result[open[p]]);
            __builtin_memcpy(state[0], state[1], size);
        }
    }
}

static void measure(const struct spec *spec, uint32_t count)
{
    enum { ROUNDS = 2000 };
    struct linearizer z;
    struct lin_options options = {0};
    uint32_t right = 0;
    linearizer_init(&z, 1 << 24);
    for (int i = 0; i < HISTORIES; i++)
        make_history(spec, ops[i], count, i % 2);
    double start = time_now();
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < HISTORIES; i++)
            right += linearize(&z, spec, ops[i], count, &options) == VERDICT_YES;
    double seconds = time_now() - start;
    printf("%-10s %2u operations: %6.0f ns a check (%u of %d right)\n", spec->name, count,
           seconds / ROUNDS / HISTORIES * 1e9, right / ROUNDS, HISTORIES);
    linearizer_free(&z);
}

int main(void)
{
    for (uint32_t count = 4; count <= OPS; count += 4) {
        measure(&spec_register, count);
        measure(&spec_queue, count);
    }
    return 0;
}
