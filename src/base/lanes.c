#include "base/lanes.h"

bool lanes_wide;

void lanes_choose(void)
{
    __builtin_cpu_init();
    lanes_wide = __builtin_cpu_supports("avx");
}

RARE void lanes_copy_blocks(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; i += LANES_BLOCK) {
        const undo_lane *source = (const undo_lane *)(from + i);
        undo_lane a = source[0], b = source[1], c = source[2], d = source[3];
        undo_lane *target = (undo_lane *)(to + i);
        target[0] = a;
        target[1] = b;
        target[2] = c;
        target[3] = d;
    }
}

RARE void lanes_clear_narrow(uint8_t *start, size_t size)
{
    for (size_t i = 0; i < size; i += 16)
        *(undo_lane *)(start + i) = (undo_lane){0, 0};
}
