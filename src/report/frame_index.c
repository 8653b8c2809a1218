#include "report/frame_index.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/trace_read.h"

// The numbers of frames that cover a part, by time.
struct frame_list {
    size_t *numbers;
    size_t count, room;
};

// A part of a stack: an address without its last bits, and how many those are.
struct stack_part {
    uint64_t start, bits;
};

// Frames are listed by parts of the smallest size of which they cover at most MOST_PARTS. The last size is everything.
enum { SIZES = 3, MOST_PARTS = 64 };
static const unsigned part_bits[SIZES] = {6, 16, 63};

static struct stack_part part_of(uint64_t address, unsigned bits)
{
    return (struct stack_part){address >> bits, bits};
}

static unsigned bits_for(const struct trace_frame *frame)
{
    int size = 0;
    while (size + 1 < SIZES && ((frame->end - 1) >> part_bits[size]) - (frame->low >> part_bits[size]) >= MOST_PARTS)
        size++;
    return part_bits[size];
}

static void list_frame(struct frame_index *x, struct stack_part part, size_t number)
{
    bool fresh;
    uint32_t at = table_add(&x->parts, &part, sizeof part, &fresh);
    if (fresh)
        x->lists = alloc_grow(x->lists, at, &x->room, sizeof *x->lists);
    struct frame_list *list = &x->lists[at];
    list->numbers = alloc_grow(list->numbers, list->count, &list->room, sizeof *list->numbers);
    list->numbers[list->count++] = number;
}

void frame_index_add(struct frame_index *x, const struct trace_frame *frames, size_t number)
{
    const struct trace_frame *frame = &frames[number];
    if (frame->low >= frame->end)
        return;
    unsigned bits = bits_for(frame);
    for (uint64_t part = frame->low >> bits; part <= (frame->end - 1) >> bits; part++)
        list_frame(x, (struct stack_part){part, bits}, number);
}

// How many of the list are no later than the entry.
static size_t until(const struct frame_list *list, const struct trace_frame *frames, size_t entry)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (frames[list->numbers[middle]].entry <= entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct trace_frame *find_listed(const struct frame_list *list, const struct trace_frame *frames,
                                             uint64_t address, size_t entry)
{
    for (size_t i = until(list, frames, entry); i-- > 0;) {
        const struct trace_frame *frame = &frames[list->numbers[i]];
        if (frame->low <= address && address < frame->end)
            return frame;
    }
    return NULL;
}

const struct trace_frame *frame_index_find(const struct frame_index *x, const struct trace_frame *frames,
                                           uint64_t address, size_t entry)
{
    const struct trace_frame *last = NULL;
    for (int size = 0; size < SIZES; size++) {
        struct stack_part part = part_of(address, part_bits[size]);
        uint32_t at = table_find(&x->parts, &part, sizeof part);
        const struct trace_frame *found = at == TABLE_NONE ? NULL : find_listed(&x->lists[at], frames, address, entry);
        if (found > last)
            last = found;
    }
    return last;
}

void frame_index_free(struct frame_index *x)
{
    for (uint32_t i = 0; i < x->parts.count; i++)
        free(x->lists[i].numbers);
    free(x->lists);
    table_free(&x->parts);
}
