#include "supervise/lock.h"

#include <stdlib.h>
#include <string.h>

#include "repair/lock_patch.h"

// ---- where ----

// Adds a run; those that overlap with it become one with it.
static const char *add_run(struct lock *l, const struct c_tokens *s, struct statement_run run)
{
    for (uint32_t i = 0; i < l->count;) {
        const struct statement_run *other = &l->run[i];
        if (other->to < run.from || run.to < other->from) {
            i++;
            continue;
        }
        const char *wrong = statements_cover(s, other->from < run.from ? other->from : run.from,
                                             other->to > run.to ? other->to : run.to, &run);
        if (wrong)
            return wrong;
        l->run[i] = l->run[--l->count];
        i = 0;
    }
    if (l->count == LOCK_RUNS)
        return "it would have to be taken in too many places";
    uint32_t at = l->count++;
    for (; at && l->run[at - 1].from > run.from; at--)
        l->run[at] = l->run[at - 1];
    l->run[at] = run;
    return NULL;
}

static const char *choose_file(struct lock *l, const char *file, const struct lock_source *source,
                               const struct c_tokens **s)
{
    if (l->file && strcmp(l->file, file) != 0)
        return "it would have to be taken in more than one file";
    l->file = file;
    *s = source->statements(source->context, file);
    return *s ? NULL : "it would have to be taken in a file that is not one of the sources";
}

// Around the blocks, or the bodies of their functions.
static const char *lock_place(struct lock *l, const struct code *code, const struct cause_block *block, uint32_t count,
                              const struct lock_source *source, bool bodies)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; !wrong && i < count; i++) {
        const struct cause_block *b = &block[i];
        const struct c_tokens *s;
        struct statement_run run = {0};
        wrong = choose_file(l, code_function(code, b->function)->file, source, &s);
        if (!wrong)
            wrong = bodies ? statements_body(s, b->from, &run) : statements_cover(s, b->from, b->to, &run);
        if (!wrong)
            wrong = add_run(l, s, run);
    }
    return wrong;
}

// The functions that clients call, each with the lines from its first event to its last.
static uint32_t find_operations(const struct code_runs *runs, struct cause_block *operation)
{
    uint32_t count = 0;
    for (size_t n = 0; n < runs->count; n++) {
        const struct cause_run *run = &runs->run[n];
        for (uint32_t i = 0; i < run->graph.events; i++) {
            if (run->graph.event[i].call == SEGMENT_NO_CALL || !run->site[i].count)
                continue;
            const struct cause_place *p = &run->place[run->site[i].first];
            uint32_t k = 0;
            while (k < count && operation[k].function != p->function)
                k++;
            if (k == LOCK_RUNS)
                continue;
            if (k == count)
                operation[count++] = (struct cause_block){.function = p->function, .from = p->line, .to = p->line};
            operation[k].from = p->line < operation[k].from ? p->line : operation[k].from;
            operation[k].to = p->line > operation[k].to ? p->line : operation[k].to;
        }
    }
    return count;
}

// ---- whether ----

// The name of the file as a patch should have it: not from the root.
static const char *patch_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return (file[0] == '/' || !strncmp(file, "../", 3)) && slash ? slash + 1 : file;
}

static const char *try_lock(struct lock *l, const struct lock_source *source, const struct lock_check *check)
{
    const char *text = source->text(source->context, l->file);
    char *patched = text ? lock_patch_apply(text, l->run, l->count) : NULL;
    const char *program = patched ? source->build(source->context, l->file, patched) : NULL;
    free(patched);
    if (!program)
        return "the source with it does not compile";
    if (!check->is_right(check->context, program, &l->reach))
        return "it does not make every client right, or was not found to within the time";
    l->patch = lock_patch_diff(patch_name(l->file), text, l->run, l->count);
    return NULL;
}

static bool same_runs(const struct lock *a, const struct lock *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->run[i].from == b->run[i].from && a->run[i].to == b->run[i].to;
    return same;
}

// One way after the other; where calls are looked at, as often as there is something new to see.
void lock_find(struct lock *lock, const struct code *code, const struct cause_repair *repair,
               const struct code_runs *runs, const struct lock_source *source, const struct lock_check *check)
{
    enum { BLOCKS, BLOCK_BODIES, CALLS, CALL_BODIES, WAYS };
    struct cause_block operation[LOCK_RUNS];
    struct lock before = {0};
    for (int way = BLOCKS; way < WAYS && !lock->patch; way++) {
        struct lock l = {0};
        uint32_t count = way >= CALLS ? find_operations(runs, operation) : repair->count;
        const char *wrong = lock_place(&l, code, way >= CALLS ? operation : repair->block, count, source, way & 1);
        if (!wrong && same_runs(&l, &before))
            continue;
        if (!wrong)
            wrong = try_lock(&l, source, check);
        if (way >= CALLS && find_operations(runs, operation) > count)
            way = CALLS - 1;
        before = l;
        *lock = l;
        lock->reason = wrong;
    }
}
