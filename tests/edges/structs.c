// Structs that are returned, passed by value and copied, of every class that the calling convention knows, in functions with
// and without instrumentation: compilers leave out hooks there. One thread writes a shared struct, another reads it.
//
// Without a common lock that is a race. With one, heddle has to verify it; or the program asserts that of one order of three
// threads the reader does not see what it does see, or what it does not: a write that going back does not know of makes that
// answer wrong.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { MEMBERS = 8 };

static bool cxx, packed, classy;
static unsigned members;
static const char *member[MEMBERS]; // a declaration with %u for its number
static const char *exempt;          // attribute of functions that are not to be instrumented, or nothing

static void draw_type(void)
{
    static const char *const kinds[] = {
        "char m%u",  "short m%u",      "int m%u",      "long m%u",     "float m%u",     "double m%u",
        "int m%u:3", "char m%u[3]",    "int m%u[2]",   "long m%u[6]",  "double m%u[3]", "long double m%u",
        "char m%u",  "unsigned m%u:9", "long m%u[20]", "float m%u[2]", "__int128 m%u",  "unsigned char m%u[17]",
    };
    members = 1 + draw(draw(3) ? 3 : MEMBERS);
    for (unsigned i = 0; i < members; i++)
        member[i] = kinds[draw(sizeof kinds / sizeof *kinds)];
    packed = !draw(8);
    classy = cxx && !draw(3);
}

static bool is_array(unsigned i)
{
    return strchr(member[i], '[') != NULL;
}

// Every member, or its last element, to the value.
static void print_set(const char *object)
{
    for (unsigned i = 0; i < members; i++) {
        if (is_array(i))
            printf("    for (int i = 0; i < (int)(sizeof %s.m%u / sizeof *%s.m%u); i++) %s.m%u[i] = v;\n", object, i,
                   object, i, object, i);
        else
            printf("    %s.m%u = v;\n", object, i);
    }
}

static void print_sum(const char *object)
{
    for (unsigned i = 0; i < members; i++)
        if (is_array(i))
            printf(" + (long)%s.m%u[sizeof %s.m%u / sizeof *%s.m%u - 1]", object, i, object, i, object, i);
        else
            printf(" + (long)%s.m%u", object, i);
}

static void print_type(void)
{
    printf("struct S {\n");
    for (unsigned i = 0; i < members; i++) {
        printf("    ");
        printf(member[i], i);
        printf(";\n");
    }
    if (classy) {
        printf("    S() { __builtin_memset((void *)this, 0, sizeof *this); }\n    ~S() { gone++; }\n    static "
               "thread_local int gone;\n");
        printf("    S(const S &o) {\n");
        for (unsigned i = 0; i < members; i++)
            if (is_array(i))
                printf("        for (int i = 0; i < (int)(sizeof m%u / sizeof *m%u); i++) m%u[i] = o.m%u[i];\n", i, i,
                       i, i);
            else
                printf("        m%u = o.m%u;\n", i, i);
        printf("    }\n    S &operator=(const S &o) = default;\n");
    }
    printf("}%s;\n", packed ? " __attribute__((packed))" : "");
    if (classy)
        printf("thread_local int S::gone;\n");
}

// Ways to write the struct that `p` points to; to read it. Each is a statement; %s stands for the object.
static const char *const writes[] = {
    "%s = make(1);",
    "%s = make(1);",
    "%s = again(1);",
    "%s = maker(1);",
    "%s = one ? make(1) : make(2);",
    "struct S t = make(1); %s = t;",
    "put(&%s, 1);",
    "%s = same(make(1));",
    "%s = *pick(make(1));",
};

static const char *const reads[] = {
    "seen = take(%s);",
    "seen = take(%s);",
    "seen = take_more(1, 2.0, %s, 3);",
    "seen = sum(&%s);",
    "seen = take(same(%s));",
    "struct S t = same(%s); seen = sum(&t);",
    "struct S t = %s; seen = take(t);",
    "seen = take_any(1, %s);",
};

static void print_functions(void)
{
    const char *no_inline = "__attribute__((noinline)) static";
    printf("%s %s struct S make(int v)\n{\n    struct S r;\n", no_inline, draw(4) ? "" : exempt);
    print_set("r");
    printf("    return r;\n}\n");
    printf("%s struct S again(int v)\n{\n    return make(v);\n}\n", no_inline);
    printf("%s struct S same(struct S s)\n{\n    return s;\n}\n", no_inline);
    printf("static struct S (*volatile pointer)(int) = make;\n#define maker(v) ((struct S(*)(int))pointer)(v)\n");
    printf("%s %s void put(struct S *p, int v)\n{\n", no_inline, exempt);
    print_set("(*p)");
    printf("}\n%s long sum(const struct S *p)\n{\n    return 0", no_inline);
    print_sum("(*p)");
    printf(";\n}\n%s long take(struct S s)\n{\n    return 0", no_inline);
    print_sum("s");
    printf(";\n}\n%s long take_more(int a, double b, struct S s, int c)\n{\n    return a - a + (long)b - 2 + c - 3",
           no_inline);
    print_sum("s");
    printf(";\n}\nstatic __thread struct S *kept;\n");
    printf("%s struct S *pick(struct S s)\n{\n    *kept = s;\n    return kept;\n}\n", no_inline);
    if (classy) {
        printf("#define take_any(n, s) take(s)\n");
        return;
    }
    printf("%s long take_any(int n, ...)\n{\n    va_list list;\n    va_start(list, n);\n", no_inline);
    printf("    struct S s = va_arg(list, struct S);\n    va_end(list);\n    return 0");
    print_sum("s");
    printf(";\n}\n");
}

static const char *object;

static void print_body(const char *statement, bool locked, unsigned number)
{
    if (locked)
        printf("    pthread_mutex_lock(&m);\n    order = order * 3 + %u;\n", number);
    printf("    { ");
    printf(statement, object);
    printf(" }\n");
    if (locked)
        printf("    pthread_mutex_unlock(&m);\n");
}

// Orders of the threads 0, 1, 2 as digits of base three.
static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    cxx = !draw(4);
    exempt = draw_of("__attribute__((no_sanitize_thread))", "__attribute__((no_sanitize(\"thread\")))", "",
                     "__attribute__((__no_sanitize_thread__))");
    draw_type();
    const char *write = writes[draw(sizeof writes / sizeof *writes)], *read = reads[draw(sizeof reads / sizeof *reads)];
    unsigned mode = draw(4); // 0: race, 1: locked, else: an order
    bool both_write = mode < 2 && !draw(4);
    const unsigned *order = orders[draw(6)];
    unsigned first = order[0] == 0 || (order[1] == 0 && order[2] == 1) ? 1 : 0; // the writer comes before the reader
    bool sees_new = draw(2), fails = sees_new == (first == 1);
    bool local = !draw(3);
    object = local ? "(*shared)" : draw_of("object", "objects[2]", "outer.inner", "(*shared)");
    bool by_main = draw(2); // main is the writer
    printf("// expect: %s%s\n",
           mode == 0             ? "bug race"
           : mode == 1 || !fails ? "verified"
                                 : "bug assertion",
           cxx ? " c++" : "");
    printf("#include <assert.h>\n#include <pthread.h>\n#include <stdarg.h>\n#include <stdlib.h>\n");
    print_type();
    printf("static struct S object, objects[4], *shared;\nstatic struct { char before; struct S inner; } outer;\n");
    printf("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int order, one = 1;\n");
    print_functions();
    printf("static void *writer(void *unused)\n{\n    struct S mine = {};\n    kept = &mine;\n");
    print_body(write, mode, 0);
    printf("    return unused;\n}\n");
    printf("long seen;\nstatic void *reader(void *unused)\n{\n    struct S mine = {};\n    kept = &mine;\n");
    print_body(both_write ? "struct S t = make(2); %s = t;" : read, mode, 1);
    printf("    return unused;\n}\nstatic void *other(void *unused)\n{\n");
    print_body("(void)%s;", mode, 2);
    printf("    return unused;\n}\n");
    printf("int main(void)\n{\n    pthread_t t, u, w;\n    struct S of_main = {}, mine = {};\n    kept = &mine;\n");
    printf("    shared = %s;\n    put(shared, 0);\n    put(&object, 0);\n    put(&objects[2], 0);\n    "
           "put(&outer.inner, 0);\n",
           local ? "&of_main" : "(struct S *)calloc(1, sizeof(struct S))");
    printf("    order = 0;\n");
    if (!by_main)
        printf("    pthread_create(&t, 0, writer, 0);\n");
    printf("    pthread_create(&u, 0, reader, 0);\n");
    if (mode)
        printf("    pthread_create(&w, 0, other, 0);\n");
    if (by_main) {
        const char *before = object;
        object = local ? "of_main" : object;
        print_body(write, mode, 0);
        object = before;
        printf("    (void)t;\n");
    } else {
        printf("    pthread_join(t, 0);\n");
    }
    printf("    pthread_join(u, 0);\n%s", mode ? "    pthread_join(w, 0);\n" : "    (void)w;\n    (void)other;\n");
    printf("    (void)writer;\n");
    printf("    (void)take_more;\n    (void)again;\n    (void)same;\n    (void)pick;\n    (void)pointer;\n    "
           "(void)one;\n");
    if (mode > 1)
        printf("    assert(!(order == %u && (seen != 0) == %d));\n", order[0] * 9 + order[1] * 3 + order[2], sees_new);
    printf("    return 0;\n}\n");
}
