#define _GNU_SOURCE
#include "target/threads/engine/floats.h"

#include <link.h>

#include "target/threads/memory/memory_room.h"

// What fnstenv writes: control, status and tag words, and where the last instruction was, which nobody needs.
struct x87 {
    uint32_t control, status, tags, last[4];
};

static struct floats {
    struct x87 x87;
    uint32_t mxcsr;
} floats[MAX_ACTORS], usual;

static struct floats floats_now(void)
{
    struct floats now;
    __asm__ volatile("fnstenv %0\n\tfldcw %0\n\tstmxcsr %1" : "=m"(now.x87), "=m"(now.mxcsr));
    for (int i = 0; i < 4; i++)
        now.x87.last[i] = 0;
    return now;
}

static void floats_load(const struct floats *wanted)
{
    __asm__ volatile("fldenv %0\n\tldmxcsr %1" : : "m"(wanted->x87), "m"(wanted->mxcsr));
}

static bool floats_has_function(void)
{
    static const char *const names[] = {
        "fesetround",     "fesetenv",        "feupdateenv",  "feholdexcept",    "feclearexcept",
        "feraiseexcept",  "fesetexcept",     "fetestexcept", "fegetexceptflag", "fesetexceptflag",
        "feenableexcept", "fedisableexcept", "fesetmode",    "fegetenv",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (image_imports(names[i]))
            return true;
    return false;
}

// Whether something in the code looks like `ldmxcsr` of memory (0f ae /2), or the same with another prefix (c5 f8 ae /2).
static bool floats_loads(const uint8_t *code, size_t size)
{
    for (size_t i = 1; i + 1 < size; i++)
        if (code[i] == 0xae && (code[i - 1] == 0x0f || code[i - 1] == 0xf8) && (code[i + 1] >> 3 & 7) == 2 &&
            code[i + 1] < 0xc0)
            return true;
    return false;
}

// The program itself comes first.
static int floats_look_into(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && h->p_flags & PF_X)
            *(bool *)found |= floats_loads((const uint8_t *)(info->dlpi_addr + h->p_vaddr), h->p_filesz);
    }
    return 1;
}

void floats_prepare(void)
{
    usual = floats_now();
    usual.x87.status = 0;
    usual.mxcsr &= ~0x3fu; // what heddle has computed so far is nobody's
    engine.keeps_floats = floats_has_function();
    if (!engine.keeps_floats)
        dl_iterate_phdr(floats_look_into, &engine.keeps_floats);
}

void floats_begin(struct thread *t)
{
    undo_save(&engine.undo, &floats[t->actor], sizeof *floats);
    floats[t->actor] = t->actor ? floats_now() : usual;
}

void floats_leave(struct thread *t)
{
    undo_save(&engine.undo, &floats[t->actor], sizeof *floats);
    floats[t->actor] = floats_now();
    floats_load(&usual);
}

void floats_enter(struct thread *t)
{
    floats_load(&floats[t->actor]);
}
