// expect: verified executions=2 options: --cflags -lm
// Functions of the C library that heddle does not define, but knows: they do what they do, and what they touch is seen. Between
// two steps, where it would have to be taken back.
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static atomic_int turn;

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void scan(void)
{
    int number, end;
    char word[20], bytes[3];
    float ratio;
    long large;
    short small;
    assert(sscanf("7 word 2.5 99999999999 12 xyz!", "%d %19s %f %ld %hd %3c%n", &number, word, &ratio, &large, &small,
                  bytes, &end) == 6);
    assert(number == 7 && !strcmp(word, "word") && ratio == 2.5f && large == 99999999999 && small == 12);
    assert(!memcmp(bytes, "xyz", 3) && end == 29);
    number = 0;
    assert(sscanf("no", "%d", &number) == 0 && number == 0);
    assert(atoi("42x") == 42 && atol(" 7") == 7 && atof("1.5") == 1.5);
}

static void split(void)
{
    char text[] = "a,b,,c", *rest = text;
    int parts = 0;
    while (strsep(&rest, ","))
        parts++;
    assert(parts == 4 && !rest);
}

static void jump(void)
{
    jmp_buf here;
    volatile int jumped = 0;
    if (!setjmp(here)) {
        jumped = 1;
        longjmp(here, 1);
    }
    assert(jumped);
}

static void compute(void)
{
    int exponent;
    double whole;
    assert(frexp(8.0, &exponent) == 0.5 && exponent == 4);
    assert(modf(2.5, &whole) == 0.5 && whole == 2);
    assert(fabs(sin(0.0)) < 1e-9 && isalpha('a') && toupper('b') == 'B');
}

static void search(void)
{
    regex_t expression;
    regmatch_t match[1];
    void *root = NULL;
    assert(!regcomp(&expression, "b+", REG_EXTENDED));
    assert(!regexec(&expression, "abb", 1, match, 0) && match[0].rm_so == 1 && match[0].rm_eo == 3);
    regfree(&expression);
    tsearch("x", &root, compare);
    assert(tfind("x", &root, compare));
    tdelete("x", &root, compare);
    assert(!root);
}

static void print(void)
{
    char text[64];
    wchar_t wide[4];
    snprintf(text, sizeof text, "%s-%.2s-%5d-%-3ld|%g%c%%", "hello", "xyz", 5, 7l, 2.5, 'c');
    assert(!strcmp(text, "hello-xy-    5-7  |2.5c%"));
    wmemcpy(wide, L"abc", 4);
    assert(wcslen(wide) == 3 && !wcscmp(wide, L"abc"));
    assert(gethostname(text, sizeof text) == 0 && sysconf(_SC_PAGESIZE) > 0);
}

static void *work(void *unused)
{
    atomic_fetch_add(&turn, 1);
    scan();
    split();
    jump();
    compute();
    search();
    print();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
