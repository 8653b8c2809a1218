// Before main: the recorder finds what the command shares with it, and tells which modules are loaded.
#include "recorder/recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/preloaded.h"
#include "base/raw.h"

static long map_call(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

void *recorder_map(size_t bytes, int flags)
{
    long at = map_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return at < 0 && at > -4096 ? NULL : (void *)(uintptr_t)at;
}

void recorder_unmap(void *start, size_t bytes)
{
    raw_call(SYS_munmap, (long)(uintptr_t)start, (long)bytes, 0);
}

void *recorder_native_dlopen __attribute__((visibility("hidden")));

void *recorder_native(const char *name)
{
    static void *library;
    if (!recorder_native_dlopen) {
        recorder_native_dlopen = dlsym(RTLD_NEXT, "dlopen");
        library = ((__typeof__(&dlopen))recorder_native_dlopen)("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    }
    void *found = library ? dlsym(library, name) : NULL;
    return found ? found : dlsym(RTLD_NEXT, name);
}

// ---- modules ----

enum { MODULES = 4096, NAME_ROOM = 4096 };

static struct {
    uint64_t known[MODULES]; // where they were loaded
    uint32_t count;
    uint32_t lock;
} modules;

static bool is_known(uint64_t base, const char *path)
{
    uint64_t mark = base * 31 + (uint64_t)(uintptr_t)path;
    for (uint32_t i = 0; i < modules.count; i++)
        if (modules.known[i] == mark)
            return true;
    if (modules.count < MODULES)
        modules.known[modules.count++] = mark;
    return false;
}

// Writes the build id in hexadecimal, or "-". Returns how many characters.
static size_t build_id(const struct dl_phdr_info *info, char *text)
{
    enum { LONGEST = 32 };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(info->dlpi_addr + header->p_vaddr), *end = at + header->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const unsigned char *id = (const unsigned char *)(at + sizeof *note + ((note->n_namesz + 3) & ~3u));
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= LONGEST) {
                for (size_t k = 0; k < note->n_descsz; k++) {
                    text[2 * k] = "0123456789abcdef"[id[k] >> 4];
                    text[2 * k + 1] = "0123456789abcdef"[id[k] & 15];
                }
                return 2 * (size_t)note->n_descsz;
            }
            at = (const char *)id + ((note->n_descsz + 3) & ~3u);
        }
    }
    text[0] = '-';
    return 1;
}

static uint64_t own_base(void)
{
    Dl_info info;
    return dladdr(&modules, &info) ? (uint64_t)(uintptr_t)info.dli_fbase : 0;
}

// So that the command can say which addresses may have the names of variables.
static void tell_static_data(const struct dl_phdr_info *info)
{
    struct recording_statics *statics = &recorder.ring->statics;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W) || statics->count >= RECORDING_STATICS)
            continue;
        uint64_t low = info->dlpi_addr + header->p_vaddr;
        statics->data[statics->count].low = low;
        statics->data[statics->count].high = low + header->p_memsz;
        __atomic_store_n(&statics->count, statics->count + 1, __ATOMIC_RELEASE);
    }
}

static int tell_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    char text[NAME_ROOM + 80], path[NAME_ROOM];
    const char *name = info->dlpi_name;
    size_t length = 0;
    if (is_known(info->dlpi_addr, name) || info->dlpi_addr == own_base())
        return 0;
    if (!name || !*name) {
        long got = raw_call(SYS_readlink, (long)(uintptr_t) "/proc/self/exe", (long)(uintptr_t)path, sizeof path - 1);
        path[got > 0 ? got : 0] = 0;
        name = path;
    }
    if (name[0] != '/')
        return 0; // the kernel's
    length = build_id(info, text);
    text[length++] = ' ';
    while (*name && length < sizeof text)
        text[length++] = *name++;
    tell_static_data(info);
    recorder_text(RECORDING_MODULE, info->dlpi_addr, text, length);
    return 0;
}

void recorder_tell_modules(void)
{
    recorder_modules_stale = 0;
    if (!recorder.on || __atomic_exchange_n(&modules.lock, 1, __ATOMIC_ACQUIRE))
        return;
    dl_iterate_phdr(tell_module, NULL);
    __atomic_store_n(&modules.lock, 0, __ATOMIC_RELEASE);
}

// A module that is loaded later is told of when somebody looks next: the recorder cannot stand between the program and dlopen,
// which looks at where it is called from. So this only leaves a mark, and goes on.
uint32_t recorder_modules_stale;
__asm__(".text\n.globl dlopen\n.type dlopen, @function\ndlopen:\n\t"
        "movl $1, recorder_modules_stale(%rip)\n\t"
        "jmp *recorder_native_dlopen(%rip)\n.size dlopen, .-dlopen");

static __attribute__((destructor)) void recorder_end(void)
{
    if (recorder_modules_stale)
        recorder_tell_modules();
}

// ---- the beginning ----

static struct recording_ring *find_ring(void)
{
    const char *number = getenv(RECORDING_VARIABLE);
    if (!number)
        return NULL;
    int fd = atoi(number);
    struct recording_ring *ring = NATIVE(mmap)(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    preloaded_restore_environment(RECORDING_VARIABLE);
    return ring == MAP_FAILED || ring->magic != RECORDING_MAGIC || ring->size != sizeof *ring ? NULL : ring;
}

static __attribute__((constructor(101))) void recorder_start(void)
{
    struct recording_ring *ring = find_ring();
    recorder_native("dlopen");
    if (!ring)
        return;
    recorder.ring = ring;
    recorder.with_stacks = ring->with_stacks;
    recorder.keeps_all = ring->keeps_all;
    recorder.with_values = ring->with_values;
    if (!recorder_reserve_shadow()) {
        ring->attached = RECORDING_NO_ROOM;
        return;
    }
    if (!recorder_prepare_threads())
        return;
    ring->attached = RECORDING_ATTACHED;
    recorder.on = true;
    recorder_attach(recorder_new_number(), 0);
    recorder_tell_modules();
}
