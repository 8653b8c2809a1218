// The hooks that the compiler puts before plain accesses (-fsanitize=thread), and at the beginning and end of functions.
#include "recorder/recorder.h"

// What most accesses come to: nobody else touches the word, and that is known.
static IN_PLACE void plain(void *p, uint32_t size, bool write, const void *pc)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    struct recorder_thread *me = recorder_self;
    if (likely(me != NULL)) {
        uint32_t state = __atomic_load_n(recorder_shadow(address), __ATOMIC_RELAXED);
        bool whole = (address & 7) + size <= 8;
        if (likely(whole && (state == me->settled || (!write && (state & me->read_mask) == me->read_settled))))
            return;
    }
    if (recorder.on)
        recorder_access(me, address, size, write, pc);
}

#define READS(p, size, pc) plain(p, size, false, pc)
#define WRITES(p, size, pc) plain(p, size, true, pc)
#define READS_AND_WRITES(p, size, pc) (plain(p, size, false, pc), plain(p, size, true, pc))
#include "base/access_hooks.h"

PUBLIC void __tsan_read_range(void *p, uintptr_t size)
{
    recorder_range(p, size, false, HERE);
}

PUBLIC void __tsan_write_range(void *p, uintptr_t size)
{
    recorder_range(p, size, true, HERE);
}

// Constructors and destructors write where an object's virtual functions are, mostly what is there already.
PUBLIC void __tsan_vptr_update(void **p, void *value)
{
    if (*p != value)
        plain(p, 8, true, HERE);
}

PUBLIC void __tsan_vptr_read(void **p)
{
    plain(p, 8, false, HERE);
}

PUBLIC void __tsan_init(void)
{
}

static RARE void enter_function(const void *caller, const void *pc, uint64_t frame)
{
    struct recorder_thread *me = recorder_self;
    if (!me)
        return;
    while (me->depth && me->depth <= CALLS && me->frames[me->depth - 1] <= frame) // left by longjmp
        me->depth--;
    if (me->lowest > me->depth)
        me->lowest = me->depth;
    if (me->depth < CALLS) {
        me->calls[me->depth] = (struct recording_unit){(uint64_t)(uintptr_t)caller, (uint64_t)(uintptr_t)pc};
        me->frames[me->depth] = frame;
    }
    me->depth++;
}

PUBLIC void __tsan_func_entry(void *caller)
{
    if (unlikely(recorder.with_stacks))
        enter_function(caller, HERE, (uint64_t)(uintptr_t)__builtin_frame_address(0));
}

static RARE void leave_function(void)
{
    struct recorder_thread *me = recorder_self;
    if (!me || !me->depth)
        return;
    me->depth--;
    if (me->lowest > me->depth)
        me->lowest = me->depth;
}

enum { DEAD_BYTES = 1 << 20 }; // how large a frame may have been

// With --values: what the function wrote into its frame last is read while it is there, unless this hook was jumped to, and the frame,
// which is above `frame_end`, is gone.
static RARE void see_last_write(uint64_t frame_end)
{
    struct recorder_thread *me = recorder_self;
    if (!me || me->busy || !me->unseen)
        return;
    uint64_t written = me->unseen->what & RECORDING_ADDRESS;
    if (written < frame_end && written + DEAD_BYTES > frame_end)
        me->unseen = NULL;
    else
        recorder_see_written(me);
}

PUBLIC void __tsan_func_exit(void)
{
    enum { SAVED = 16 }; // the frame pointer and the return address
    if (unlikely(recorder.with_values))
        see_last_write((uint64_t)(uintptr_t)__builtin_frame_address(0) + SAVED);
    if (unlikely(recorder.with_stacks))
        leave_function();
}
