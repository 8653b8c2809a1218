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

// A kind of member: how it is declared, how all of it gets the value v, and a part of it. %u stands for its number, O for the
// object.
struct kind {
    const char *declaration, *set, *part;
};

#define PLAIN(declaration)                                                                                             \
    {                                                                                                                  \
        declaration, "O.m%u = v;", "O.m%u"                                                                             \
    }
#define ARRAY(declaration)                                                                                             \
    {                                                                                                                  \
        declaration, "for (int i = 0; i < (int)(sizeof O.m%u / sizeof O.m%u[0]); i++) O.m%u[i] = v;",                  \
            "O.m%u[sizeof O.m%u / sizeof O.m%u[0] - 1]"                                                                \
    }

static const struct kind kinds[] = {
    PLAIN("char m%u"),
    PLAIN("char m%u"),
    PLAIN("short m%u"),
    PLAIN("int m%u"),
    PLAIN("long m%u"),
    PLAIN("float m%u"),
    PLAIN("double m%u"),
    PLAIN("long double m%u"),
    PLAIN("__int128 m%u"),
    PLAIN("int m%u:3"),
    PLAIN("unsigned m%u:9"),
    PLAIN("unsigned long m%u:41"),
    ARRAY("char m%u[3]"),
    ARRAY("unsigned char m%u[17]"),
    ARRAY("int m%u[2]"),
    ARRAY("long m%u[6]"),
    ARRAY("long m%u[20]"),
    ARRAY("float m%u[2]"),
    ARRAY("double m%u[3]"),
    ARRAY("long double m%u[2]"),
    ARRAY("lanes m%u"),
    {"lanes m%u[2]", "for (int i = 0; i < 4; i++) O.m%u[0][i] = O.m%u[1][i] = v;", "O.m%u[1][3]"},
    {"struct { char a; union { float f; int i; } u; } m%u", "O.m%u.a = O.m%u.u.i = v;", "O.m%u.u.i"},
    {"struct { double a; short b[3]; } m%u", "O.m%u.a = O.m%u.b[0] = O.m%u.b[1] = O.m%u.b[2] = v;", "O.m%u.b[2]"},
    {"void *m%u", "O.m%u = (void *)(long)v;", "O.m%u"},
    PLAIN("_Bool m%u"), // from here on not in C++
    PLAIN("enum { A%u } m%u"),
    {"_Complex float m%u", "O.m%u = v + v * 1.0fi;", "__imag__ O.m%u"},
    {"_Complex double m%u", "O.m%u = v + v * 1.0i;", "__imag__ O.m%u"},
    {"_Complex long double m%u", "O.m%u = v + v * 1.0i;", "__imag__ O.m%u"},
};

enum { KINDS = sizeof kinds / sizeof *kinds, KINDS_OF_C = 5 };

static bool cxx, packed, classy;
static unsigned members;
static const struct kind *member[MEMBERS];
static const char *exempt; // attribute of functions that are not to be instrumented, or nothing

static void draw_type(void)
{
    members = 1 + draw(draw(3) ? 3 : MEMBERS);
    for (unsigned i = 0; i < members; i++)
        member[i] = &kinds[draw(cxx ? KINDS - KINDS_OF_C : KINDS)];
    packed = !draw(8);
    classy = cxx && !draw(3);
}

// Prints what belongs to the member, of this object.
static void print_of(const char *text, unsigned number, const char *of)
{
    for (; *text; text++)
        if (*text == 'O')
            printf("%s", of);
        else if (text[0] == '%' && text[1] == 'u')
            printf("%u", number), text++;
        else
            putchar(*text);
}

static void print_set(const char *of)
{
    for (unsigned i = 0; i < members; i++) {
        printf("    ");
        print_of(member[i]->set, i, of);
        printf("\n");
    }
}

static void print_sum(const char *of)
{
    for (unsigned i = 0; i < members; i++) {
        printf(" + (long)");
        print_of(member[i]->part, i, of);
    }
}

static bool is_array(unsigned i)
{
    const char *declaration = member[i]->declaration;
    return declaration[strlen(declaration) - 1] == ']';
}

static void print_type(void)
{
    printf("typedef float lanes __attribute__((vector_size(16)));\nstruct S {\n");
    for (unsigned i = 0; i < members; i++) {
        printf("    ");
        print_of(member[i]->declaration, i, "");
        printf(";\n");
    }
    if (classy) {
        printf("    S() { __builtin_memset((void *)this, 0, sizeof *this); }\n    ~S() { gone++; }\n    static "
               "thread_local int gone;\n");
        printf("    S(const S &o) {\n");
        for (unsigned i = 0; i < members; i++)
            print_of(is_array(i) ? "        for (int i = 0; i < (int)(sizeof m%u / sizeof m%u[0]); i++) m%u[i] = "
                                   "o.m%u[i];\n"
                                 : "        m%u = o.m%u;\n",
                     i, "");
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
    "*(one ? &%s : shared) = make(1);",
    "memcpy(&%s, pick(make(1)), sizeof(struct S));",
    "struct S t = make(1); __builtin_memcpy(&%s, &t, sizeof t);",
    "struct S t[2] = {make(2), make(1)}; %s = t[one];",
    "%s = nested(1).s;",
    "fill(make(1), &%s);",
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
    "seen = many(1, 2, 3, 4, 5, 6, %s, 7.0);",
    "seen = (one ? take : (long (*)(struct S))0)(%s);",
    "struct N t = {5, %s, 6}; seen = take(t.s);",
    "struct S t; memcpy(&t, &%s, sizeof t); seen = sum(&t);",
    "struct S t = *pick(%s); seen = take(t);",
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
    printf("struct N { char before; struct S s; char after; };\n");
    printf("%s struct N nested(int v)\n{\n    struct N n = {1, make(v), 2};\n    return n;\n}\n", no_inline);
    printf("%s void fill(struct S s, struct S *p)\n{\n    *p = s;\n}\n", no_inline);
    printf(
        "%s long many(long a, long b, long c, long d, long e, long f, struct S s, double g)\n{\n    return a + b + c "
        "+ d + e + f + (long)g - 28",
        no_inline);
    print_sum("s");
    printf(";\n}\n");
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
    printf(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdarg.h>\n#include <stdlib.h>\n#include <string.h>\n");
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
           "(void)one;\n    (void)nested;\n    (void)fill;\n    (void)many;\n");
    if (mode > 1)
        printf("    assert(!(order == %u && (seen != 0) == %d));\n", order[0] * 9 + order[1] * 3 + order[2], sees_new);
    printf("    return 0;\n}\n");
}
