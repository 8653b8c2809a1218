// Optimal exploration: exactly one execution for every Mazurkiewicz trace, none cut off half-way, nothing stored about
// what has been explored.
//
// The idea is that of parsimonious optimal DPOR (Abdulla, Atig, Das, Jonsson, Sagonas, CAV 2024): a race (e, c) is
// reversed by running only what c needs, and only from one of the many executions that show it. Here the choice is made
// canonical, so that no sleep sets, wakeup trees or lists of explored schedules are needed at all:
//
//   At a prefix N let d be the usual next event. A trace T that continues N either has d as a minimal event; or it has a
//   set C of first events that depend on d, each with nothing dependent on d in its past. Let c be the one of the least
//   actor in C, and p its past after N. Then T belongs to the branch N·p·c, and to no other. So every trace has exactly
//   one path from the root; a path is made of *usual* events and of *detours* p·c taken instead of a usual event d.
//
//   The detour p·c at N is found in an execution below N·d as a race between d and c. Of all executions below N·d that
//   show this race with this past, exactly one has every later detour's end inside the past of c; only from that one the
//   detour is taken. Hence the three conditions: d was a usual event; no detour that began after it ends outside c's
//   past (both in course.c, `owe_races`); and c is not, for an earlier detour on the path, an event of C with a smaller actor than
//   the one that ends that detour (`course_belongs`).
//
//   The third speaks of c as it is in front of d, not as it was seen behind it: a compare-and-swap may succeed in one
//   place and fail in the other, and c's past must be the one it has without d. Mostly that is known beforehand
//   (`belonging`); where it is not, the branch is run up to c to see, before it is run as an execution. `redundant`
//   counts those that were refused then.
//
// A branch is a plan: all steps from the beginning, and which of them are detours. It needs nothing else, so it can be
// run by anybody; the plans that are still owed are a stack whose height is polynomial in the length of an execution
// (each nested detour moves more events into detours, or the same ones further to the front).
//
// Outcomes that the target lets the search choose (which waiter a signal wakes, heddle_choose) are further branches:
// outcome 0 counts as usual, every other one is a detour of its own.
//
// After a detour the event that it replaced comes first. Operations that are still pending when nothing can run count
// like events: they could have gone through had another not taken the object, or ended the process, before them
// (`owe_pending` in course.c).
//
// Readers of a readers–writer lock commute, and still a program that has any is searched by `dpor`: putting a writer in
// front of one reader may drag other readers along, and a detour can put it in front of one event only.
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/lanes.h"
#include "explore/course.h"
#include "explore/estimate.h"
#include "explore/search_part.h"

struct optimal {
    struct course course; // first: the strategy is found from it
    // Stacks of what is owed; the steps of branches stand with those of their frame in course.steps.
    struct detour *detours;
    struct branch *branches;
    struct owed_frame *frames;
    uint32_t detours_top, branches_top, frames_top;
    bool collected; // what the current execution owes is on the stacks
    bool strayed;   // the target is somewhere else than at the end of the current execution
    struct strategy_options options;
};

enum { FRAME_LIMIT = 1 << 24 };

static struct optimal *self(struct strategy *s)
{
    return (struct optimal *)s;
}

// The stacks have room for what rounding up to whole lanes copies too many.
static void copy_steps(struct plan_step *to, const struct plan_step *from, uint32_t steps)
{
    copy_fresh_lanes((uint8_t *)to, (const uint8_t *)from, (steps * sizeof *from + 15) & ~(size_t)15);
}

// Collects what this execution owes and keeps it with a copy of its path.
static void owe(struct optimal *o)
{
    struct course *course = &o->course;
    const uint32_t count = course->s.exec->count, steps_mark = course->steps_top, detours_mark = o->detours_top;
    const uint32_t found = course_branches(course);
    if (!found)
        return;
    uint32_t base = o->frames_top ? o->frames[o->frames_top - 1].shared : 0, known = 0;
    while (known < course->detour_count && course->detours[known].end < base)
        known++;
    require_room(o->frames_top < FRAME_LIMIT && course->steps_top + (count - base) + 2 < STEP_LIMIT &&
                     o->detours_top + (course->detour_count - known) + 2 < DETOUR_LIMIT &&
                     o->branches_top + found < BRANCH_LIMIT,
                 owed_room);
    struct owed_frame *frame = &o->frames[o->frames_top++];
    *frame = (struct owed_frame){.base = base,
                                 .path = course->steps_top,
                                 .known = known,
                                 .detours = o->detours_top,
                                 .branches = o->branches_top,
                                 .shared = count,
                                 .steps_mark = steps_mark,
                                 .detours_mark = detours_mark,
                                 .branches_mark = o->branches_top};
    copy_steps(course->steps + course->steps_top, course->plan + base, count - base);
    course->steps_top += count - base;
    copy_fresh_lanes((uint8_t *)(o->detours + o->detours_top), (const uint8_t *)(course->detours + known),
                     ((course->detour_count - known) * sizeof *o->detours + 15) & ~(size_t)15);
    o->detours_top += course->detour_count - known;
    for (uint32_t i = 0; i < found; i++)
        o->branches[o->branches_top++] = course->found[i];
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// The frame has no branches left; the current plan has the first `shared` steps of its execution.
static void pop_frame(struct optimal *o, uint32_t shared)
{
    struct course *course = &o->course;
    struct owed_frame *frame = &o->frames[--o->frames_top];
    course->steps_top = frame->steps_mark;
    o->detours_top = frame->detours_mark;
    o->branches_top = frame->branches_mark;
    if (o->frames_top)
        frame[-1].shared = least(frame[-1].shared, shared);
}

// Below a frame that has no branches left there may be some whose branches were given away.
static void pop_empty_frames(struct optimal *o)
{
    while (o->frames_top && o->branches_top == o->frames[o->frames_top - 1].branches)
        pop_frame(o, o->frames[o->frames_top - 1].shared);
}

// The steps of the newest frame's execution from `start` to `end` become those of the plan. What stands in frames below comes
// last: it must not be overwritten by what is copied too many.
static void take_steps(struct optimal *o, uint32_t start, uint32_t end)
{
    struct course *course = &o->course;
    const struct owed_frame *frame = &o->frames[o->frames_top - 1];
    uint32_t from = frame->base > start ? frame->base : start;
    if (from < end)
        copy_steps(course->plan + from, course->steps + frame->path + (from - frame->base), end - from);
    for (end = least(end, from); start < end; end = least(end, from)) {
        frame--;
        from = frame->base > start ? frame->base : start;
        for (uint32_t i = from; i < end; i++)
            course->plan[i] = course->steps[frame->path + (i - frame->base)];
    }
}

// The same for its detours: those that the path does not have yet and that end before `from`.
static void take_detours(struct optimal *o, uint32_t from)
{
    struct course *course = &o->course;
    const struct owed_frame *frame = &o->frames[o->frames_top - 1];
    uint32_t end = frame->known + (o->detours_top - frame->detours), count = course->detour_count;
    for (; end > course->detour_count; frame--) {
        const struct detour *detours = o->detours + frame->detours;
        uint32_t first = frame->known > course->detour_count ? frame->known : course->detour_count;
        while (end > first && detours[end - 1 - frame->known].end >= from)
            end--;
        if (end > first && end > count)
            count = end; // those in frames below end earlier
        for (uint32_t i = first; i < end; i++)
            course->detours[i] = detours[i - frame->known];
        end = least(end, first);
    }
    course->detour_count = count;
}

// Makes the newest owed branch the plan; says how many of its first steps the current path has too. Returns whether it is
// doubtful.
static bool take_branch(struct optimal *o, uint32_t *depth)
{
    struct course *course = &o->course;
    struct owed_frame *frame = &o->frames[o->frames_top - 1];
    struct branch *branch = &o->branches[--o->branches_top];
    uint32_t from = branch->from, end = branch->detour.end;
    uint32_t common = least(frame->shared, from);
    take_steps(o, common, from);
    copy_steps(course->plan + from, course->steps + branch->steps, end + 1 - from);
    course->detour_count = least(course->detour_count, frame->known + (o->detours_top - frame->detours));
    while (course->detour_count && course->detours[course->detour_count - 1].end >= common)
        course->detour_count--; // those before are the same
    take_detours(o, from);
    course->detours[course->detour_count++] = branch->detour;
    course->length = end + 1;
    course->fresh = end;
    *depth = common;
    course->s.anew = from + 1;
    frame->shared = from;
    pop_empty_frames(o);
    return branch->doubtful;
}

static bool optimal_next(struct strategy *s, uint32_t *depth)
{
    struct optimal *o = self(s);
    if (!o->collected)
        owe(o);
    o->collected = false;
    s->owed = o->branches_top;
    while (o->frames_top) {
        bool doubtful = take_branch(o, depth);
        s->left = o->branches_top;
        if (o->strayed)
            *depth = 0;
        o->strayed = false;
        if (!doubtful)
            return true;
        course_try(&o->course, *depth);
        if (course_belongs(&o->course))
            return true;
        s->redundant++;
    }
    return false;
}

static uint32_t branches_end(const struct optimal *o, const struct owed_frame *frame)
{
    return frame + 1 == o->frames + o->frames_top ? o->branches_top : frame[1].branches_mark;
}

// Where the steps and the detours of a frame end.
static uint32_t steps_end(const struct optimal *o, const struct owed_frame *frame)
{
    return frame + 1 == o->frames + o->frames_top ? o->course.steps_top : frame[1].steps_mark;
}

static uint32_t detours_end(const struct optimal *o, const struct owed_frame *frame)
{
    return frame + 1 == o->frames + o->frames_top ? o->detours_top : frame[1].detours_mark;
}

// The path of a frame's execution, put together from the frames below it.
struct owed_path {
    struct optimal *o;
    bool planned; // a plan that is no longer on the stacks is still to be run
    struct plan_step *steps;
    uint32_t *usual; // how many of the steps before each are usual ones
    struct detour *detours;
};

static void offer_branches(const struct owed_path *path, struct estimator *e, const struct owed_frame *frame,
                           uint32_t detours)
{
    const struct optimal *o = path->o;
    for (uint32_t i = frame->branches; i < branches_end(o, frame); i++) {
        const struct branch *branch = &o->branches[i];
        estimator_offer(e, path->steps, path->usual[branch->from], path->detours, detours, branch,
                        o->course.steps + branch->steps);
    }
}

// Offers the plan that is to be run next.
static void offer_plan(const struct course *course, struct estimator *e)
{
    const struct detour *last = &course->detours[course->detour_count - 1];
    struct branch whole = {.detour = *last, .from = course->length};
    uint32_t usual = 0;
    for (uint32_t i = 0; i < last->start; i++)
        usual += course->plan[i].standing == USUAL;
    estimator_offer(e, course->plan, usual, course->detours, course->detour_count - 1, &whole, NULL);
}

// Everything that is owed. A frame has its execution's steps from `base` on, so going up each overwrites what it differs in.
static void offer_owed(void *owner, struct estimator *e)
{
    struct owed_path *path = owner;
    const struct optimal *o = path->o;
    for (const struct owed_frame *frame = o->frames; frame < o->frames + o->frames_top; frame++) {
        uint32_t own = steps_end(o, frame) - frame->path, detours = detours_end(o, frame) - frame->detours;
        memcpy(path->steps + frame->base, o->course.steps + frame->path, own * sizeof *path->steps);
        memcpy(path->detours + frame->known, o->detours + frame->detours, detours * sizeof *path->detours);
        for (uint32_t i = frame->base; i < frame->base + own; i++)
            path->usual[i + 1] = path->usual[i] + (path->steps[i].standing == USUAL);
        offer_branches(path, e, frame, frame->known + detours);
    }
    if (path->planned)
        offer_plan(&o->course, e);
}

static bool optimal_estimate(struct strategy *s, struct estimate *estimate)
{
    struct optimal *o = self(s);
    if (!estimate->planned && !o->collected)
        owe(o);
    o->collected = !estimate->planned;
    o->strayed = true;
    const size_t limit = s->exec->limit + 2;
    struct owed_path path = {.o = o,
                             .planned = estimate->planned,
                             .steps = mem_reserve(limit * sizeof *path.steps),
                             .usual = mem_reserve(limit * sizeof *path.usual),
                             .detours = mem_reserve(limit * sizeof *path.detours)};
    bool known = estimator_run(s->target, &o->options, offer_owed, &path, estimate);
    mem_release(path.steps, limit * sizeof *path.steps);
    mem_release(path.usual, limit * sizeof *path.usual);
    mem_release(path.detours, limit * sizeof *path.detours);
    return known;
}

// The lowest frame that has a branch; null if none has.
static struct owed_frame *lowest_owing(const struct optimal *o)
{
    for (struct owed_frame *frame = o->frames; frame < o->frames + o->frames_top; frame++)
        if (frame->branches < branches_end(o, frame))
            return frame;
    return NULL;
}

// The first `count` steps of a frame's execution, put together from the frames below it.
static void copy_path(const struct optimal *o, const struct owed_frame *owing, struct plan_step *steps, uint32_t count)
{
    for (const struct owed_frame *frame = o->frames; frame <= owing; frame++) {
        uint32_t end = least(count, frame->base + (steps_end(o, frame) - frame->path));
        if (frame->base < end)
            memcpy(steps + frame->base, o->course.steps + frame->path, (end - frame->base) * sizeof *steps);
    }
}

// Its detours that end before `from`; says how many there are.
static uint32_t copy_detours(const struct optimal *o, const struct owed_frame *owing, struct detour *detours,
                             uint32_t from)
{
    uint32_t count = 0;
    for (const struct owed_frame *frame = o->frames; frame <= owing; frame++) {
        count = frame->known + (detours_end(o, frame) - frame->detours);
        memcpy(detours + frame->known, o->detours + frame->detours, (count - frame->known) * sizeof *detours);
    }
    while (count && detours[count - 1].end >= from)
        count--;
    return count;
}

// The oldest branch of the lowest frame that has one: a part with one frame. The steps of the branch stand in front of its path.
static bool optimal_give(struct strategy *s, struct search_part *part, size_t room)
{
    struct optimal *o = self(s);
    struct owed_frame *owing = lowest_owing(o);
    if (!owing)
        return false;
    struct branch branch = o->branches[owing->branches];
    const uint32_t own = branch.detour.end + 1 - branch.from,
                   most = owing->known + detours_end(o, owing) - owing->detours;
    *part = (struct search_part){.frames = 1, .branches = 1, .detours = most, .steps = own + branch.from};
    if (part_bytes(part) > room)
        return false;
    part->detours = copy_detours(o, owing, part_detours(part), branch.from);
    memcpy(part_steps(part), o->course.steps + branch.steps, own * sizeof(struct plan_step));
    copy_path(o, owing, part_steps(part) + own, branch.from);
    branch.steps = 0;
    *part_branches(part) = branch;
    *part_frames(part) = (struct owed_frame){.path = own};
    owing->branches++;
    pop_empty_frames(o);
    return true;
}

// All that is owed when the execution at hand has ended, itself included.
static bool optimal_keep(struct strategy *s, struct search_part *part, size_t room)
{
    struct optimal *o = self(s);
    if (!o->collected)
        owe(o);
    o->collected = true;
    *part = (struct search_part){
        .frames = o->frames_top, .branches = o->branches_top, .detours = o->detours_top, .steps = o->course.steps_top};
    if (part_bytes(part) > room)
        return false;
    memcpy(part_frames(part), o->frames, o->frames_top * sizeof *o->frames);
    memcpy(part_branches(part), o->branches, o->branches_top * sizeof *o->branches);
    memcpy(part_detours(part), o->detours, o->detours_top * sizeof *o->detours);
    memcpy(part_steps(part), o->course.steps, o->course.steps_top * sizeof *o->course.steps);
    return true;
}

// Takes over the stacks. What is on them is not what the current plan has.
static void load(struct optimal *o, const struct search_part *part)
{
    struct course *course = &o->course;
    require_room(part->frames < FRAME_LIMIT && part->branches < BRANCH_LIMIT && part->detours + 2 < DETOUR_LIMIT &&
                     part->steps + 2 < STEP_LIMIT,
                 owed_room);
    o->frames_top = part->frames;
    o->branches_top = part->branches;
    o->detours_top = part->detours;
    course->steps_top = part->steps;
    memcpy(o->frames, part_frames(part), part->frames * sizeof *o->frames);
    memcpy(o->branches, part_branches(part), part->branches * sizeof *o->branches);
    memcpy(o->detours, part_detours(part), part->detours * sizeof *o->detours);
    memcpy(course->steps, part_steps(part), part->steps * sizeof *course->steps);
    for (struct owed_frame *frame = o->frames; frame < o->frames + o->frames_top; frame++)
        frame->shared = 0;
    course->length = course->detour_count = 0;
}

// So many steps of the frame's execution have to be repeated to see what its detours and those of its branches replaced.
static uint32_t adopted_length(const struct optimal *o, const struct owed_frame *frame)
{
    uint32_t length = 0;
    for (uint32_t i = frame->detours; i < detours_end(o, frame); i++)
        length = o->detours[i].start + 1 > length ? o->detours[i].start + 1 : length;
    for (uint32_t i = frame->branches; i < branches_end(o, frame); i++)
        length = o->branches[i].detour.start + 1 > length ? o->branches[i].detour.start + 1 : length;
    return length;
}

// What the steps and detours are about is known by the numbers of somebody else: each execution that owes something is repeated as
// far as it is needed to find the numbers that the objects have here.
static void adopt_frames(struct optimal *o)
{
    struct course *course = &o->course;
    struct target *target = course->s.target;
    for (struct owed_frame *frame = o->frames; frame < o->frames + o->frames_top && !target->lost; frame++) {
        const uint32_t own = steps_end(o, frame) - frame->path, length = adopted_length(o, frame);
        memcpy(course->plan + frame->base, course->steps + frame->path, own * sizeof *course->plan);
        if (!length)
            continue;
        target->restart(target, 0);
        for (uint32_t at = 0; at < length && !target->lost; at++) {
            for (uint32_t i = frame->detours; i < detours_end(o, frame); i++)
                course_name_replaced(course, &o->detours[i], at);
            for (uint32_t i = frame->branches; i < branches_end(o, frame); i++)
                course_name_replaced(course, &o->branches[i].detour, at);
            if (at + 1 < length)
                course_repeat_step(course, at);
        }
    }
    for (uint32_t i = 0; i < course->steps_top; i++)
        course->steps[i].kind = OP_NONE;
}

// The search from its beginning.
static void begin_whole(struct optimal *o)
{
    struct course *course = &o->course;
    course->length = course->fresh = course->root;
    course->detour_count = 0;
    course->s.anew = 0;
    o->collected = o->strayed = false;
}

static bool optimal_take(struct strategy *s, const struct search_part *part)
{
    struct optimal *o = self(s);
    uint32_t depth;
    if (part->whole) {
        begin_whole(o);
        return true;
    }
    load(o, part);
    adopt_frames(o);
    o->collected = o->strayed = true;
    pop_empty_frames(o);
    if (s->target->lost)
        return true;
    if (!optimal_next(s, &depth))
        return false;
    s->target->restart(s->target, depth);
    return true;
}

static void optimal_free(struct strategy *s)
{
    struct optimal *o = self(s);
    course_free(&o->course);
    mem_release(o->detours, STACK_BYTES);
    mem_release(o->branches, STACK_BYTES);
    mem_release(o->frames, FRAME_LIMIT * sizeof *o->frames);
    mem_release(o, sizeof *o);
}

struct strategy *optimal_new(struct target *target, const struct strategy_options *options)
{
    struct optimal *o = mem_reserve(sizeof *o);
    course_init(&o->course, target, options);
    o->options = *options;
    o->detours = mem_reserve(STACK_BYTES);
    o->branches = mem_reserve(STACK_BYTES);
    o->frames = mem_reserve(FRAME_LIMIT * sizeof *o->frames);
    struct strategy *s = &o->course.s;
    s->name = "optimal";
    s->next = optimal_next;
    s->free = optimal_free;
    s->estimate = optimal_estimate;
    s->give = optimal_give;
    s->keep = optimal_keep;
    s->take = optimal_take;
    return s;
}
