// Stands in for libheddle.so in a program that is looked at from outside: every hook leaves what it was told of in a file,
// and stores once to a place that is known, so that a trace of all accesses shows when it was called.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/assembly.h"

enum { MOST = 1 << 18 };

static struct {
    uint64_t address, size, write;
} told[MOST];
static uint32_t count;
static volatile uint64_t mailbox;

static void note(uint64_t address, uint64_t size, int write)
{
    if (count == MOST)
        abort();
    told[count].address = address;
    told[count].size = size;
    told[count++].write = (uint64_t)write;
    mailbox = 1;
}

static __attribute__((destructor)) void leave(void)
{
    FILE *file = fopen("hooks.txt", "w");
    fprintf(file, "%lx %lx\n", (unsigned long)&mailbox, (unsigned long)__builtin_thread_pointer());
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "%lx %lu %lu\n", told[i].address, told[i].size, told[i].write);
    fclose(file);
}

#define HOOK(name, size, write) \
    void __tsan_##name##size(void *p) { note((uint64_t)p, size, write); }
#define HOOKS(size) \
    HOOK(read, size, 0) HOOK(write, size, 1) HOOK(unaligned_read, size, 0) HOOK(unaligned_write, size, 1) \
    HOOK(volatile_read, size, 0) HOOK(volatile_write, size, 1) HOOK(unaligned_volatile_read, size, 0) \
    HOOK(unaligned_volatile_write, size, 1)
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)

void __tsan_read_range(void *p, uintptr_t size) { note((uint64_t)p, size, 0); }
void __tsan_write_range(void *p, uintptr_t size) { note((uint64_t)p, size, 1); }
void __tsan_vptr_update(void **p, void *value) { note((uint64_t)p, 8, 1); (void)value; }
void __tsan_vptr_read(void **p) { note((uint64_t)p, 8, 0); }
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_init(void) {}
int __tsan_atomic32_load(const int *p, int order) { (void)order; return *p; }
int8_t __tsan_atomic8_load(const int8_t *p, int order) { (void)order; return *p; }
void __heddle_asm_unit(const struct assembly_unit *unit)
{
    const char *text = unit->text;
    for (uint32_t i = 0; i < unit->missed; i++, text += strlen(text) + 1)
        fprintf(stderr, "missed: %s\n", text);
}

struct frame {
    uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx;
    const void *pc;
    const struct assembly_site *site;
    uint64_t address;
};

__attribute__((used)) void announced(const struct frame *f)
{
    const struct assembly_site *site = f->site;
    uint64_t times = site->flags & ASSEMBLY_REPEATED ? f->rcx : 1;
    if (site->kind == ASSEMBLY_COPY)
        note(f->rsi, times * site->size, 0);
    if (site->kind == ASSEMBLY_COPY || site->kind == ASSEMBLY_FILL) {
        note(f->rdi, times * site->size, 1);
        return;
    }
    if (site->kind != ASSEMBLY_PLAIN_WRITE && site->kind != ASSEMBLY_STORE)
        note(f->address, site->size, 0);
    if (site->kind != ASSEMBLY_PLAIN_READ && site->kind != ASSEMBLY_LOAD)
        note(f->address, site->size, 1);
}

// This file is compiled without vector registers, so that there are none to keep.
__asm__(".text\n.globl __heddle_asm, __heddle_asm_vector\n__heddle_asm:\n__heddle_asm_vector:\n"
        "pushq %rcx\npushq %rdx\npushq %rsi\npushq %rdi\npushq %r8\npushq %r9\npushq %r10\npushq %r11\n"
        "pushq %rax\npushq %rbp\nmovq %rsp, %rbp\nleaq 16(%rsp), %rdi\nandq $-16, %rsp\ncld\ncall announced\n"
        "movq %rbp, %rsp\npopq %rbp\npopq %rax\n"
        "popq %r11\npopq %r10\npopq %r9\npopq %r8\npopq %rdi\npopq %rsi\npopq %rdx\npopq %rcx\nret\n");
