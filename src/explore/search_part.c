#include "explore/search_part.h"

#include <string.h>

static bool frame_is_sound(const struct search_part *part, const struct owed_frame *f)
{
    bool ordered =
        f == part_frames(part) || (f[-1].steps_mark <= f->steps_mark && f[-1].detours_mark <= f->detours_mark &&
                                   f[-1].branches_mark <= f->branches_mark);
    return ordered && f->steps_mark <= f->path && f->path <= part->steps && f->detours_mark <= f->detours &&
           f->detours <= part->detours && f->branches_mark <= f->branches && f->branches <= part->branches;
}

static bool levels_are_sound(const struct search_part *part)
{
    for (const struct stack_level *l = part_levels(part); l < part_levels(part) + part->levels; l++)
        if (l->actor >= MAX_ACTORS)
            return false;
    return !part->whole && !part->frames && !part->branches && !part->detours && !part->steps;
}

bool part_is_sound(const struct search_part *part, size_t bytes)
{
    if (bytes < sizeof *part || part_bytes(part) != bytes || (part->whole && part->frames) ||
        (part->levels && !levels_are_sound(part)))
        return false;
    for (const struct owed_frame *f = part_frames(part); f < part_frames(part) + part->frames; f++)
        if (!frame_is_sound(part, f))
            return false;
    for (const struct branch *b = part_branches(part); b < part_branches(part) + part->branches; b++)
        if (b->from > b->detour.end || (uint64_t)b->steps + (b->detour.end + 1 - b->from) > part->steps)
            return false;
    for (const struct plan_step *s = part_steps(part); s < part_steps(part) + part->steps; s++)
        if (s->actor >= MAX_ACTORS)
            return false;
    return true;
}

static uint32_t end_of_branches(const struct search_part *part, const struct owed_frame *f)
{
    return f + 1 == part_frames(part) + part->frames ? part->branches : f[1].branches_mark;
}

static uint32_t count_branches(const struct search_part *part)
{
    uint32_t count = 0;
    for (const struct owed_frame *f = part_frames(part); f < part_frames(part) + part->frames; f++)
        count += end_of_branches(part, f) - f->branches;
    return count;
}

bool part_divide(struct search_part *part, struct search_part *given)
{
    if (part->levels) {
        *given = (struct search_part){.levels = stack_unload(part_levels(part), part->levels, part_levels(given))};
        return given->levels;
    }
    if (count_branches(part) < 2)
        return false;
    struct owed_frame *owing = part_frames(part);
    while (owing->branches == end_of_branches(part, owing))
        owing++;
    const uint32_t frames = (uint32_t)(owing - part_frames(part)) + 1;
    const bool newest = frames == part->frames;
    *given = (struct search_part){.frames = frames,
                                  .branches = owing->branches + 1,
                                  .detours = newest ? part->detours : owing[1].detours_mark,
                                  .steps = newest ? part->steps : owing[1].steps_mark};
    memcpy(part_frames(given), part_frames(part), given->frames * sizeof(struct owed_frame));
    memcpy(part_branches(given), part_branches(part), given->branches * sizeof(struct branch));
    memcpy(part_detours(given), part_detours(part), given->detours * sizeof(struct detour));
    memcpy(part_steps(given), part_steps(part), given->steps * sizeof(struct plan_step));
    owing->branches++;
    return true;
}
