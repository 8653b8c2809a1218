// Every kind of instruction that is followed, in two threads, each on memory of its own: all have to give what the machine
// gives, with registers, flags and the red zone as they were. Nothing is shared, so there is one execution.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct memory {
    uint8_t b;
    uint16_t w;
    uint32_t l;
    uint64_t q;
    _Alignas(16) uint64_t pair[2];
    uint64_t bits[4];
    char from[40], to[40];
    double real;
};

static __thread uint64_t own;

static void moves(struct memory *m)
{
    uint64_t q = 7;
    uint32_t l;
    uint16_t w;
    double real = 1.5, got;
    asm volatile("movq %1, %0" : "=m"(m->q) : "r"(q) : "memory");
    asm volatile("movl $-5, %0" : "=m"(m->l)::"memory");
    asm volatile("movl %1, %0" : "=r"(l) : "m"(m->l) : "memory");
    assert(m->q == 7 && l == (uint32_t)-5);
    asm volatile("movb %b1, %0; movzbl %0, %k2; movsbw %0, %w3"
                 : "=m"(m->b), "+q"(q), "=&r"(l), "=&r"(w)::"memory");
    assert(m->b == 7 && l == 7 && w == 7);
    asm volatile("movb $0x42, %%ah; movb %%ah, (%0); xchgb %%ah, (%1)" ::"D"(&m->b), "S"(&m->w) : "rax", "memory");
    assert(m->b == 0x42 && (m->w & 255) == 0x42);
    asm volatile("movq %1, %0" : "=m"(m->real) : "x"(real) : "memory");
    asm volatile("movq %1, %0" : "=x"(got) : "m"(m->real) : "memory");
    assert(got == 1.5);
    asm volatile("movl $0x01020304, 6(%1); movl 6(%1), %0" : "=r"(l) : "r"(m->bits) : "memory"); // over a word's end
    assert(l == 0x01020304);
    asm volatile("movntiq %1, %0; sfence" : "=m"(m->q) : "r"(q + 1) : "memory");
    assert(m->q == 8);
}

static void locked(struct memory *m)
{
    uint32_t l = 3;
    m->l = 10;
    asm volatile("lock; addl $2, %0\n\tlock subl %1, %0\n\tlock incl %0; lock decl %0" : "+m"(m->l) : "r"(1) : "cc");
    assert(m->l == 11);
    asm volatile("lock xaddl %1, %0" : "+m"(m->l), "+r"(l)::"cc");
    assert(m->l == 14 && l == 11);
    asm volatile("lock andl $12, %0; lock orl $1, %0; lock xorl $3, %0" : "+m"(m->l)::"cc");
    assert(m->l == 14);
    asm volatile("lock notl %0; lock negl %0" : "+m"(m->l)::"cc");
    assert(m->l == 15);
    asm volatile("stc; lock adcl $1, %0; stc; lock sbbl $3, %0" : "+m"(m->l)::"cc");
    assert(m->l == 13);
    asm volatile("xchgl %0, %1" : "+m"(m->l), "+r"(l)::"memory");
    assert(m->l == 11 && l == 13);
    m->q = 1ull << 40;
    asm volatile("lock addq $1, %0" : "+m"(m->q)::"cc");
    assert(m->q == (1ull << 40) + 1);
}

static void compared(struct memory *m)
{
    uint32_t found = 4;
    uint8_t done;
    uint64_t low = 1, high = 2;
    m->l = 4;
    asm volatile("lock; cmpxchgl %3, %1; sete %2" : "+a"(found), "+m"(m->l), "=q"(done) : "r"(9) : "cc", "memory");
    assert(done && found == 4 && m->l == 9);
    asm volatile("lock; cmpxchgl %3, %1; sete %2" : "+a"(found), "+m"(m->l), "=q"(done) : "r"(1) : "cc", "memory");
    assert(!done && found == 9 && m->l == 9);
    m->pair[0] = 1;
    m->pair[1] = 2;
    asm volatile("lock cmpxchg16b %0; sete %3"
                 : "+m"(m->pair), "+a"(low), "+d"(high), "=q"(done)
                 : "b"(3ull), "c"(4ull)
                 : "cc", "memory");
    assert(done && m->pair[0] == 3 && m->pair[1] == 4);
    low = 3;
    high = 0;
    asm volatile("lock cmpxchg8b %0; sete %3"
                 : "+m"(m->pair[0]), "+a"(low), "+d"(high), "=q"(done)
                 : "b"(5ull), "c"(6ull)
                 : "cc", "memory");
    assert(done && m->pair[0] == (6ull << 32 | 5));
}

static void bits(struct memory *m)
{
    uint8_t was;
    uint64_t far = 130, negative = (uint64_t)-1;
    memset(m->bits, 0, sizeof m->bits);
    asm volatile("lock btsl $3, %0; setc %1" : "+m"(m->bits[0]), "=q"(was)::"cc", "memory");
    assert(!was && m->bits[0] == 8);
    asm volatile("lock btsq %2, %0; setc %1" : "+m"(m->bits[0]), "=q"(was) : "r"(far) : "cc", "memory");
    assert(!was && m->bits[2] == 4 && m->bits[0] == 8);
    asm volatile("lock btcq %1, %0" : "+m"(m->bits[2]) : "r"(negative) : "cc", "memory");
    assert(m->bits[1] == 1ull << 63);
    asm volatile("lock btrq %2, %0; setc %1" : "+m"(m->bits[0]), "=q"(was) : "r"(far) : "cc", "memory");
    assert(was && m->bits[2] == 0);
    asm volatile("btq %2, %1; setc %0" : "=q"(was) : "m"(m->bits[0]), "r"(127ull) : "cc", "memory");
    assert(was);
}

static void plain(struct memory *m)
{
    uint64_t count = 5;
    void *to = m->to, *from = m->from;
    m->l = 1;
    asm volatile("addl $2, %0; shll $1, %0; incl %0" : "+m"(m->l)::"cc");
    assert(m->l == 7);
    memcpy(m->from, "abcdefgh", 9);
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    assert(!memcmp(m->to, "abcde", 5) && count == 0);
    to = m->to + 7;
    from = m->from + 7;
    asm volatile("std; movsb; movsb; cld" : "+D"(to), "+S"(from)::"memory", "cc");
    assert(m->to[7] == 'h' && m->to[6] == 'g');
    to = m->to;
    count = 2;
    asm volatile("rep\n\tstosq" : "+D"(to), "+c"(count) : "a"(0ull) : "memory");
    assert(!m->to[0] && !m->to[15]);
    asm volatile("movdqu %1, %%xmm1; movdqu %%xmm1, %0" : "=m"(m->to) : "m"(m->from) : "xmm1", "memory");
    assert(!strcmp(m->to, "abcdefgh"));
}

// Labels, loops and jumps out of the assembly; a register, a vector and the flags that live through it.
static int flow(struct memory *m, double scale)
{
    double kept = scale * 3;
    unsigned rounds = 0;
    m->l = 5;
    asm volatile("1: incl %1; lock; decl %0; jnz 1b" : "+m"(m->l), "+r"(rounds)::"cc", "memory");
    assert(m->l == 0 && rounds == 5 && kept == scale * 3);
    asm volatile("cmpl $1, %1; movl $8, %0; jne 2f; movl $9, %0\n2:" : "=m"(m->l) : "r"(1) : "cc", "memory");
    assert(m->l == 9);
    asm goto("lock; subl $9, %0; jz %l[zero]" : : "m"(m->l) : "cc", "memory" : zero);
    return 0;
zero:
    return 1;
}

// More values than the machine has registers for, needed before and after.
static __attribute__((noinline)) double pressure(struct memory *m, const int *number, const double *real)
{
    int a = number[0], b = number[1], c = number[2], d = number[3], e = number[4], f = number[5], g = number[6];
    double p = real[0], q = real[1], r = real[2], s = real[3];
    for (int i = 0; i < 3; i++) {
        unsigned old = (unsigned)(a + b * c - d);
        asm volatile("lock xaddl %1, %0" : "+m"(m->l), "+r"(old)::"cc", "memory");
        p += a * q - b * r;
        s += c + (int)old * 0;
        asm volatile("movl %1, %0" : "=r"(old) : "m"(m->l) : "memory");
        e += d + f;
        g ^= e;
        q += s * g;
        a += b, b += c, c += d, d += 1;
    }
    return a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + p + q + r + s;
}

// The same without assembly in between.
static __attribute__((noinline)) double no_pressure(const int *number, const double *real)
{
    int a = number[0], b = number[1], c = number[2], d = number[3], e = number[4], f = number[5], g = number[6];
    double p = real[0], q = real[1], r = real[2], s = real[3];
    for (int i = 0; i < 3; i++) {
        p += a * q - b * r;
        s += c;
        e += d + f;
        g ^= e;
        q += s * g;
        a += b, b += c, c += d, d += 1;
    }
    return a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + p + q + r + s;
}

// Arguments that only pass through, in registers that the function in between does not name.
static __attribute__((noinline)) double last(long a, double x, long b, double y)
{
    return (double)(a - b) * (x - y);
}

#ifdef __clang__
__attribute__((noinline, no_sanitize("thread")))
#else
__attribute__((noinline, no_sanitize_thread))
#endif
static double through(long a, double x, long b, double y)
{
    asm volatile("mfence" ::: "memory"); // announced like an access
    return last(a, x, b, y);
}

// A leaf that keeps what it needs below its stack pointer.
static __attribute__((noinline)) uint64_t red_zone(volatile uint64_t *p)
{
    volatile uint64_t local[3] = {11, 22, 33};
    uint64_t got;
    asm volatile("lock; addl $0, 0(%%rsp); xchgq %0, %1" : "=r"(got), "+m"(*p) : "0"(5ull) : "memory", "cc");
    return got + local[0] + local[1] + local[2];
}

static void *run(void *memory)
{
    struct memory *m = memory;
    moves(m);
    locked(m);
    compared(m);
    bits(m);
    plain(m);
    uint64_t zero_of_thread;
    asm volatile("movq %%fs:0, %0" : "=r"(zero_of_thread));
    asm volatile("xchgq %0, %1" : "+m"(own), "+r"(zero_of_thread)::"memory");
    assert(zero_of_thread == 0 && own != 0);
    m->q = 4;
    assert(red_zone(&m->q) == 70 && m->q == 5);
    asm volatile("pushq %%rax; movq %1, %%rax; movq %%rax, (%%rsp); incq (%%rsp); popq %0" : "=r"(m->q) : "r"(9ull) : "rax");
    assert(m->q == 10);
    assert(flow(m, 1.25));
    static const int number[7] = {1, 2, 3, 4, 5, 6, 7};
    static const double real[4] = {0.5, 1.5, 2.5, 3.5};
    assert(through(9, 3.5, 4, 1.5) == 10);
    assert(pressure(m, number, real) == no_pressure(number, real));
    asm volatile("mfence; lfence; pause; rep; nop; prefetcht0 %0" ::"m"(*m) : "memory");
    return NULL;
}

int main(void)
{
    static struct memory memory[2];
    pthread_t other[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&other[i], NULL, run, &memory[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(other[i], NULL);
}
