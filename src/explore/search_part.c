#include "explore/search_part.h"

static bool frame_is_sound(const struct search_part *part, const struct owed_frame *f)
{
    bool ordered =
        f == part_frames(part) || (f[-1].steps_mark <= f->steps_mark && f[-1].detours_mark <= f->detours_mark &&
                                   f[-1].branches_mark <= f->branches_mark);
    return ordered && f->steps_mark <= f->path && f->path <= part->steps && f->detours_mark <= f->detours &&
           f->detours <= part->detours && f->branches_mark <= f->branches && f->branches <= part->branches;
}

bool part_is_sound(const struct search_part *part, size_t bytes)
{
    if (bytes < sizeof *part || part_bytes(part) != bytes || (part->whole && part->frames))
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
