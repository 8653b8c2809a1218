#include "target/nodes/memory.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#include "base/mem.h"
#include "target/nodes/access.h"

enum {
    CLASSES = 27,
    SMALLEST = 16,
    HEADER = 16,
    IN_USE = 0x75736564,
    STUCK_TICKS = 8,
    TICK_MICROSECONDS = 250000,
    SIGNAL_STACK = 1 << 16,
    STACK_WORDS = 64
};

// The heap of the node whose memory is at its place. Freed blocks stand in lists by size and are zeroed, so that equal
// contents are equal bytes.
static struct heap {
    uint32_t used; // bytes from the start of this
    uint32_t unused;
    void *freed[CLASSES];
} * heap;

// The protocol's calls of these names come here: it is linked with --wrap.
void *heddle_node_malloc(size_t size) __asm__("__wrap_malloc");
void heddle_node_free(void *pointer) __asm__("__wrap_free");
void *heddle_node_calloc(size_t count, size_t size) __asm__("__wrap_calloc");
void *heddle_node_realloc(void *pointer, size_t size) __asm__("__wrap_realloc");
char *heddle_node_strdup(const char *text) __asm__("__wrap_strdup");
char *heddle_node_strndup(const char *text, size_t length) __asm__("__wrap_strndup");
_Noreturn void heddle_node_assert(const char *what, const char *file, unsigned line,
                                  const char *function) __asm__("__wrap___assert_fail");

static unsigned class_of(size_t size)
{
    unsigned class = 0;
    while ((size_t)SMALLEST << class < size)
        class ++;
    return class;
}

static bool is_ours(const void *pointer)
{
    return (const uint8_t *)pointer > (uint8_t *)heap &&
           (const uint8_t *)pointer < (uint8_t *)heap + world.options.heap;
}

// In front of a block: its class, IN_USE unless it is free, and how many bytes were asked for.
static unsigned *header_of(void *pointer)
{
    return (unsigned *)(void *)((uint8_t *)pointer - HEADER);
}

// Whether it is a block that was given out; if not, that is the node's failure.
static bool is_in_use(void *pointer, const char *call)
{
    size_t offset = (size_t)((uint8_t *)pointer - (uint8_t *)heap);
    const unsigned *header = header_of(pointer);
    if (offset % SMALLEST == sizeof *heap % SMALLEST && offset >= sizeof *heap + HEADER && offset < heap->used &&
        header[1] == IN_USE && header[0] < CLASSES)
        return true;
    world_fail(FAILURE_USE, world.self, "%s of what malloc did not give, or of what was freed already", call);
    return false;
}

void memory_fail(const void *where, const char *format, ...)
{
    char text[FAILURE_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    world_fail(FAILURE_MEMORY, world.self, "%s", text);
    world.failure_place = (uintptr_t)where;
    siglongjmp(world.escape, 1);
}

static size_t block_room(const unsigned *header)
{
    return (size_t)SMALLEST << header[0];
}

enum block_state memory_block_at(const void *address, size_t *size, size_t *offset)
{
    const uint8_t *block = (uint8_t *)heap + sizeof *heap + HEADER, *end = (uint8_t *)heap + heap->used;
    enum block_state state = BLOCK_NONE;
    for (const unsigned *header; block < end && block <= (const uint8_t *)address;
         block += HEADER + block_room(header)) {
        header = (const unsigned *)(const void *)(block - HEADER);
        state = header[1] == IN_USE ? BLOCK_IN_USE : BLOCK_FREED;
        *size = header[2];
        *offset = (size_t)((const uint8_t *)address - block);
    }
    return state;
}

// What may be touched of the heap at its place.
static void allow_blocks(void)
{
    uint8_t *end = (uint8_t *)heap + heap->used;
    access_forget();
    for (uint8_t *block = (uint8_t *)(heap + 1) + HEADER; block < end;) {
        const unsigned *header = header_of(block);
        if (header[1] == IN_USE)
            access_allow(block, header[2]);
        block += HEADER + block_room(header);
    }
}

// Gives a block out: of this size, from now on.
static void *give(void *block, size_t size)
{
    unsigned *header = header_of(block);
    header[1] = IN_USE;
    header[2] = (unsigned)size;
    access_allow(block, size);
    return block;
}

// The node's machine would have had more memory: its execution ends, and nobody is accused.
static _Noreturn void run_out_of_heap(void)
{
    world_fail(FAILURE_ROOM, world.self,
               "nodes used more than the %zu MiB of heap that heddle has for each; see --heap",
               world.options.heap >> 20);
    siglongjmp(world.escape, 1);
}

void *heddle_node_malloc(size_t size)
{
    if (world.self < 0) {
        world.library.allocates = true;
        return malloc(size);
    }
    if (size > PTRDIFF_MAX)
        return NULL;
    if (size > world.options.heap / 2)
        run_out_of_heap();
    unsigned class = class_of(size);
    void *block = heap->freed[class];
    if (block) {
        heap->freed[class] = *(void **)block;
        *(void **)block = NULL;
        return give(block, size);
    }
    size_t need = HEADER + ((size_t)SMALLEST << class);
    if (heap->used + need > world.options.heap)
        run_out_of_heap();
    block = (uint8_t *)heap + heap->used + HEADER;
    heap->used += (uint32_t)need;
    memset(header_of(block), 0, need);
    header_of(block)[0] = class;
    return give(block, size);
}

void heddle_node_free(void *pointer)
{
    if (!is_ours(pointer)) {
        free(pointer);
        return;
    }
    if (!is_in_use(pointer, "free"))
        return;
    unsigned class = header_of(pointer)[0];
    access_forbid(pointer, header_of(pointer)[2]);
    header_of(pointer)[1] = header_of(pointer)[2] = 0;
    memset(pointer, 0, (size_t)SMALLEST << class);
    *(void **)pointer = heap->freed[class];
    heap->freed[class] = pointer;
}

void *heddle_node_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return heddle_node_malloc(bytes); // memory is always zeroed
}

void *heddle_node_realloc(void *pointer, size_t size)
{
    if (pointer && !is_ours(pointer))
        return realloc(pointer, size);
    if (pointer && !is_in_use(pointer, "realloc"))
        return NULL;
    size_t room = pointer ? (size_t)SMALLEST << header_of(pointer)[0] : 0;
    if (pointer && size <= room) {
        access_forbid(pointer, header_of(pointer)[2]);
        memset((uint8_t *)pointer + size, 0, room - size);
        return give(pointer, size);
    }
    void *block = heddle_node_malloc(size);
    if (block && pointer) {
        memcpy(block, pointer, room);
        heddle_node_free(pointer);
    }
    return block;
}

char *heddle_node_strndup(const char *text, size_t length)
{
    size_t n = strnlen(text, length);
    char *copy = heddle_node_malloc(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = 0;
    }
    return copy;
}

char *heddle_node_strdup(const char *text)
{
    return heddle_node_strndup(text, strlen(text));
}

void heddle_node_assert(const char *what, const char *file, unsigned line, const char *function)
{
    const char *slash = strrchr(file, '/');
    world_fail(FAILURE_ASSERTION, world.self, "assertion `%s' failed in %s at %s:%u", what, function,
               slash ? slash + 1 : file, line);
    if (!world.inside)
        abort();
    siglongjmp(world.escape, 1);
}

// Where the protocol was: the instruction itself, or if that is a library's, what it returns to: the first address on the stack
// that is in the protocol's code.
static uintptr_t find_place(const ucontext_t *context)
{
    const struct library *l = &world.library;
    uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
    if (at >= (uintptr_t)l->code && at < (uintptr_t)l->code + l->code_size)
        return at + 1; // as if it were a call
    if ((uintptr_t)stack % sizeof *stack)
        return 0;
    for (int i = 0; i < STACK_WORDS; i++)
        if (stack[i] >= (uintptr_t)l->code && stack[i] < (uintptr_t)l->code + l->code_size)
            return stack[i];
    return 0;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    if (!world.inside) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    if (world.failure == FAILURE_NONE) {
        world.failure = FAILURE_CRASH;
        world.failure_node = world.self;
        world.failure_place = find_place(context);
        const char *name = sigabbrev_np(number);
        strcpy(world.failure_text,
               world.self < 0 ? "what looks at all nodes was ended by SIG" : "the node's code was ended by SIG");
        strcat(world.failure_text, name ? name : "?");
    }
    siglongjmp(world.escape, 1);
}

static void on_tick(int number)
{
    (void)number;
    if (!world.inside || ++world.ticks < STUCK_TICKS)
        return;
    world.failure = FAILURE_HANG;
    world.failure_node = world.self;
    strcpy(world.failure_text,
           world.self < 0 ? "what looks at all nodes does not come back" : "the callback does not come back");
    siglongjmp(world.escape, 1);
}

static void catch_signals(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[SIGNAL_STACK];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction crash = {.sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &crash, NULL);
    sigaction(SIGVTALRM, &tick, NULL);
    struct timeval interval = {.tv_usec = TICK_MICROSECONDS};
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){interval, interval}, NULL);
}

void memory_open(void)
{
    size_t segment = world.library.segment_size;
    static size_t room;
    if (heap && room < world.options.heap) {
        mem_release(heap, room);
        heap = NULL;
    }
    if (!heap) { // kept for the next world: blocks hold its addresses, and equal states must be equal in all of them
        room = world.options.heap;
        heap = mem_reserve(room);
    }
    memset(heap, 0, heap->used);
    access_open((uint8_t *)heap, world.options.heap, world.data, DATA_BYTES);
    world.pristine = mem_reserve(segment + 1);
    memcpy(world.pristine, world.library.segment, segment);
    for (int i = 0; i < world.options.nodes; i++) {
        world.block[i] = mem_reserve(sizeof(struct node_local) + segment + world.options.heap + 16);
        world.disk[i] = mem_reserve(2 * DISK_ROOM + 16);
        world.report[i] = mem_reserve(world.library.protocol->state_size + 16);
        world.forgotten[i] = mem_reserve(world.library.protocol->state_size + 16);
    }
    world.self = world.loaded = -1;
    catch_signals();
}

void memory_close(void)
{
    size_t segment = world.library.segment_size;
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){0}, NULL);
    memcpy(world.library.segment, world.pristine, segment);
    access_close();
    mem_release(world.pristine, segment + 1);
    for (int i = 0; i < world.options.nodes; i++) {
        mem_release(world.block[i], sizeof(struct node_local) + segment + world.options.heap + 16);
        mem_release(world.disk[i], 2 * DISK_ROOM + 16);
        mem_release(world.report[i], world.library.protocol->state_size + 16);
        mem_release(world.forgotten[i], world.library.protocol->state_size + 16);
    }
}

void memory_fresh(int node)
{
    uint8_t *segment = world.block[node] + sizeof(struct node_local);
    memcpy(segment, world.pristine, world.library.segment_size);
    struct heap *fresh = (struct heap *)(void *)(segment + world.library.segment_size);
    memset(fresh, 0, sizeof *fresh);
    uint32_t start = sizeof *fresh;
    memcpy(&fresh->used, &start, sizeof start);
    node_local(node)->used = (uint32_t)(sizeof(struct node_local) + world.library.segment_size + sizeof *fresh);
    world.loaded = -1;
}

static void bring(int node)
{
    if (world.loaded == node)
        return;
    const uint8_t *segment = world.block[node] + sizeof(struct node_local);
    size_t size = world.library.segment_size;
    memcpy(world.library.segment, segment, size);
    memcpy(heap, segment + size, node_local(node)->used - sizeof(struct node_local) - size);
    allow_blocks();
    world.loaded = node;
}

static void take_away(int node)
{
    uint8_t *segment = world.block[node] + sizeof(struct node_local);
    size_t size = world.library.segment_size;
    memcpy(segment, world.library.segment, size);
    memcpy(segment + size, heap, heap->used);
    node_local(node)->used = (uint32_t)(sizeof(struct node_local) + size + heap->used);
}

bool memory_run(int node, void (*callback)(void *context), void *context)
{
    bring(node);
    world.self = node;
    world.ticks = 0;
    bool failed = sigsetjmp(world.escape, 0);
    if (!failed) {
        world.inside = true;
        callback(context);
    }
    world.inside = false;
    world.self = -1;
    if (failed || world.failure != FAILURE_NONE) {
        world.loaded = -1;
        return false;
    }
    take_away(node);
    return true;
}
