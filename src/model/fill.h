// What memory fresh from malloc holds.
#ifndef MODEL_FILL_H
#define MODEL_FILL_H

enum fill {
    FILL_USUAL, // FILL_BYTE everywhere
    FILL_BYTES, // plus 0 to 255: that byte everywhere
    FILL_RANDOM = FILL_BYTES + 256
};

enum { FILL_BYTE = 0xbe };

#endif
