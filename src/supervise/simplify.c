#include "supervise/simplify.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/exec.h"

static struct step *copy_of(const struct simplify *s)
{
    struct step *copy = alloc_array(s->count, sizeof *copy);
    memcpy(copy, s->steps, s->count * sizeof *copy);
    return copy;
}

// Brings the steps of each thread between two positions together, the threads in the order of their first step.
static void simplify_regroup(const struct step *from, struct step *to, uint32_t count)
{
    bool done[MAX_ACTORS] = {false};
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (done[from[i].actor])
            continue;
        done[from[i].actor] = true;
        for (uint32_t j = i; j < count; j++)
            if (from[j].actor == from[i].actor)
                to[n++] = from[j];
    }
}

static bool try_window(struct simplify *s, uint32_t start, uint32_t size)
{
    struct step *proposal = copy_of(s);
    simplify_regroup(s->steps + start, proposal + start, size);
    bool changed = memcmp(proposal + start, s->steps + start, size * sizeof *proposal) != 0;
    bool accepted = changed && s->attempt(s, proposal, s->count);
    free(proposal);
    return accepted;
}

// Windows of half the size where larger ones did not work. What is in order already costs no run.
static void regroup_windows(struct simplify *s)
{
    for (uint32_t size = s->count; size > 1; size /= 2)
        for (uint32_t start = 0; start < s->count && s->time_left(s); start += size)
            try_window(s, start, size < s->count - start ? size : s->count - start);
}

static uint32_t end_of_block(const struct simplify *s, uint32_t start)
{
    uint32_t end = start;
    while (end < s->count && s->steps[end].actor == s->steps[start].actor)
        end++;
    return end;
}

// Exchanges two neighbouring pieces: [first, middle) and [middle, end).
static bool try_exchange(struct simplify *s, uint32_t first, uint32_t middle, uint32_t end)
{
    struct step *proposal = copy_of(s);
    memcpy(proposal + first, s->steps + middle, (end - middle) * sizeof *proposal);
    memcpy(proposal + first + (end - middle), s->steps + first, (middle - first) * sizeof *proposal);
    bool accepted = s->attempt(s, proposal, s->count);
    free(proposal);
    return accepted;
}

// Brings the block that starts here together with the thread's next one: there or here.
static bool try_merge(struct simplify *s, uint32_t start)
{
    uint32_t end = end_of_block(s, start), next = end;
    while (next < s->count && s->steps[next].actor != s->steps[start].actor)
        next++;
    if (next >= s->count)
        return false;
    return try_exchange(s, end, next, end_of_block(s, next)) || (s->time_left(s) && try_exchange(s, start, end, next));
}

static bool merge_blocks(struct simplify *s)
{
    bool better = false;
    for (uint32_t start = 0; start < s->count && s->time_left(s);) {
        if (try_merge(s, start))
            better = true; // whatever starts here now is looked at again
        else
            start = end_of_block(s, start);
    }
    return better;
}

void simplify_run(struct simplify *s)
{
    regroup_windows(s);
    while (s->time_left(s) && merge_blocks(s))
        ;
}
