#define _GNU_SOURCE
#include "injector/injector_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WINDOW_RECORDS = 32768, WINDOW = WINDOW_RECORDS * sizeof(struct canonical_record), NAME_ROOM = 192 };
enum { RANGES = 256 };

bool trace_on;

static int folder_fd = -1;

static __thread struct {
    int fd;
    struct canonical_record *window;
    uint32_t used;
    uint64_t bytes;     // of the file
    uint64_t base, low; // where its first frame began, and the end of its stack
    uint64_t allocations;
    struct canonical_record *waiting; // a write whose value is not there yet …
    const void *written;              // … and where it goes
    uint32_t written_size;
    bool busy;
    char name[NAME_ROOM];
} self;

// ---- where things are ----

static struct {
    uint64_t start, end, base;
    uint32_t module; // UINT32_MAX: the system's
} ranges[RANGES];
static uint32_t range_count;

static struct {
    uint64_t low, base, path;
    pthread_t handle;
} stacks[INJECTION_THREADS];
static uint32_t stack_count;

static int note_module(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    uint32_t module = injector_module(info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum && range_count < RANGES; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr;
        if (h->p_type != PT_LOAD)
            continue;
        ranges[range_count].start = start;
        ranges[range_count].end = start + h->p_memsz;
        ranges[range_count].base = info->dlpi_addr;
        ranges[range_count++].module = module;
    }
    return 0;
}

// The program's ranges stand first.
static uint32_t find_range(uint64_t address)
{
    uint32_t i = 0;
    while (i < range_count && (address < ranges[i].start || address >= ranges[i].end))
        i++;
    return i;
}

static uint64_t place_of(const void *pc, enum canonical_op op, uint64_t size)
{
    uint64_t at = (uint64_t)(uintptr_t)pc;
    uint32_t i = find_range(at - 1);
    bool known = i < range_count && ranges[i].module != UINT32_MAX;
    return canonical_what(op, known ? ranges[i].module : 255, known ? at - ranges[i].base : 0, size);
}

// ---- the heap ----

enum { GRANULE = 16, REGION_BITS = 26 };
#define REGION (1ull << REGION_BITS)
#define HEAP_BYTES (REGION * INJECTION_THREADS)

struct trace_block {
    uint64_t size;
    uint64_t number; // of its thread's allocations; 0: it is the C library's, and has no name
};

static uint8_t *heap;          // a region for each thread
static uint32_t *block_starts; // by granule: where its block begins, in granules from the heap's start, plus 1
static uint64_t heap_next[INJECTION_THREADS];

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool trace_owns(const void *p)
{
    return heap && (const uint8_t *)p >= heap && (const uint8_t *)p < heap + HEAP_BYTES;
}

static const struct trace_block *block_at(uint64_t address)
{
    uint32_t start = block_starts[(address - (uint64_t)(uintptr_t)heap) / GRANULE];
    return start ? (const struct trace_block *)(heap + (start - 1ull) * GRANULE) - 1 : NULL;
}

static bool is_systems(const void *pc)
{
    uint32_t i = find_range((uint64_t)(uintptr_t)pc - 1);
    return i == range_count || ranges[i].module == UINT32_MAX;
}

// What the C library allocates for itself may depend on what it has left over from before, and is not followed. It has half a
// region at most. It is not left to the library's own heap, whose addresses may look like any number.
void *trace_allocate(size_t size, size_t alignment, const void *pc)
{
    uint32_t me = injector_self.number;
    uint64_t align = alignment < GRANULE ? GRANULE : alignment;
    uint64_t at = (heap_next[me] + sizeof(struct trace_block) + align - 1) / align * align;
    uint64_t room = (size + GRANULE) / GRANULE * GRANULE; // at least a byte, so that its end belongs to nobody else
    bool nameless = is_systems(pc);
    if (!heap || !injector_self.known || self.busy || alignment > REGION / 2 || size > REGION ||
        at + room > (nameless ? REGION / 2 : REGION))
        return NULL;
    uint64_t offset = me * REGION + at;
    heap_next[me] = at + room;
    struct trace_block *block = (struct trace_block *)(heap + offset) - 1;
    *block = (struct trace_block){size, nameless ? 0 : ++self.allocations};
    for (uint64_t i = 0; i < room / GRANULE; i++)
        block_starts[offset / GRANULE + i] = (uint32_t)(offset / GRANULE) + 1;
    if (!nameless)
        trace_event(CANONICAL_ALLOCATE, heap + offset, size, pc);
    return heap + offset;
}

void trace_allocate_nothing(const void *pc)
{
    if (heap && injector_self.known && !is_systems(pc))
        self.allocations++;
}

size_t trace_size(const void *p)
{
    const struct trace_block *block = block_at((uint64_t)(uintptr_t)p);
    return block ? block->size : 0;
}

void trace_free(const void *p, const void *pc)
{
    const struct trace_block *block = block_at((uint64_t)(uintptr_t)p);
    if (!block || block->number)
        trace_event(CANONICAL_FREE, p, 0, pc);
}

// ---- names ----

static uint64_t path_of_number(uint32_t number)
{
    return injector_block->threads[number].path;
}

static uint64_t name_heap(uint64_t address)
{
    const struct trace_block *block = block_at(address);
    uint32_t owner = (uint32_t)((address - (uint64_t)(uintptr_t)heap) >> REGION_BITS);
    return block && block->number
               ? canonical_heap(path_of_number(owner), block->number, address - (uint64_t)(uintptr_t)(block + 1))
               : 0;
}

static uint64_t name_stack(uint64_t address)
{
    uint32_t count = __atomic_load_n(&stack_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count && i < INJECTION_THREADS; i++)
        if (address >= stacks[i].low && address <= stacks[i].base)
            return canonical_stack(stacks[i].path, stacks[i].base - address);
    return 0;
}

uint64_t trace_address(uint64_t address)
{
    if (address <= self.base && address >= self.low && self.base)
        return canonical_stack(injector_self.path, self.base - address);
    if (trace_owns((const void *)(uintptr_t)address))
        return name_heap(address);
    uint32_t i = find_range(address);
    if (i < range_count)
        return ranges[i].module == UINT32_MAX ? 0 : canonical_global(ranges[i].module, address - ranges[i].base);
    return name_stack(address);
}

uint64_t trace_handle(pthread_t handle)
{
    uint32_t count = __atomic_load_n(&stack_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count && i < INJECTION_THREADS; i++)
        if (stacks[i].handle == handle)
            return stacks[i].path;
    return 0;
}

// Eight bytes that are an address become its name. Mappings lie where no usual number is.
static uint64_t name_value(uint64_t value)
{
    enum { LOWEST = 0x1000 };
    if (value < LOWEST || value >> 47)
        return value;
    uint64_t path = value >> 44 ? trace_handle((pthread_t)value) : 0;
    uint64_t name = path ? canonical_global(CANONICAL_HANDLES, path) : trace_address(value);
    if (name)
        return name;
    return value >> 44 == 7 ? canonical_global(CANONICAL_ELSEWHERE, 0) : value;
}

static uint64_t mix_in(uint64_t h, uint64_t value)
{
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t value_at(const void *p, size_t size)
{
    uint64_t value = 0;
    const uint8_t *bytes = p;
    if (size == 8 || size < 8) {
        for (size_t i = 0; i < size; i++)
            value |= (uint64_t)bytes[i] << 8 * i;
        return size == 8 ? name_value(value) : value;
    }
    for (size_t i = 0; i < size; i += 8)
        value = mix_in(value, value_at(bytes + i, size - i < 8 ? size - i : 8));
    return value;
}

// ---- records ----

static void end_window(void)
{
    if (self.window)
        munmap(self.window, WINDOW);
    self.window = NULL;
}

static bool next_window(void)
{
    end_window();
    if (self.fd < 0 || ftruncate(self.fd, (off_t)(self.bytes + WINDOW)))
        return false;
    void *p = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, self.fd, (off_t)self.bytes);
    if (p == MAP_FAILED)
        return false;
    self.window = p;
    self.bytes += WINDOW;
    self.used = 0;
    return true;
}

static bool may_write(void)
{
    return trace_on && injector_self.known && self.base && !self.busy;
}

static void settle_write(void)
{
    if (!self.waiting)
        return;
    self.waiting->value = value_at(self.written, self.written_size);
    self.waiting = NULL;
}

void trace_leave(uint64_t frame_end)
{
    uint64_t written = (uint64_t)(uintptr_t)self.written;
    if (!self.waiting || !may_write())
        return;
    self.busy = true;
    if (written >= self.low && written < frame_end)
        self.waiting = NULL; // the frame is gone already, and so is the value
    settle_write();
    self.busy = false;
}

// What a trace without canonical names would be compared by: everything as it is, in the order in which it happens. Values that
// are about to be written are left out.
static void hash_as_it_is(const void *pc, const void *object, uint64_t what, uint64_t name, uint64_t value)
{
    static uint32_t lock;
    struct injection_block *b = injector_block;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        syscall(SYS_sched_yield);
    b->as_it_is = mix_in(b->as_it_is, (uint64_t)pthread_self());
    b->as_it_is = mix_in(mix_in(b->as_it_is, (uint64_t)(uintptr_t)pc), (uint64_t)(uintptr_t)object);
    b->in_order = mix_in(mix_in(mix_in(mix_in(b->in_order, injector_self.path), what), name), value);
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static struct canonical_record *put(uint64_t what, uint64_t object, uint64_t value)
{
    settle_write();
    if ((!self.window || self.used == WINDOW_RECORDS) && !next_window())
        return NULL;
    struct canonical_record *r = &self.window[self.used++];
    r->object = object;
    r->value = value;
    r->what = what;
    __atomic_store_n(&injector_block->threads[injector_self.number].records,
                     injector_block->threads[injector_self.number].records + 1, __ATOMIC_RELAXED);
    return r;
}

void trace_access(const void *p, size_t size, enum canonical_op op, const void *pc)
{
    if (!may_write() || !size)
        return;
    self.busy = true;
    settle_write();
    if (size >= UINT8_MAX)
        put(canonical_what(CANONICAL_SIZE, 0, 0, 0), 0, size);
    bool writes = op == CANONICAL_WRITE || op == CANONICAL_WRITE_RANGE;
    uint64_t what = place_of(pc, op, size), name = trace_address((uint64_t)(uintptr_t)p);
    uint64_t value = writes ? 0 : value_at(p, size);
    if (unlikely(injector_block->naive))
        hash_as_it_is(pc, p, what, name, value);
    struct canonical_record *r = put(what, name, value);
    if (r && writes) {
        // If the program cannot write there, it faults here, where a handler of its own leaves no records, and not when the value is
        // read in that handler.
        (void)*(const volatile uint8_t *)p;
        (void)((const volatile uint8_t *)p)[size - 1];
        self.waiting = r;
        self.written = p;
        self.written_size = (uint32_t)size;
    }
    self.busy = false;
}

void trace_event(enum canonical_op op, const void *object, uint64_t value, const void *pc)
{
    if (!may_write())
        return;
    self.busy = true;
    uint64_t what = place_of(pc, op, 0), name = object ? trace_address((uint64_t)(uintptr_t)object) : 0;
    if (unlikely(injector_block->naive))
        hash_as_it_is(pc, object, what, name, value);
    put(what, name, value);
    self.busy = false;
}

// ---- threads ----

static void name_self(void)
{
    const struct injection_thread *t = &injector_block->threads[injector_self.number];
    uint32_t way[32], depth = 0;
    for (const struct injection_thread *at = t; at->child && depth < 32; at = &injector_block->threads[at->parent])
        way[depth++] = at->child;
    char *to = self.name;
    if (!depth)
        strcpy(to, "main");
    for (uint32_t i = depth; i-- > 0;)
        to += snprintf(to, NAME_ROOM - (size_t)(to - self.name), "%s%u", i + 1 == depth ? "T" : ".", way[i]);
}

static void note_stack(const void *frame)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
    }
    self.base = (uint64_t)(uintptr_t)frame;
    self.low = (uint64_t)(uintptr_t)low;
    for (uint32_t i = 0; i < stack_count; i++)
        if (stacks[i].path == injector_self.path) { // its creator was first
            stacks[i].base = self.base;
            __atomic_store_n(&stacks[i].low, (uint64_t)(uintptr_t)low, __ATOMIC_RELEASE);
            return;
        }
    trace_name_handle(pthread_self(), injector_self.path);
    for (uint32_t i = 0; i < stack_count; i++)
        if (stacks[i].path == injector_self.path) {
            stacks[i].base = self.base;
            __atomic_store_n(&stacks[i].low, (uint64_t)(uintptr_t)low, __ATOMIC_RELEASE);
        }
}

void trace_name_handle(pthread_t handle, uint64_t path)
{
    static uint32_t lock;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        syscall(SYS_sched_yield);
    uint32_t i = 0;
    for (uint32_t k = 0; k < stack_count; k++) // a thread that has ended may have had the same stack
        if (stacks[k].handle == handle && stacks[k].path != path) {
            stacks[k].handle = 0;
            stacks[k].low = UINT64_MAX;
        }
    while (i < stack_count && stacks[i].path != path)
        i++;
    if (i < INJECTION_THREADS) {
        stacks[i].handle = handle;
        stacks[i].path = path;
        if (i == stack_count) {
            stacks[i].low = UINT64_MAX; // not known yet
            __atomic_store_n(&stack_count, i + 1, __ATOMIC_RELEASE);
        }
    }
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void trace_begin_thread(const void *frame)
{
    if (!trace_on || !injector_self.known)
        return;
    self.busy = true;
    name_self();
    self.fd = openat(folder_fd, self.name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    note_stack(frame);
    self.busy = false;
}

void trace_end_thread(void)
{
    if (!trace_on || !self.base)
        return;
    trace_event(CANONICAL_END, NULL, 0, NULL);
    end_window();
    if (self.fd >= 0)
        close(self.fd);
    self.base = 0;
    for (uint32_t i = 0; i < stack_count;
         i++) // its stack goes back to the kernel; its handle is known until it is joined
        if (stacks[i].path == injector_self.path)
            __atomic_store_n(&stacks[i].low, UINT64_MAX, __ATOMIC_RELEASE);
}

void trace_end(void)
{
    if (may_write())
        settle_write();
}

extern void *__libc_stack_end;

void trace_begin(int folder)
{
    enum { OUT_OF_THE_WAY = 900 };
    folder_fd = fcntl(folder, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    close(folder);
    dl_iterate_phdr(note_module, NULL);
    heap = reserve(HEAP_BYTES);
    block_starts = reserve(HEAP_BYTES / GRANULE * sizeof *block_starts);
    if (!heap || !block_starts || folder_fd < 0)
        return;
    trace_on = true;
    trace_begin_thread(__libc_stack_end);
}
