// 128 bits that stand for a state. Different states have the same fingerprint with a probability of about 2^-128: wherever
// states are matched by it, the report says so.
#ifndef MODEL_FINGERPRINT_H
#define MODEL_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

struct fingerprint {
    uint64_t low, high;
};

static inline uint64_t fingerprint_scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Goes on with one more word; the order of words matters.
static inline void fingerprint_mix(struct fingerprint *f, uint64_t word)
{
    f->low = (f->low ^ word) * 0x9e3779b97f4a7c15u;
    f->low ^= f->low >> 29;
    f->high = (f->high + word) * 0xd1342543de82ef95u;
    f->high ^= f->high >> 32;
}

// The same for many words. Four lines of them side by side, so that the processor need not wait for one multiplication before
// it begins the next.
static inline void fingerprint_mix_words(struct fingerprint *f, const void *from, size_t words)
{
    const uint64_t *word = from;
    size_t i = 0;
    if (words >= 8) {
        struct fingerprint a = *f, b = {1, 1}, c = {2, 2}, d = {3, 3};
        for (; i + 4 <= words; i += 4) {
            fingerprint_mix(&a, word[i]);
            fingerprint_mix(&b, word[i + 1]);
            fingerprint_mix(&c, word[i + 2]);
            fingerprint_mix(&d, word[i + 3]);
        }
        fingerprint_mix(&a, b.low ^ b.high << 32);
        fingerprint_mix(&a, b.high);
        fingerprint_mix(&a, c.low ^ c.high << 32);
        fingerprint_mix(&a, c.high);
        fingerprint_mix(&a, d.low ^ d.high << 32);
        fingerprint_mix(&a, d.high);
        *f = a;
    }
    for (; i < words; i++)
        fingerprint_mix(f, word[i]);
}

// That `what` is found at `where`, for sets: these are added up, in any order.
static inline struct fingerprint fingerprint_of(uint64_t where, uint64_t what)
{
    uint64_t place = fingerprint_scramble(where + 0x9e3779b97f4a7c15u);
    return (struct fingerprint){fingerprint_scramble(place ^ what * 0xd1342543de82ef95u),
                                fingerprint_scramble(place * 0x2545f4914f6cdd1du + what)};
}

static inline void fingerprint_add(struct fingerprint *sum, struct fingerprint one)
{
    sum->low += one.low;
    sum->high += one.high;
}

static inline void fingerprint_subtract(struct fingerprint *sum, struct fingerprint one)
{
    sum->low -= one.low;
    sum->high -= one.high;
}

#endif
