#include "predict/held_output.h"

#include <string.h>

#include "base/alloc.h"

static uint32_t count_of(const char *output, char *const *free_runs, uint32_t count)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < count; i++)
        same += !strcmp(free_runs[i], output);
    return same;
}

// What most of the runs printed, `held` aside. There is something else than `held`.
static const char *most_common(const char *held, char *const *free_runs, uint32_t count, uint32_t *most)
{
    const char *common = NULL;
    *most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = count_of(free_runs[i], free_runs, count);
        if (same > *most && strcmp(free_runs[i], held)) {
            *most = same;
            common = free_runs[i];
        }
    }
    return common;
}

bool output_is_new(const char *held, char *const *free_runs, uint32_t count)
{
    return !count_of(held, free_runs, count);
}

char *output_remark(const char *held, char *const *free_runs, uint32_t count, bool *differs)
{
    uint32_t same = count_of(held, free_runs, count), most;
    *differs = false;
    if (same == count)
        return NULL;
    const char *common = most_common(held, free_runs, count, &most);
    if (same)
        return alloc_format(
            "it printed \"%s\", as it did in %u of %u runs without being held back; others printed \"%s\"", held, same,
            count, common);
    // A clock, or the number of the process: another output means nothing.
    if (most == 1 && count > 1)
        return NULL;
    *differs = true;
    return most == count ? alloc_format("it printed \"%s\", and without being held back \"%s\"", held, common)
                         : alloc_format("it printed \"%s\", and without being held back \"%s\" (%u of %u runs)", held,
                                        common, most, count);
}
