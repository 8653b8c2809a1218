// The interposed string functions do what libc's do, and report exactly the bytes they read and write, each before it
// is touched. Linked with src/target/threads/libc/libc_string.c, which thereby also serves the test itself and cmocka.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/threads/libc/public.h"
#include "target/threads/engine/faults.h"
#include "target/threads/memory/defined.h"

// Not in the headers, or only as inline functions.
void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t), *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
void *__tsan_memcpy(void *, const void *, size_t), *__tsan_memmove(void *, const void *, size_t);
void *__tsan_memset(void *, int, size_t);

// Calls that the compiler can neither work out nor replace.
#define CALL(function) (*(__typeof__(function) *volatile *)&(__typeof__(function) *){function})

#define TEST(name) static void name(void **state __attribute__((unused)))

enum { ROOM = 4 * 4096, ROUNDS = 3000 };

// Two pieces of memory between pages that cannot be touched, and what is recorded of each.
static struct text_piece {
    char *at;
    char before[ROOM], expected[ROOM];
    struct reports {
        byte read[ROOM], written[ROOM];
    } seen, due;
} pieces[2], *const one = pieces, *const two = pieces + 1;

#define FOR_EACH(p) for (struct text_piece *p = one; p <= two; p++)

static bool control;
static size_t elsewhere_read, elsewhere_written;         // bytes reported outside the pieces
static void (*meanwhile)(const void *start, bool write); // what other threads do at a report

// No call fails by choice here.
struct engine engine;

int faults_choose(struct thread *t, enum fault_family family, const char *call, const void *pc)
{
    (void)t, (void)family, (void)call, (void)pc;
    fail();
    return 0;
}

// Nor does anybody look for uses of unwritten memory.
void defined_look_at_text(struct thread *t, uint64_t address, uint64_t size, const void *pc)
{
    (void)t, (void)address, (void)size, (void)pc;
    fail();
}

void defined_look_at_difference(struct thread *t, uint64_t at, uint64_t other, uint64_t rest, const void *pc)
{
    (void)t, (void)at, (void)other, (void)rest, (void)pc;
    fail();
}

void defined_note_copy(uint64_t to, uint64_t from, uint64_t size)
{
    (void)to, (void)from, (void)size;
    fail();
}

bool under_control(void)
{
    return control;
}

static void record(const void *start, size_t size, const void *pc, bool write)
{
    control = false;
    assert_non_null(pc);
    assert_true(size > 0);
    bool found = false;
    FOR_EACH (p) {
        size_t at = (uintptr_t)start - (uintptr_t)p->at;
        if (at >= ROOM)
            continue;
        found = true;
        assert_true(size <= ROOM - at);
        if (write && !meanwhile)
            assert_int_equal(plain_differ(p->at + at, p->before + at, size), size); // not touched yet
        plain_fill((write ? p->seen.written : p->seen.read) + at, 1, size);
    }
    if (!found)
        *(write ? &elsewhere_written : &elsewhere_read) += size;
    if (meanwhile)
        meanwhile(start, write);
    control = true;
}

void access_read(const void *start, size_t size, const void *pc)
{
    record(start, size, pc, false);
}

void access_write(void *start, size_t size, const void *pc)
{
    record(start, size, pc, true);
}

void access_stack(const void *start, size_t size, bool write, const void *stack_end, const void *pc)
{
    (void)start, (void)size, (void)write, (void)stack_end, (void)pc;
}

static int set_up(void **state __attribute__((unused)))
{
    FOR_EACH (p) {
        char *all = mmap(NULL, ROOM + 2 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(all != MAP_FAILED);
        p->at = all + 4096;
        assert_int_equal(mprotect(p->at, ROOM, PROT_READ | PROT_WRITE), 0);
    }
    return 0;
}

static uint64_t random_state = 20260101;

static size_t below(size_t bound) // a random number
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % bound;
}

static size_t some_length(void)
{
    return below(20) ? below(72) : below(ROOM / 4);
}

// Few letters, so that matches and near matches are frequent; some above 127.
static char letter(void)
{
    static const char letters[] = "abABab\xe1\xff";
    return letters[below(sizeof letters - 1)];
}

// Where `size` bytes of a piece may stand: at its very end half of the time.
static char *place(struct text_piece *p, size_t size)
{
    return below(2) ? p->at + ROOM - size : p->at + below(ROOM - size + 1);
}

static char *place_bytes(struct text_piece *p, size_t size)
{
    char *start = place(p, size);
    for (size_t i = 0; i < size; i++)
        start[i] = letter();
    return start;
}

static char *place_text(struct text_piece *p, size_t length)
{
    char *text = place_bytes(p, length + 1);
    text[length] = 0;
    return text;
}

static void due(const void *start, size_t size, bool write)
{
    FOR_EACH (p) {
        size_t at = (uintptr_t)start - (uintptr_t)p->at;
        if (size && at < ROOM)
            plain_fill((write ? p->due.written : p->due.read) + at, 1, size);
    }
}

// From here on `n` bytes at `first` and `m` at `second` are to be read, and `k` at `target` to be written.
static void expect_reports(const void *first, size_t n, const void *second, size_t m, const void *target, size_t k)
{
    FOR_EACH (p) {
        plain_move(p->before, p->at, ROOM);
        plain_fill(&p->seen, 0, sizeof p->seen);
        plain_fill(&p->due, 0, sizeof p->due);
    }
    elsewhere_read = elsewhere_written = 0;
    due(first, n, false);
    due(second, m, false);
    due(target, k, true);
}

static void check_reports(const char *name)
{
    FOR_EACH (p) {
        size_t wrong = plain_differ(&p->seen, &p->due, sizeof p->due);
        if (wrong < sizeof p->due)
            fail_msg("%s: wrong report of a %s in piece %d", name, wrong < ROOM ? "read" : "write", p == two);
        plain_fill(&p->seen, 0, sizeof p->seen);
    }
}

static void check_memory(const char *name)
{
    FOR_EACH (p) {
        if (plain_differ(p->at, p->expected, ROOM) < ROOM)
            fail_msg("%s: wrong memory", name);
        plain_move(p->at, p->before, ROOM);
    }
}

static void expect_memory_as_now(void)
{
    FOR_EACH (p) {
        plain_move(p->expected, p->at, ROOM);
        plain_move(p->at, p->before, ROOM);
    }
}

// The call gives `result` and leaves memory as the reference in `make` does, without control and with it, then with the
// reports that are due; `same` compares x, what the call gave, and y. Memory goes back to what it was.
#define CHECK(make, result, same, function, ...)                                                                       \
    do {                                                                                                               \
        __typeof__(CALL(function)(__VA_ARGS__)) y = result;                                                            \
        make;                                                                                                          \
        expect_memory_as_now();                                                                                        \
        for (int controlled = 0; controlled < 2; controlled++) {                                                       \
            control = controlled;                                                                                      \
            __typeof__(y) x = CALL(function)(__VA_ARGS__);                                                             \
            control = false;                                                                                           \
            if (!(same))                                                                                               \
                fail_msg("%s: wrong result, control %d", #function, controlled);                                       \
            check_memory(#function);                                                                                   \
        }                                                                                                              \
        check_reports(#function);                                                                                      \
    } while (0)

#define CHECK_EQUAL(result, ...) CHECK(, result, x == y, __VA_ARGS__)
#define CHECK_ORDER(result, ...) CHECK(, result, (x > 0) == (y > 0) && (x < 0) == (y < 0), __VA_ARGS__)
#define CHECK_WRITING(make, result, ...) CHECK(make, result, x == y, __VA_ARGS__)

// ---- references ----

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool in(char value, const char *set)
{
    for (; *set; set++)
        if (*set == value)
            return true;
    return false;
}

static void put(char *to, const char *from, size_t size) // memmove
{
    static char between[ROOM];
    for (size_t i = 0; i < size; i++)
        *(volatile char *)(between + i) = from[i];
    for (size_t i = 0; i < size; i++)
        *(volatile char *)(to + i) = between[i];
}

static void put_value(char *to, int value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *(volatile char *)(to + i) = (char)value;
}

// ---- tests ----

TEST(finding_reads_up_to_the_byte_found)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), most = below(2) ? n + below(9) : below(n + 1);
        char *text = place_text(one, n), value = below(8) ? letter() : 0;
        size_t at = 0, last = n + 1;
        while (text[at] != value && at < n)
            at++;
        for (size_t i = 0; i <= n; i++)
            if (text[i] == value)
                last = i;
        bool found = text[at] == value;
        expect_reports(text, n + 1, NULL, 0, NULL, 0);
        CHECK_EQUAL(n, strlen, text);
        CHECK_EQUAL(last <= n ? text + last : NULL, strrchr, text, value);
        CHECK_EQUAL(last <= n ? text + last : NULL, rindex, text, value);
        expect_reports(text, at + 1, NULL, 0, NULL, 0);
        CHECK_EQUAL(found ? text + at : NULL, strchr, text, value);
        CHECK_EQUAL(found ? text + at : NULL, index, text, value + 256);
        CHECK_EQUAL(text + at, strchrnul, text, value);
        CHECK_EQUAL(found ? text + at : NULL, memchr, text, value, n + 1);
        expect_reports(text, smaller(n + 1, most), NULL, 0, NULL, 0);
        CHECK_EQUAL(smaller(n, most), strnlen, text, most);
        expect_reports(last <= n ? text + last : text, last <= n ? n + 1 - last : n + 1, NULL, 0, NULL, 0);
        CHECK_EQUAL(last <= n ? text + last : NULL, memrchr, text, value, n + 1);
        expect_reports(text, smaller(at + 1, smaller(most, n)), NULL, 0, NULL, 0);
        CHECK_EQUAL(at < smaller(most, n) ? text + at : NULL, memchr, text, value, smaller(most, n));
    }
}

TEST(spans_and_searches_read_the_second_text_and_up_to_the_stop)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), m = below(4), inside = 0, outside = 0, at = 0;
        char *text = place_text(one, n), *set = place_text(two, m);
        while (text[inside] && in(text[inside], set))
            inside++;
        while (text[outside] && !in(text[outside], set))
            outside++;
        while (at + m <= n && plain_differ(text + at, set, m) < m)
            at++;
        bool found = at + m <= n;
        expect_reports(set, m + 1, text, inside + 1, NULL, 0);
        CHECK_EQUAL(inside, strspn, text, set);
        expect_reports(set, m + 1, text, outside + 1, NULL, 0);
        CHECK_EQUAL(outside, strcspn, text, set);
        CHECK_EQUAL(text[outside] ? text + outside : NULL, strpbrk, text, set);
        expect_reports(set, m + 1, text, !m ? 0 : found ? at + m : n + 1, NULL, 0);
        CHECK_EQUAL(found ? text + at : NULL, strstr, text, set);
    }
}

static int lower(int value)
{
    return value >= 'A' && value <= 'Z' ? value - 'A' + 'a' : value;
}

TEST(comparing_reads_up_to_the_difference)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), most = below(2) ? n + below(9) : below(n + 1);
        char *a = place_text(one, n), *b = place_text(two, n);
        put(b, a, n + 1);
        if (n && below(4)) // another letter, or an earlier end
            b[below(n)] = below(3) ? letter() : 0;
        size_t at = 0, folded = 0, plain = 0;
        while (a[at] && a[at] == b[at])
            at++;
        while (a[folded] && lower((byte)a[folded]) == lower((byte)b[folded]))
            folded++;
        while (plain <= n && a[plain] == b[plain])
            plain++;
        int order = (byte)a[at] - (byte)b[at], folded_order = lower((byte)a[folded]) - lower((byte)b[folded]);
        expect_reports(a, at + 1, b, at + 1, NULL, 0);
        CHECK_ORDER(order, strcmp, a, b);
        CHECK_ORDER(-order, strcmp, b, a);
        expect_reports(a, smaller(at + 1, most), b, smaller(at + 1, most), NULL, 0);
        CHECK_ORDER(at < most ? order : 0, strncmp, a, b, most);
        expect_reports(a, folded + 1, b, folded + 1, NULL, 0);
        CHECK_ORDER(folded_order, strcasecmp, a, b);
        expect_reports(a, smaller(folded + 1, most), b, smaller(folded + 1, most), NULL, 0);
        CHECK_ORDER(folded < most ? folded_order : 0, strncasecmp, a, b, most);
        expect_reports(a, plain_length(a, SIZE_MAX) + 1, b, plain_length(b, SIZE_MAX) + 1, NULL, 0);
        CHECK_ORDER(order, strcoll, a, b);
        expect_reports(a, smaller(plain + 1, n + 1), b, smaller(plain + 1, n + 1), NULL, 0);
        int bytes_order = plain <= n ? (byte)a[plain] - (byte)b[plain] : 0;
        CHECK_ORDER(bytes_order, memcmp, a, b, n + 1);
        CHECK_EQUAL(bytes_order, bcmp, a, b, n + 1);
        expect_reports(NULL, 0, NULL, 0, NULL, 0);
        CHECK_EQUAL(0, memcmp, a, b, 0);
        CHECK_EQUAL(0, strncmp, a, b, 0);
    }
}

static void *bcopy_to(const void *from, void *to, size_t size) // so that they give a result like the others
{
    CALL(bcopy)(from, to, size);
    return to;
}

static void *bzero_to(void *to, size_t size)
{
    CALL(bzero)(to, size);
    CALL(explicit_bzero)(to, 0);
    CALL(__explicit_bzero_chk)(to, 0, 0);
    return to;
}

TEST(copying_bytes)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), room = n + below(3), near = below(below(4) ? 40 : 1000);
        char *from = place_bytes(one, n), *to = place(two, n), *overlapping = from;
        if (from + n + near <= one->at + ROOM && below(2))
            overlapping += near;
        else if (from - near >= one->at)
            overlapping -= near;
        expect_reports(from, n, NULL, 0, to, n);
        CHECK_WRITING(put(to, from, n), to, memcpy, to, from, n);
        CHECK_WRITING(put(to, from, n), to, memmove, to, from, n);
        CHECK_WRITING(put(to, from, n), to + n, mempcpy, to, from, n);
        CHECK_WRITING(put(to, from, n), to, bcopy_to, from, to, n);
        CHECK_WRITING(put(to, from, n), to, __memcpy_chk, to, from, n, room);
        CHECK_WRITING(put(to, from, n), to + n, __mempcpy_chk, to, from, n, room);
        CHECK_WRITING(put(to, from, n), to, __tsan_memcpy, to, from, n);
        expect_reports(from, n, NULL, 0, overlapping, n);
        CHECK_WRITING(put(overlapping, from, n), overlapping, memmove, overlapping, from, n);
        CHECK_WRITING(put(overlapping, from, n), overlapping, __memmove_chk, overlapping, from, n, room);
        CHECK_WRITING(put(overlapping, from, n), overlapping, __tsan_memmove, overlapping, from, n);
        CHECK_WRITING(put(overlapping, from, n), overlapping, bcopy_to, from, overlapping, n);
        expect_reports(NULL, 0, NULL, 0, to, n);
        int value = letter() + 512;
        CHECK_WRITING(put_value(to, value, n), to, memset, to, value, n);
        CHECK_WRITING(put_value(to, value, n), to, __memset_chk, to, value, n, room);
        CHECK_WRITING(put_value(to, value, n), to, __tsan_memset, to, value, n);
        CHECK_WRITING(put_value(to, 0, n), to, bzero_to, to, n);
    }
}

TEST(copying_text)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), size = below(2) ? n + below(9) : below(n + 1), part = smaller(n, size);
        size_t room = (n > size ? n : size) + 1;
        char *from = place_text(one, n), *to = place(two, n + 1), *padded = place(two, size);
        expect_reports(from, n + 1, NULL, 0, to, n + 1);
        CHECK_WRITING(put(to, from, n + 1), to, strcpy, to, from);
        CHECK_WRITING(put(to, from, n + 1), to + n, stpcpy, to, from);
        CHECK_WRITING(put(to, from, n + 1), to, __strcpy_chk, to, from, room);
        CHECK_WRITING(put(to, from, n + 1), to + n, __stpcpy_chk, to, from, n + 1);
        expect_reports(from, smaller(n + 1, size), NULL, 0, padded, size);
#define PADDED (put_value(padded, 0, size), put(padded, from, part))
        CHECK_WRITING(PADDED, padded, strncpy, padded, from, size);
        CHECK_WRITING(PADDED, padded + part, stpncpy, padded, from, size);
        CHECK_WRITING(PADDED, padded, __strncpy_chk, padded, from, size, size);
        CHECK_WRITING(PADDED, padded + part, __stpncpy_chk, padded, from, size, room);
    }
}

TEST(appending_reads_the_target_up_to_its_end)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), m = below(2) ? some_length() : 0, most = below(2) ? n + below(9) : below(n + 1);
        size_t part = smaller(n, most), room = m + n + 1;
        char *from = place_text(one, n), *to = place(two, room);
        put_value(to, 'x', room);
        to[m] = 0;
        expect_reports(to, m + 1, from, n + 1, to + m, n + 1);
        CHECK_WRITING(put(to + m, from, n + 1), to, strcat, to, from);
        CHECK_WRITING(put(to + m, from, n + 1), to, __strcat_chk, to, from, room);
        expect_reports(to, m + 1, from, smaller(n + 1, most), to + m, part + 1);
#define APPENDED (put(to + m, from, part), put_value(to + m + part, 0, 1))
        CHECK_WRITING(APPENDED, to, strncat, to, from, most);
        CHECK_WRITING(APPENDED, to, __strncat_chk, to, from, most, m + part + 1);
    }
}

static void check_duplicate(const char *name, char *made, const char *text, size_t size, size_t written)
{
    control = false;
    if (plain_differ(made, text, size) < size || made[size] || elsewhere_written != written)
        fail_msg("%s: wrong copy or report of it", name);
    free(made);
}

TEST(duplicates)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), most = below(2) ? n + below(9) : below(n + 1), part = smaller(n, most);
        char *text = place_text(one, n);
        expect_reports(text, n + 1, NULL, 0, NULL, 0);
        check_duplicate("strdup", CALL(strdup)(text), text, n, 0);
        control = true;
        check_duplicate("strdup", CALL(strdup)(text), text, n, n + 1);
        check_reports("strdup");
        expect_reports(text, smaller(n + 1, most), NULL, 0, NULL, 0);
        check_duplicate("strndup", CALL(strndup)(text, most), text, part, 0);
        control = true;
        check_duplicate("strndup", CALL(strndup)(text, most), text, part, part + 1);
        check_reports("strndup");
    }
}

TEST(tokens_report_what_they_cut_and_keep)
{
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = some_length(), m = below(4);
        char *text = place_text(one, n), *set = place_text(two, m), *rest = NULL, *from = text;
        for (bool first = true;; first = false) {
            char *found = from, *end, *next;
            while (*found && in(*found, set))
                found++;
            for (end = found; *end && !in(*end, set);)
                end++;
            bool any = end > found;
            next = *end ? end + 1 : end;
            expect_reports(set, m + 1, from, (size_t)(end - from) + 1, end, *end != 0);
            control = true;
            char *got = CALL(strtok_r)(first ? text : NULL, set, &rest);
            control = false;
            check_reports("strtok_r");
            assert_ptr_equal(got, any ? found : NULL);
            assert_ptr_equal(rest, next);
            assert_int_equal(*end, 0);
            assert_int_equal(elsewhere_read, first ? 0 : sizeof rest);
            assert_int_equal(elsewhere_written, sizeof rest);
            if (!any)
                break;
            from = next;
        }
    }
    char text[] = ",a,,bc,";
    assert_string_equal(CALL(strtok)(text, ","), "a");
    assert_string_equal(CALL(strtok)(NULL, ","), "bc");
    assert_null(CALL(strtok)(NULL, ","));
}

// ---- another thread runs at a report ----

static char *source, *target;
static struct {
    char **at_access; // to the start of it
    bool write;
    size_t place; // in source
    char value;
} other;

static void run_other(const void *start, bool write)
{
    if (start == *other.at_access && write == other.write)
        source[other.place] = other.value;
}

static void restart(char **at_access, bool write, size_t changed, char value)
{
    source = one->at + 100;
    target = two->at + 200;
    plain_move(source, "abc\0efg", 8);
    plain_move(target, "abc\0...", 8);
    other = (__typeof__(other)){at_access, write, changed, value};
    meanwhile = run_other;
    expect_reports(NULL, 0, NULL, 0, NULL, 0);
}

// The call, during which a byte of `source` changes at the report of an access.
#define DURING(at_access, write, changed, value, call)                                                                 \
    (restart(at_access, write, changed, value), control = true, (call), control = false, meanwhile = NULL)

TEST(a_byte_counts_as_it_is_right_after_its_report)
{
    size_t n;
    int order;
    DURING(&source, false, 2, 'X', CALL(memcpy)(target, source, 8));
    assert_memory_equal(target, "abX\0efg", 8);
    DURING(&target, true, 2, 'X', CALL(memcpy)(target, source, 8));
    assert_memory_equal(target, "abc\0efg", 8);
    DURING(&target, true, 2, 'X', CALL(strcpy)(target, source));
    assert_string_equal(target, "abc");
    DURING(&target, false, 2, 'X', order = CALL(memcmp)(source, target, 8));
    assert_true(order > 0); // by what follows
    DURING(&source, false, 2, 'X', order = CALL(memcmp)(source, target, 4));
    assert_true(order < 0);

    DURING(&source, false, 3, 'd', n = CALL(strlen)(source)); // what comes to light is reported as well
    assert_int_equal(n, 7);
    due(source, 8, false);
    check_reports("strlen");
    DURING(&source, false, 1, 0, n = CALL(strlen)(source));
    assert_int_equal(n, 1);
    DURING(&source, false, 3, 'd', CALL(strcpy)(target, source));
    assert_string_equal(target, "abcdefg");
    due(source, 8, false);
    due(target, 8, true);
    check_reports("strcpy");
    DURING(&source, false, 1, 0, CALL(strcpy)(target, source));
    assert_memory_equal(target, "a\0c\0...", 8);
    due(source, 4, false);
    due(target, 2, true);
    check_reports("strcpy");
    DURING(&source, false, 3, 'd', n = (size_t)(CALL(strstr)(source, "fg") - source));
    assert_int_equal(n, 5);
}

// ---- too small a target ----

static int signal_that_ended(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#define STOPS(call)                                                                                                    \
    do {                                                                                                               \
        pid_t child = fork();                                                                                          \
        if (!child)                                                                                                    \
            close(STDERR_FILENO), (call), _exit(0);                                                                    \
        assert_int_equal(signal_that_ended(child), SIGABRT);                                                           \
    } while (0)

TEST(fortified_functions_stop_at_an_overflow)
{
    char *to = two->at, *from = one->at;
    plain_move(to, "1234", 5);
    STOPS(CALL(__memcpy_chk)(to, from, 9, 8));
    STOPS(CALL(__memmove_chk)(to, from, 9, 8));
    STOPS(CALL(__mempcpy_chk)(to, from, 9, 8));
    STOPS(CALL(__memset_chk)(to, 0, 9, 8));
    STOPS(CALL(__explicit_bzero_chk)(to, 9, 8));
    STOPS(CALL(__strcpy_chk)(to, "12345678", 8));
    STOPS(CALL(__stpcpy_chk)(to, "12345678", 8));
    STOPS(CALL(__strncpy_chk)(to, "1", 9, 8));
    STOPS(CALL(__stpncpy_chk)(to, "1", 9, 8));
    STOPS(CALL(__strcat_chk)(to, "5678", 8));
    STOPS(CALL(__strncat_chk)(to, "56789", 4, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding_reads_up_to_the_byte_found),
        cmocka_unit_test(spans_and_searches_read_the_second_text_and_up_to_the_stop),
        cmocka_unit_test(comparing_reads_up_to_the_difference),
        cmocka_unit_test(copying_bytes),
        cmocka_unit_test(copying_text),
        cmocka_unit_test(appending_reads_the_target_up_to_its_end),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(tokens_report_what_they_cut_and_keep),
        cmocka_unit_test(a_byte_counts_as_it_is_right_after_its_report),
        cmocka_unit_test(fortified_functions_stop_at_an_overflow),
    };
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); // some tests end in an abort
    return cmocka_run_group_tests(tests, set_up, NULL);
}
