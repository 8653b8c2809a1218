#define _GNU_SOURCE
#include "target/threads/memory/image.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/memory/arena.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/maps.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/tls.h"
#include "target/threads/memory/heap.h"

enum { PAGE = 4096 };

struct piece {
    uint8_t *memory, *copy;
    size_t size;
    bool program;
    bool system; // the C library, or another that keeps things to itself
};

static struct piece pieces[IMAGE_PIECES];
static int piece_count;

extern char __start_program_state[] __attribute__((weak, visibility("hidden")));
extern char __stop_program_state[] __attribute__((weak, visibility("hidden")));

static void add_piece(void *start, size_t size, bool program, bool system)
{
    if (!size)
        return;
    require_room(piece_count < IMAGE_PIECES, "the writable segments of the program and its libraries");
    struct piece *p = &pieces[piece_count++];
    *p = (struct piece){start, mem_reserve(size), size, program, system};
    plain_move(p->copy, start, size);
}

static bool image_holds(const struct dl_phdr_info *info, uint64_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && address >= info->dlpi_addr + h->p_vaddr &&
            address < info->dlpi_addr + h->p_vaddr + h->p_memsz)
            return true;
    }
    return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *tls)
{
    (void)size;
    size_t *tls_size = tls;
    bool ours = image_holds(info, (uint64_t)(uintptr_t)&engine);
    bool loader = image_holds(info, getauxval(AT_BASE));
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_TLS)
            *tls_size += (h->p_memsz + h->p_align + 64) & ~(size_t)63;
        if (h->p_type == PT_LOAD && h->p_flags & PF_W && !ours && !loader)
            add_piece((void *)(info->dlpi_addr + h->p_vaddr), h->p_memsz, !info->dlpi_name[0],
                      imports_is_system(info->dlpi_name));
    }
    return 0;
}

struct span {
    uint64_t base, end;
};

static int image_measure(struct dl_phdr_info *info, size_t size, void *span)
{
    (void)size;
    struct span *program = span;
    program->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && h->p_vaddr + h->p_memsz > program->end)
            program->end = h->p_vaddr + h->p_memsz;
    }
    return 1; // the program is the first
}

void image_program(uint64_t *base, uint64_t *size)
{
    struct span program = {0};
    dl_iterate_phdr(image_measure, &program);
    *base = program.base;
    *size = program.end;
}

void image_take(void)
{
    size_t tls = 0;
    dl_iterate_phdr(add_module, &tls);
    uint8_t *thread_pointer = __builtin_thread_pointer();
    add_piece(thread_pointer - tls, tls, false, true);
    add_piece((void *)(uintptr_t)BOOT_HEAP, (size_t)(heap_boot_end() - (uint8_t *)(uintptr_t)BOOT_HEAP), true, false);
    if (__start_program_state)
        add_piece(__start_program_state, (size_t)((uintptr_t)__stop_program_state - (uintptr_t)__start_program_state),
                  true, false);
}

// Page by page: some are read-only by now, and those do not differ.
static void restore_piece(const struct piece *p)
{
    for (size_t at = 0; at < p->size;) {
        size_t n = PAGE - (uintptr_t)(p->memory + at) % PAGE;
        if (n > p->size - at)
            n = p->size - at;
        if (plain_differ(p->memory + at, p->copy + at, n) < n)
            plain_move(p->memory + at, p->copy + at, n);
        at += n;
    }
}

void image_restore(void)
{
    for (int i = 0; i < piece_count; i++)
        restore_piece(&pieces[i]);
}

void image_renew(uint64_t start)
{
    for (int i = 0; i < piece_count; i++) {
        const struct piece *p = &pieces[i];
        for (size_t at = 0; (uint64_t)(uintptr_t)p->memory == start && at < p->size;) {
            size_t same = plain_differ(p->memory + at, p->copy + at, p->size - at), n = sizeof(uint64_t);
            at += same;
            if (n > p->size - at)
                n = p->size - at;
            if (n)
                undo_save(&engine.undo, p->memory + at, n);
            plain_move(p->memory + at, p->copy + at, n);
            at += n;
        }
    }
}

void image_visit(void (*visit)(void *context, const void *start, size_t size), void *context)
{
    for (int i = 0; i < piece_count; i++)
        if (!pieces[i].system)
            visit(context, pieces[i].memory, pieces[i].size);
}

bool image_word(uint64_t address, uint64_t *word)
{
    for (int i = 0; i < piece_count; i++) {
        uint64_t at = address - (uint64_t)(uintptr_t)pieces[i].memory;
        if (at < pieces[i].size && pieces[i].size - at >= sizeof *word) {
            plain_move(word, pieces[i].copy + at, sizeof *word);
            return true;
        }
    }
    return false;
}

// Stacks that the program made for contexts are left out.
static size_t compare_piece(const struct piece *p, struct missed *found, size_t room)
{
    uint64_t start = (uint64_t)(uintptr_t)p->memory, from = start, until = from + p->size, low = until, top = until;
    size_t count = 0;
    for (bool more = true; more; from = top) {
        more = contexts_ever(from, until, &low, &top);
        for (uint64_t end = more ? low : until; from < end && count < room; from = (from & ~7ull) + 8) {
            from += plain_differ(p->memory + (from - start), p->copy + (from - start), end - from);
            if (from < end)
                found[count++] = (struct missed){.area = MISSED_DATA, .address = from, .size = 1};
        }
    }
    return count;
}

size_t image_compare(struct missed *found, size_t room)
{
    size_t count = 0;
    for (int i = 0; i < piece_count; i++)
        if (!pieces[i].system)
            count += compare_piece(&pieces[i], found + count, room - count);
    return count;
}

static uint64_t mix_part(uint64_t hash, const uint8_t *from, const uint8_t *until)
{
    for (; from < until; from++)
        hash = (hash ^ *from) * 0x100000001b3u;
    return hash;
}

static uint64_t image_mix(uint64_t hash, const uint8_t *from, const uint8_t *until)
{
    uint64_t start, end;
    while (contexts_part((uint64_t)(uintptr_t)from, (uint64_t)(uintptr_t)until, &start, &end)) {
        hash = mix_part(hash, from, (const uint8_t *)(uintptr_t)start);
        from = (const uint8_t *)(uintptr_t)end;
    }
    return mix_part(hash, from, until);
}

uint64_t image_hash(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < piece_count; i++)
        if (pieces[i].program)
            hash = image_mix(hash, pieces[i].memory, pieces[i].memory + pieces[i].size);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        uint32_t state = engine.exec.actors[actor].state;
        if (state == ACTOR_ABSENT)
            continue;
        hash = image_mix(hash, arena_heap(actor), t->heap_next);
        if (engine.undoing && (state == ACTOR_PARKED || state == ACTOR_WAITING)) // run again, gaps in frames may differ
            hash = mix_part(hash, t->sp, t->stack_top);
    }
    return maps_hash(hash);
}

static uint64_t mix_words(uint64_t hash, const uint8_t *from, const uint8_t *until)
{
    for (; (size_t)(until - from) >= sizeof(uint64_t); from += sizeof(uint64_t)) {
        hash = (hash ^ *(const uint64_t *)from) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return mix_part(hash, from, until);
}

uint64_t image_memory(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < piece_count; i++)
        hash = mix_words(hash, pieces[i].memory, pieces[i].memory + pieces[i].size);
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        uint32_t state = engine.exec.actors[actor].state;
        if (state == ACTOR_ABSENT)
            continue;
        hash = mix_words(hash, arena_heap(actor), t->heap_next);
        if (state == ACTOR_PARKED || state == ACTOR_WAITING)
            hash = mix_words(hash, t->sp, t->stack_top);
        size_t size = 0;
        const uint8_t *variables = engine.swap_tls ? tls_block(t->thread_pointer, &size) : NULL;
        hash = mix_words(hash, variables, variables + size);
    }
    return maps_hash(hash) | 1;
}

bool image_points_into(uint64_t start, uint64_t end)
{
    for (int i = 0; i < piece_count; i++) {
        if (!pieces[i].program)
            continue;
        const uint64_t *words = (const uint64_t *)(((uintptr_t)pieces[i].memory + 7) & ~(uintptr_t)7);
        const uint8_t *last = pieces[i].memory + pieces[i].size;
        for (; (const uint8_t *)(words + 1) <= last; words++)
            if (*words >= start && *words < (end > start ? end : start + 1))
                return true;
    }
    return maps_point_into(start, end);
}
