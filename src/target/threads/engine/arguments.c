#define _GNU_SOURCE
#include "target/threads/engine/arguments.h"

#include <link.h>

#include "target/threads/engine/commons.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/place.h"
#include "target/threads/engine/spelling.h"
#include "target/threads/memory/memory_room.h"

enum { MOST_BYTES = 1024 }; // of an element

struct argument_array argument_array;

static struct {
    struct fingerprint content[MAX_ACTORS];
    bool known[MAX_ACTORS];
    bool told; // that somebody strayed
} elements;

void arguments_prepare(void)
{
    const struct array_lesson *learnt = &engine.learnt.array;
    argument_array = (struct argument_array){0};
    if (!engine.alike || learnt->off)
        return;
    argument_array = (struct argument_array){.base = learnt->base,
                                             .stride = learnt->stride,
                                             .first = learnt->first,
                                             .count = learnt->count,
                                             .size = learnt->stride * learnt->count};
    for (uint32_t i = 0; i < MAX_ACTORS; i++)
        elements.known[i] = false;
    elements.told = false;
}

void arguments_named(void)
{
    if (engine.learnt.array.off)
        return;
    engine.learnt.array.off = 1;
    search_again(NULL);
}

// ---- finding it ----

// Where functions begin, as the linker lists them for those who unwind stacks (.eh_frame_hdr).
struct functions {
    uint8_t version, frames_coding, count_coding, table_coding;
    int32_t frames;
    uint32_t count;
    struct {
        int32_t start, frame; // from the beginning of the list
    } function[];
};

static int find_functions(struct dl_phdr_info *info, size_t size, void *context)
{
    enum { RELATIVE = 0x1b, PLAIN = 0x03, TO_LIST = 0x3b };
    (void)size;
    for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
        const struct functions *list = (const void *)(uintptr_t)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME && list->version == 1 && list->frames_coding == RELATIVE &&
            list->count_coding == PLAIN && list->table_coding == TO_LIST)
            *(const struct functions **)context = list;
    }
    return 1; // the first is the program itself
}

// Where the function begins that this is code of, or null.
static const void *function_at(uint64_t pc)
{
    const struct functions *list = NULL;
    dl_iterate_phdr(find_functions, &list);
    const uint8_t *found = NULL;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const uint8_t *start = (const uint8_t *)list + list->function[i].start;
        if ((uint64_t)(uintptr_t)start <= pc)
            found = start;
    }
    return found;
}

struct scan {
    uint64_t base, end;
    const void *creator; // function that may name the array
    bool named;          // another one does
    uint32_t mentions;   // by words of data
    bool code;           // look at code, otherwise at data
};

// An address in code is the last part of an instruction, or is followed by a constant of at most four bytes. Those that are
// relative count from the end of the instruction.
static void scan_code(struct scan *scan, const uint8_t *from, const uint8_t *until)
{
    enum { CONSTANT = 4 };
    for (const uint8_t *at = from; at + 4 <= until && !scan->named; at++) {
        int32_t value;
        __builtin_memcpy(&value, at, sizeof value);
        uint64_t absolute = (uint32_t)value, relative = (uint64_t)(uintptr_t)at + 4 + (uint64_t)(int64_t)value;
        bool means = (absolute >= scan->base && absolute < scan->end) ||
                     (relative + CONSTANT >= scan->base && relative < scan->end);
        scan->named = means && (!scan->creator || function_at((uint64_t)(uintptr_t)at) != scan->creator);
    }
}

static uint32_t count_mentions(const uint64_t *from, const uint64_t *until)
{
    uint32_t count = 0;
    for (; from + 1 <= until; from++)
        count += arguments_have(*from);
    return count;
}

static int scan_program(struct dl_phdr_info *info, size_t size, void *context)
{
    struct scan *scan = context;
    (void)size;
    for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R))
            continue;
        if (segment->p_flags & PF_X && scan->code)
            scan_code(scan, (const uint8_t *)(uintptr_t)start, (const uint8_t *)(uintptr_t)end);
        if (!(segment->p_flags & PF_X) && !scan->code)
            scan->mentions +=
                count_mentions((const uint64_t *)(uintptr_t)((start + 7) & ~7ull), (const uint64_t *)(uintptr_t)end);
    }
    return 1; // the first is the program itself
}

uint32_t arguments_mentions(void)
{
    struct scan scan = {0};
    if (!argument_array.count)
        return 0;
    dl_iterate_phdr(scan_program, &scan);
    return scan.mentions +
           count_mentions((const uint64_t *)arena_heap(0), (const uint64_t *)engine.threads[0].heap_next);
}

static bool is_named_by_code(const struct array_lesson *array, const void *creator)
{
    struct scan scan = {
        .base = array->base, .end = array->base + array->stride * array->count, .creator = creator, .code = true};
    dl_iterate_phdr(scan_program, &scan);
    return scan.named;
}

static bool is_all_within(const struct array_lesson *array, uint64_t start, uint64_t end)
{
    return array->base >= start && array->base + array->stride * array->count <= end;
}

static bool lies_where_main_has_memory(const struct array_lesson *array)
{
    const struct thread *main = &engine.threads[0];
    uint64_t base, size;
    image_program(&base, &size);
    return is_all_within(array, base, base + size) ||
           is_all_within(array, (uint64_t)(uintptr_t)arena_heap(0), (uint64_t)(uintptr_t)main->heap_next) ||
           is_all_within(array, (uint64_t)(uintptr_t)main->stack_low, (uint64_t)(uintptr_t)main->own_stack.top);
}

static bool follows(uint32_t actor, uint32_t other)
{
    const struct actor *a = engine.exec.actors;
    return !a[other].parent && engine.threads[other].start == engine.threads[actor].start &&
           engine.threads[other].created_at == engine.threads[actor].created_at &&
           likeness_kin(actor) == likeness_kin(other);
}

static uint64_t argument_of(uint32_t actor)
{
    return (uint64_t)(uintptr_t)engine.threads[actor].argument;
}

// The array that begins with the argument of this thread.
static struct array_lesson array_from(uint32_t first)
{
    struct array_lesson array = {.base = argument_of(first), .first = first, .count = 1};
    for (uint32_t actor = first + 1; actor < engine.exec.known && follows(first, actor); actor++, array.count++) {
        uint64_t distance = argument_of(actor) - argument_of(actor - 1);
        if (array.count > 1 && distance != array.stride)
            break;
        array.stride = distance;
    }
    return array;
}

static bool is_usable(const struct array_lesson *array)
{
    return array->count > 1 && array->base % 8 == 0 && array->stride % 8 == 0 && array->stride &&
           array->stride <= MOST_BYTES && lies_where_main_has_memory(array) &&
           !is_named_by_code(array, function_at((uint64_t)(uintptr_t)engine.threads[array->first].created_at));
}

void arguments_learn(void)
{
    struct array_lesson *learnt = &engine.learnt.array, best = {0};
    if (learnt->off || learnt->looked || !engine.alike)
        return;
    learnt->looked = 1;
    for (uint32_t actor = 1; actor < engine.exec.known; actor++) {
        struct array_lesson array = array_from(actor);
        if (!engine.exec.actors[actor].parent && array.count > best.count)
            best = array;
    }
    if (!best.count || !is_usable(&best))
        return;
    best.looked = 1;
    *learnt = best;
    search_again(NULL);
}

// ---- looking after it ----

static bool is_there(uint32_t actor)
{
    return actor < engine.exec.known && engine.exec.actors[actor].state != ACTOR_ABSENT;
}

static const uint64_t *element_of(uint32_t actor)
{
    return (const uint64_t *)(uintptr_t)(argument_array.base + (actor - argument_array.first) * argument_array.stride);
}

static struct fingerprint content_of(uint32_t actor)
{
    struct fingerprint f = {3, 3};
    fingerprint_mix_words(&f, element_of(actor), argument_array.stride / 8);
    return f;
}

static bool is_as_before(uint32_t actor)
{
    struct fingerprint now = content_of(actor), *before = &elements.content[actor];
    if (argument_of(actor) != (uint64_t)(uintptr_t)element_of(actor))
        return false;
    if (!elements.known[actor] && commons_are_open() && !commons_agree_on_element(actor, now))
        return false;
    if (!elements.known[actor])
        *before = now;
    elements.known[actor] = true;
    return before->low == now.low && before->high == now.high;
}

// Whether only the thread may access its element.
static bool is_in_use(uint32_t actor)
{
    return is_there(actor) && !is_joined(&engine.threads[actor]);
}

void arguments_begin(void)
{
    for (uint32_t i = 0; i < argument_array.count; i++)
        if (is_in_use(argument_array.first + i) && !is_as_before(argument_array.first + i))
            arguments_named();
    engine.has_arguments = argument_array.count > 0;
}

void arguments_follow(void)
{
    const struct event *event = &engine.exec.events[engine.exec.count - 1];
    if (!argument_array.count)
        return;
    arguments_begin();
    if (event->object)
        arguments_look(&engine.threads[event->actor], engine.places[event->object].address, 1);
}

void arguments_mix(struct fingerprint *f, struct spelling *s, uint32_t actor)
{
    if (actor - argument_array.first < argument_array.count)
        spelling_mix_words(f, s, element_of(actor), argument_array.stride / 8);
}

// Main may access an element before it has created the thread, and when it has joined it.
static bool may_access(const struct thread *t, uint32_t owner)
{
    return t->actor == owner || (!t->actor && !is_in_use(owner));
}

void arguments_look(const struct thread *t, uint64_t address, uint64_t size)
{
    uint64_t end = address + size, array_end = argument_array.base + argument_array.size;
    if (address >= array_end || end <= argument_array.base)
        return;
    for (uint64_t at = address < argument_array.base ? argument_array.base : address; at < end && at < array_end;
         at += argument_array.stride)
        argument_array.strayed |= !may_access(t, arguments_owner(at));
    argument_array.strayed |= !may_access(t, arguments_owner((end < array_end ? end : array_end) - 1));
}

bool arguments_grown(void)
{
    bool grown = argument_array.strayed && !elements.told;
    elements.told |= grown;
    if (grown && commons_are_open())
        commons_stray();
    return grown;
}

void arguments_take_over(void)
{
    argument_array.strayed = elements.told = true;
}
