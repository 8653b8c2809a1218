// Frames by their place and time, beside a search through all of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/frame_index.h"
#include "report/trace_read.h"

enum { FRAMES = 400, QUESTIONS = 20000 };

static const struct trace_frame *look_through(const struct trace_frame *frames, uint64_t address, size_t entry)
{
    for (size_t i = FRAMES; i-- > 0;)
        if (frames[i].entry <= entry && frames[i].low <= address && address < frames[i].end)
            return &frames[i];
    return NULL;
}

// Sizes from nothing to many times the largest part that frames are listed by.
static void draw_frames(struct trace_frame *frames, unsigned *seed)
{
    size_t entry = 0;
    for (size_t i = 0; i < FRAMES; i++) {
        uint64_t size = (uint64_t)rand_r(seed) % (1ull << (rand_r(seed) % 26));
        entry += (size_t)rand_r(seed) % 3;
        frames[i] = (struct trace_frame){.entry = entry, .low = 0x100000000ull + (uint64_t)rand_r(seed) % (1 << 20)};
        frames[i].end = frames[i].low + size;
    }
}

static void finds_the_last_one(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 10; seed++) {
        static struct trace_frame frames[FRAMES];
        struct frame_index index = {0};
        unsigned next = seed, found = 0;
        draw_frames(frames, &next);
        for (size_t i = 0; i < FRAMES; i++)
            frame_index_add(&index, frames, i);
        for (int i = 0; i < QUESTIONS; i++) {
            uint64_t address = 0x100000000ull + (uint64_t)rand_r(&next) % (1 << 21);
            size_t entry = (size_t)rand_r(&next) % (FRAMES + FRAMES / 2);
            const struct trace_frame *frame = frame_index_find(&index, frames, address, entry);
            assert_ptr_equal(frame, look_through(frames, address, entry));
            found += frame != NULL;
        }
        assert_in_range(found, 1, QUESTIONS - 1);
        frame_index_free(&index);
    }
}

static void finds_nothing_in_nothing(void **state)
{
    (void)state;
    struct frame_index index = {0};
    assert_null(frame_index_find(&index, NULL, 0x100000000ull, 5));
    frame_index_free(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_last_one),
                                       cmocka_unit_test(finds_nothing_in_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
