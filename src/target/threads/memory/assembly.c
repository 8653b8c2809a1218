// Inline assembly: `heddle cc` announces each of its accesses right before the instruction that makes it, so that the
// instruction runs when the search says so (docs/assembly.md).
//
// An announced operation is performed like any other, in memory, where everybody can see what it did. Only then the
// instruction runs, and does the same again: so a read-modify-write is taken back first. Nothing else runs in between.
//
// So effects, undo and the trace need no rules of their own. In functions without a hook at their entry the site says
// where the return address is, and the runtime has the function on its stack of calls for that access.
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/assembly.h"

#include <cpuid.h>
#include <stdio.h>

#include "base/fail.h"
#include "model/assembly.h"
#include "target/threads/memory/access.h"
#include "target/threads/libc/libc_room.h"

// What stands on the stack when assembly_announce is called (assembly_entry.S).
struct assembly_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx;
    const void *pc;
    const struct assembly_site *site;
    uint64_t address, rax, flags;
    uint8_t red_zone[128];
    uint8_t stack[]; // the program's own
};

enum { CARRY = 1, BACKWARDS = 0x400, VECTORS_AT = 160, MAX_UNITS = 4096 };
enum { ACQUIRE = __ATOMIC_ACQUIRE, RELEASE = __ATOMIC_RELEASE, SEQ_CST = __ATOMIC_SEQ_CST };

HIDDEN uint32_t assembly_state_size = 4096; // bytes that xsave may write, a multiple of 8
HIDDEN void assembly_announce(struct assembly_frame *frame, const uint64_t *vectors);

static struct {
    const struct assembly_unit *unit[MAX_UNITS];
    uint32_t count, left_out;
} units;

static __attribute__((constructor)) void find_state_size(void)
{
    uint32_t a, b, c, d;
    if (__get_cpuid_count(0xd, 0, &a, &b, &c, &d) && b)
        assembly_state_size = (b + 63) & ~63u;
}

// Called by every instrumented unit before main.
PUBLIC void __heddle_asm_unit(const struct assembly_unit *unit)
{
    if (units.count < MAX_UNITS)
        units.unit[units.count++] = unit;
    else
        units.left_out++;
}

static uint64_t *assembly_general(struct assembly_frame *f, uint32_t number, uint64_t *stack_pointer)
{
    uint64_t *const slots[16] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, stack_pointer, &f->rbp, &f->rsi, &f->rdi,
                                 &f->r8,  &f->r9,  &f->r10, &f->r11, &f->r12,       &f->r13, &f->r14, &f->r15};
    return slots[number];
}

// Clears registers that nobody needs. They may differ in every round of a spinning thread, which heddle recognises by everything
// being the same.
static void forget_dead(struct assembly_frame *f)
{
    enum { STACK_POINTER = 4, ARITHMETIC_FLAGS = 0x8d5 };
    uint64_t none;
    for (uint32_t i = 0; i < 16; i++)
        if (i != STACK_POINTER && !(f->site->live >> i & 1))
            *assembly_general(f, i, &none) = 0;
    if (f->site->flags & ASSEMBLY_FLAGS_DEAD)
        f->flags &= ~(uint64_t)ARITHMETIC_FLAGS;
    if (f->site->flags & ASSEMBLY_BELOW_DEAD)
        plain_fill(f->red_zone, 0, sizeof f->red_zone);
}

static wide cut_to(wide value, uint32_t size)
{
    return size >= 16 ? value : value & (((wide)1 << (8 * size)) - 1);
}

static wide operand_of(struct assembly_frame *f, const uint64_t *vectors)
{
    const struct assembly_site *site = f->site;
    uint64_t stack_pointer = (uint64_t)(uintptr_t)f->stack;
    if (site->source == ASSEMBLY_NO_REGISTER)
        return cut_to((uint64_t)site->immediate, site->size);
    if (site->source >= ASSEMBLY_VECTOR) {
        require(vectors);
        return cut_to(vectors[VECTORS_AT / 8 + 2 * (site->source - ASSEMBLY_VECTOR)], site->size);
    }
    uint64_t value = *assembly_general(f, site->source, &stack_pointer);
    return cut_to(site->flags & ASSEMBLY_HIGH_BYTE ? value >> 8 : value, site->size);
}

// No machine makes such an access in one piece for certain.
static bool is_torn(uint64_t address, uint32_t size)
{
    return (address & 7) + size > 8 && address % size;
}

static struct request *ask_access(enum op_kind kind, uint64_t address, uint32_t size, int order, const void *pc)
{
    struct thread *t = engine.running;
    engine.probing = pc;
    (void)*(volatile uint8_t *)(uintptr_t)address; // if that faults, it is the program's fault and not the engine's
    if (is_torn(address, size))
        unsupported(t, "a read-modify-write of inline assembly across the end of a word");
    uint32_t object = place_of_access(address, size);
    struct request *r = ask(t, kind, address, object, pc);
    r->size = (uint8_t)size;
    r->order = r->order_failure = (uint8_t)order;
    return r;
}

// The instruction is about to do it itself.
static void take_back(uint64_t address, uint32_t size, wide old)
{
    store_memory((void *)(uintptr_t)address, size, old);
}

static void assembly_load(const struct assembly_frame *f, uint64_t address)
{
    if (is_torn(address, f->site->size)) {
        access_read((const void *)(uintptr_t)address, f->site->size, f->pc);
        return;
    }
    ask_access(OP_LOAD, address, f->site->size, ACQUIRE, f->pc);
    visible(engine.running);
}

static void assembly_store(struct assembly_frame *f, const uint64_t *vectors)
{
    if (is_torn(f->address, f->site->size)) {
        access_write((void *)(uintptr_t)f->address, f->site->size, f->pc);
        return;
    }
    ask_access(OP_STORE, f->address, f->site->size, RELEASE, f->pc)->operand = operand_of(f, vectors);
    visible(engine.running);
}

// Between its load and its store others may write, which is lost then: the instruction is to find what it loaded.
static void change_unlocked(const struct assembly_frame *f, uint64_t address, enum rmw op, wide operand)
{
    uint32_t size = f->site->size;
    if (is_torn(address, size)) {
        access_read((const void *)(uintptr_t)address, size, f->pc);
        access_write((void *)(uintptr_t)address, size, f->pc);
        return;
    }
    ask_access(OP_LOAD, address, size, ACQUIRE, f->pc);
    wide old = visible(engine.running);
    ask_access(OP_STORE, address, size, RELEASE, f->pc)->operand = cut_to(combine(op, old, operand), size);
    visible(engine.running);
    take_back(address, size, old);
}

static void assembly_change(const struct assembly_frame *f, uint64_t address, enum rmw op, wide operand)
{
    uint32_t size = f->site->size;
    if (f->site->flags & ASSEMBLY_UNLOCKED) {
        change_unlocked(f, address, op, operand);
        return;
    }
    struct request *r = ask_access(OP_RMW, address, size, SEQ_CST, f->pc);
    r->rmw = (uint8_t)op;
    r->operand = cut_to(operand, size);
    take_back(address, size, visible(engine.running));
}

// A compare-and-swap that fails stores what it found.
static void compare_exchange_unlocked(const struct assembly_frame *f, wide expected, wide value)
{
    uint32_t size = f->site->size;
    ask_access(OP_LOAD, f->address, size, ACQUIRE, f->pc);
    wide old = visible(engine.running);
    ask_access(OP_STORE, f->address, size, RELEASE, f->pc)->operand = cut_to(old == expected ? value : old, size);
    visible(engine.running);
    take_back(f->address, size, old);
}

static void compare_exchange(const struct assembly_frame *f, wide expected, wide value)
{
    uint32_t size = f->site->size;
    if (f->site->flags & ASSEMBLY_UNLOCKED) {
        compare_exchange_unlocked(f, cut_to(expected, size), value);
        return;
    }
    struct request *r = ask_access(OP_CAS, f->address, size, SEQ_CST, f->pc);
    r->expected = cut_to(expected, size);
    r->operand = cut_to(value, size);
    take_back(f->address, size, visible(engine.running));
}

static wide assembly_pair(uint64_t high, uint64_t low, uint32_t size)
{
    return size == 16 ? (wide)high << 64 | low : (wide)(high << 32 | (uint32_t)low);
}

// Numbers in a register may lie outside the word, on either side of it.
static uint64_t word_of_bit(const struct assembly_frame *f, wide number)
{
    uint32_t size = f->site->size, bits = 8 * size;
    if (!(f->site->flags & ASSEMBLY_BIT_STRING))
        return f->address;
    int64_t index = size == 8 ? (int64_t)number : size == 4 ? (int32_t)number : (int16_t)number;
    int64_t inside = index & (int64_t)(bits - 1);
    return f->address + (uint64_t)((index - inside) / (int64_t)bits * (int64_t)size);
}

static void change_bit(struct assembly_frame *f, enum assembly_kind kind)
{
    wide number = operand_of(f, NULL), bit = (wide)1 << (number & (8u * f->site->size - 1));
    uint64_t address = word_of_bit(f, number);
    if (kind == ASSEMBLY_BIT_SET)
        assembly_change(f, address, RMW_OR, bit);
    else if (kind == ASSEMBLY_BIT_CLEAR)
        assembly_change(f, address, RMW_AND, ~bit);
    else
        assembly_change(f, address, RMW_XOR, bit);
}

// String instructions are plain accesses. They go downwards if the direction flag says so.
static void assembly_string(const struct assembly_frame *f)
{
    uint64_t size = f->site->size, count = f->site->flags & ASSEMBLY_REPEATED ? f->rcx : 1;
    uint64_t below = f->flags & BACKWARDS && count ? (count - 1) * size : 0;
    if (f->site->kind == ASSEMBLY_COPY)
        access_read((const void *)(uintptr_t)(f->rsi - below), count * size, f->pc);
    access_write((void *)(uintptr_t)(f->rdi - below), count * size, f->pc);
}

// The return address of a function that has not announced its entry.
static const void *untold_caller(const struct assembly_frame *f)
{
    uint64_t place = f->site->flags & ASSEMBLY_CALLER_ABOVE_RSP   ? (uint64_t)(uintptr_t)f->stack
                     : f->site->flags & ASSEMBLY_CALLER_ABOVE_RBP ? f->rbp
                                                                  : 0;
    return place ? *(const void *const *)(uintptr_t)(place + (uint64_t)f->site->immediate) : NULL;
}

static void assembly_plain(struct assembly_frame *f)
{
    enum assembly_kind kind = (enum assembly_kind)f->site->kind;
    const void *caller = untold_caller(f);
    uint64_t address = word_of_bit(f, operand_of(f, NULL));
    if (caller)
        hooks_enter(caller, f->pc);
    if (kind != ASSEMBLY_PLAIN_WRITE)
        access_unhooked((void *)(uintptr_t)address, f->site->size, false, f->pc);
    if (kind != ASSEMBLY_PLAIN_READ)
        access_unhooked((void *)(uintptr_t)address, f->site->size, true, f->pc);
    if (caller)
        hooks_leave();
}

// The program runs natively, and somebody writes down what it does.
static RARE void tell_recorder(struct assembly_frame *f)
{
    enum assembly_kind kind = (enum assembly_kind)f->site->kind;
    uint64_t size = f->site->size, count = f->site->flags & ASSEMBLY_REPEATED ? f->rcx : 1;
    uint64_t below = f->flags & BACKWARDS && count ? (count - 1) * size : 0;
    if (kind == ASSEMBLY_COPY)
        __heddle_recorded_access((const void *)(uintptr_t)(f->rsi - below), count * size, 1, 0, 0, f->pc);
    if (kind == ASSEMBLY_COPY || kind == ASSEMBLY_FILL)
        __heddle_recorded_access((const void *)(uintptr_t)(f->rdi - below), count * size, 0, 1, 0, f->pc);
    if (kind >= ASSEMBLY_COPY)
        return;
    bool reads = kind != ASSEMBLY_STORE && kind != ASSEMBLY_PLAIN_WRITE;
    bool writes = kind != ASSEMBLY_LOAD && kind != ASSEMBLY_PLAIN_READ;
    uint64_t address = f->site->flags & ASSEMBLY_BIT_STRING ? word_of_bit(f, operand_of(f, NULL)) : f->address;
    __heddle_recorded_access((const void *)(uintptr_t)address, size, reads, writes, kind < ASSEMBLY_PLAIN_READ, f->pc);
}

void assembly_announce(struct assembly_frame *f, const uint64_t *vectors)
{
    if (!engine.running) {
        if (__heddle_recorded_access)
            tell_recorder(f);
        return;
    }
    wide one_more = f->flags & CARRY;
    forget_dead(f);
    switch ((enum assembly_kind)f->site->kind) {
    case ASSEMBLY_LOAD:
        assembly_load(f, word_of_bit(f, operand_of(f, NULL)));
        break;
    case ASSEMBLY_STORE:
        assembly_store(f, vectors);
        break;
    case ASSEMBLY_EXCHANGE:
        assembly_change(f, f->address, RMW_EXCHANGE, operand_of(f, NULL));
        break;
    case ASSEMBLY_ADD:
        assembly_change(f, f->address, RMW_ADD, operand_of(f, NULL));
        break;
    case ASSEMBLY_SUB:
        assembly_change(f, f->address, RMW_SUB, operand_of(f, NULL));
        break;
    case ASSEMBLY_AND:
        assembly_change(f, f->address, RMW_AND, operand_of(f, NULL));
        break;
    case ASSEMBLY_OR:
        assembly_change(f, f->address, RMW_OR, operand_of(f, NULL));
        break;
    case ASSEMBLY_XOR:
        assembly_change(f, f->address, RMW_XOR, operand_of(f, NULL));
        break;
    case ASSEMBLY_NEGATE:
        assembly_change(f, f->address, RMW_NEGATE, 0);
        break;
    case ASSEMBLY_ADD_CARRY:
        assembly_change(f, f->address, RMW_ADD, operand_of(f, NULL) + one_more);
        break;
    case ASSEMBLY_SUB_CARRY:
        assembly_change(f, f->address, RMW_SUB, operand_of(f, NULL) + one_more);
        break;
    case ASSEMBLY_BIT_SET:
    case ASSEMBLY_BIT_CLEAR:
    case ASSEMBLY_BIT_FLIP:
        change_bit(f, (enum assembly_kind)f->site->kind);
        break;
    case ASSEMBLY_COMPARE_EXCHANGE:
        compare_exchange(f, f->rax, operand_of(f, NULL));
        break;
    case ASSEMBLY_COMPARE_EXCHANGE_PAIR:
        compare_exchange(f, assembly_pair(f->rdx, f->rax, f->site->size), assembly_pair(f->rcx, f->rbx, f->site->size));
        break;
    case ASSEMBLY_PLAIN_READ:
    case ASSEMBLY_PLAIN_WRITE:
    case ASSEMBLY_PLAIN_UPDATE:
        assembly_plain(f);
        break;
    case ASSEMBLY_COPY:
    case ASSEMBLY_FILL:
        assembly_string(f);
        break;
    case ASSEMBLY_FENCE:
        know_fence(&engine.races, &engine.running->know, (int)f->site->immediate);
        state_releases_silently();
        break;
    }
}

bool assembly_writes_unseen(void)
{
    for (uint32_t i = 0; i < units.count; i++)
        if (units.unit[i]->writes)
            return true;
    return units.left_out > 0;
}

bool assembly_acts_unseen(void)
{
    for (uint32_t i = 0; i < units.count; i++)
        if (units.unit[i]->missed)
            return true;
    return units.left_out > 0;
}

enum { SENTENCE = 240, NAMED = 12 };

// Static functions of a header are in many units: the same instruction at the same place is named once.
static bool is_named_before(uint32_t unit, const char *text)
{
    for (uint32_t i = 0; i <= unit; i++) {
        const char *other = units.unit[i]->text;
        for (uint32_t n = 0; n < units.unit[i]->missed && other != text;
             n++, other += plain_length(other, SENTENCE) + 1)
            if (plain_length(other, SENTENCE) == plain_length(text, SENTENCE) &&
                plain_differ(other, text, plain_length(text, SENTENCE)) == plain_length(text, SENTENCE))
                return true;
    }
    return false;
}

void assembly_describe(void (*say)(void *context, const char *sentence), void *context)
{
    char sentence[SENTENCE];
    uint32_t followed = 0, missed = 0, named = 0;
    bool reads_gone = false;
    for (uint32_t i = 0; i < units.count; i++) {
        reads_gone |= units.unit[i]->reads_gone;
        followed += units.unit[i]->followed;
        missed += units.unit[i]->missed;
        const char *text = units.unit[i]->text;
        for (uint32_t n = 0; n < units.unit[i]->missed; n++, text += plain_length(text, SENTENCE) + 1) {
            if (is_named_before(i, text) || named++ >= NAMED)
                continue;
            snprintf(sentence, sizeof sentence, "%s is not followed", text);
            say(context, sentence);
        }
    }
    if (reads_gone)
        say(context,
            "clang leaves out reads whose value is not used, and writes to static variables that nothing reads, where "
            "it optimises: their races are not seen (gcc keeps them, and so does -O0)");
    if (named > NAMED) {
        snprintf(sentence, sizeof sentence, "inline assembly and compiled code: %u more of these are not followed",
                 named - NAMED);
        say(context, sentence);
    }
    if (missed && followed)
        snprintf(sentence, sizeof sentence, "inline assembly: %u more %s followed", followed,
                 followed == 1 ? "access is" : "accesses are");
    else if (followed)
        snprintf(sentence, sizeof sentence, "inline assembly: %s%u %s followed", followed == 1 ? "its " : "all ",
                 followed, followed == 1 ? "access is" : "accesses are");
    if (followed)
        say(context, sentence);
}
