// Sorting and searching, in front of libc's own: under control what is moved is reported, and so is what comparing
// reads, by the comparing function itself. That function may let other threads run, and going back may lead into the
// middle of a sort: its state is on its thread's stack and in the program's heap.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "target/threads/libc/public.h"

enum { ON_STACK = 1024 };

struct sort {
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *argument;
    byte *spare; // room for all elements
    const void *pc;
};

static void libc_sort_move(const struct sort *s, byte *to, const byte *from, size_t count)
{
    access_read(from, count * s->size, s->pc);
    access_write(to, count * s->size, s->pc);
    plain_move(to, from, count * s->size);
}

// Two sorted runs that stand one behind the other become one. Of equal elements those of the first come first, as with
// libc's: programs rely on it.
static void libc_sort_merge(const struct sort *s, byte *base, size_t left, size_t right)
{
    byte *one = base, *other = base + left * s->size, *to = s->spare;
    while (left && right) {
        byte **least = s->compare(one, other, s->argument) <= 0 ? &one : &other;
        libc_sort_move(s, to, *least, 1);
        --*(least == &one ? &left : &right);
        *least += s->size;
        to += s->size;
    }
    libc_sort_move(s, to, one, left);
    to += left * s->size;
    libc_sort_move(s, base, s->spare,
                   (size_t)(to - s->spare) / s->size); // what is left of the second stands in its place
}

static void libc_sort_range(const struct sort *s, byte *base, size_t count)
{
    if (count < 2)
        return;
    size_t left = count / 2;
    libc_sort_range(s, base, left);
    libc_sort_range(s, base + left * s->size, count - left);
    libc_sort_merge(s, base, left, count - left);
}

static void sort_all(struct sort *s, byte *base, size_t count)
{
    byte near[ON_STACK], *far = NULL;
    size_t bytes;
    if (__builtin_mul_overflow(count, s->size, &bytes) || (bytes > ON_STACK && !(far = malloc(bytes))))
        abort(); // more than the program can have
    s->spare = far ? far : near;
    if (bytes)
        libc_sort_range(s, base, count);
    s->spare = NULL;
    free(far);
}

static __typeof__(qsort_r) *libc_qsort_r;

static __attribute__((constructor)) void find_libc(void)
{
    libc_qsort_r = (__typeof__(libc_qsort_r))dlsym(RTLD_NEXT, "qsort_r");
}

PUBLIC void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                    void *argument)
{
    struct sort s = {.size = size, .compare = compare, .argument = argument, .pc = CALLER()};
    if (!libc_qsort_r)
        find_libc(); // another library's constructor sorts
    if (s.pc)
        sort_all(&s, base, count);
    else
        libc_qsort_r(base, count, size, compare, argument);
}

static int compare_two(const void *one, const void *other, void *compare)
{
    return ((int (*)(const void *, const void *))(uintptr_t)compare)(one, other);
}

PUBLIC void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    struct sort s = {.size = size, .compare = compare_two, .argument = (void *)(uintptr_t)compare, .pc = CALLER()};
    if (s.pc)
        sort_all(&s, base, count);
    else
        qsort_r(base, count, size, compare_two, s.argument);
}

PUBLIC void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *))
{
    const byte *from = base;
    while (count) {
        const byte *middle = from + count / 2 * size;
        int order = compare(key, middle);
        if (!order)
            return (void *)middle;
        if (order > 0) {
            from = middle + size;
            count--;
        }
        count /= 2;
    }
    return NULL;
}
