// accesses NUMBER: a random program that accesses memory in many ways, in one thread: variables of every type, at global, local
// to the thread and on the heap, by pointers and indices; structs that are copied, passed and returned; whatever compilers
// make instructions of their own of. The first line is "// c++" for one of C++, the second says what flags it needs.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

static bool cxx;
static unsigned structs;

static const char *const scalars[] = {"signed char", "unsigned char", "short",         "unsigned short", "int",
                                      "unsigned",    "long",          "unsigned long", "float",          "double",
                                      "long double", "__int128",      "_Bool"};
enum { SCALARS = sizeof scalars / sizeof *scalars, VARIABLES = 10, ELEMENTS = 9 };

static unsigned kind[VARIABLES]; // of variable gN and array aN

static void print_struct(unsigned number)
{
    static const char *const members[] = {"char m%u",     "short m%u",           "int m%u",         "long m%u",
                                          "float m%u",    "double m%u",          "long double m%u", "int m%u:5",
                                          "int m%u[3]",   "char m%u[5]",         "long m%u[7]",     "double m%u[2]",
                                          "char m%u[33]", "unsigned long m%u:37"};
    unsigned count = 1 + draw(draw(2) ? 2 : 5);
    printf("struct S%u {\n", number);
    for (unsigned i = 0; i < count; i++) {
        printf("    ");
        printf(members[draw(sizeof members / sizeof *members)], i);
        printf(";\n");
    }
    printf("}%s;\n", draw(6) ? "" : " __attribute__((packed))");
    printf("static struct S%u s%u, t%u[4], *p%u;\n", number, number, number, number);
    printf("NOINLINE static struct S%u make%u(int v)\n{\n    struct S%u r;\n    memset(&r, v, sizeof r);\n    return "
           "r;\n}\n",
           number, number, number);
    printf("NOINLINE static struct S%u same%u(struct S%u s)\n{\n    return s;\n}\n", number, number, number);
    printf("NOINLINE static long take%u(int a, struct S%u s, double b)\n{\n    return a + ((char *)&s)[sizeof s - 1] + "
           "(long)b;\n}\n",
           number, number);
    if (cxx)
        printf("struct C%u {\n    struct S%u s;\n    virtual ~C%u() {}\n    virtual int id() { return %u; }\n};\n"
               "struct D%u : C%u {\n    int id() override { return s%u.m0 ? 1 : 2; }\n};\nstatic C%u *c%u;\n",
               number, number, number, number, number, number, number, number, number);
}

static const char *integer(void)
{
    static char text[64];
    unsigned n = draw(VARIABLES);
    snprintf(text, sizeof text, "%s%u%s", draw(2) ? "g" : "a", n, "");
    if (text[0] == 'a')
        snprintf(text, sizeof text, "a%u[(i + %u) %% %u]", n, draw(9), ELEMENTS);
    return text;
}

static void print_struct_statement(unsigned n)
{
    static const char *const forms[] = {
        "s%u = make%u(i);",
        "t%u[i & 3] = make%u(i + 1);",
        "*p%u = same%u(s%u);",
        "s%u = t%u[(i + 1) & 3];",
        "*p%u = s%u;",
        "x += take%u(i, s%u, 1.0);",
        "x += take%u(i, *p%u, 2.0);",
        "t%u[2] = i & 1 ? make%u(3) : s%u;",
        "{ struct S%u l = *p%u; t%u[1] = l; }",
        "memcpy(&t%u[0], p%u, sizeof s%u);",
        "memset(&t%u[3], i, sizeof s%u);",
        "s%u = (struct S%u){};",
    };
    printf("    ");
    unsigned form = draw(sizeof forms / sizeof *forms);
    if (form == sizeof forms / sizeof *forms - 1 && cxx)
        printf("s%u = S%u();", n, n);
    else
        printf(forms[form], n, n, n, n);
    printf("\n");
    if (cxx && !draw(3))
        printf("    x += c%u->id();\n    c%u->s = make%u(i);\n    *c%u = *c%u;\n", n, n, n, n, n);
}

static void print_statement(void)
{
    char to[64], from[64];
    snprintf(to, sizeof to, "%s", integer());
    snprintf(from, sizeof from, "%s", integer());
    switch (draw(14)) {
    case 0:
        printf("    %s = %s;\n", to, from);
        break;
    case 1:
        printf("    %s += %s;\n", to, from);
        break;
    case 2:
        printf("    if (%s > %s)\n        %s++;\n", to, from, to);
        break;
    case 3:
        printf("    for (int k = 0; k < %u; k++)\n        a%u[k] = a%u[k] + 1;\n", ELEMENTS, draw(VARIABLES),
               draw(VARIABLES));
        break;
    case 4:
        printf("    tl += (int)%s;\n    tl2[i & 3] = %s;\n", from, from);
        break;
    case 5:
        printf("    switch (tl & 7) {\n    case 0: %s = 1; break;\n    case 1: %s = 2; break;\n    case 2: tl++; "
               "break;\n    case 3: x += %s; break;\n"
               "    case 5: %s = x; break;\n    default: x--; }\n",
               to, from, from, to);
        break;
    case 6:
        printf("    heap[i & 7] = %s;\n    x += heap[(i + 3) & 7];\n", from);
        break;
    case 7:
        printf("    vec = vec * %d + vec2;\n    vec2[i & 3] = (int)x;\n", (int)draw(5));
        break;
    case 8:
        printf("    cc = cc * cc + %d;\n    x += (long)__real__ cc;\n", (int)draw(3));
        break;
    case 9:
        printf("    __asm__(\"\" : \"=r\"(word) : \"0\"(x));\n    x += word;\n");
        break;
    case 10:
        printf("    { int v[i + 2]; v[i] = (int)%s; x += use(v, i); }\n", from);
        break;
    case 11:
        printf("    vol = (int)x;\n    x += vol;\n    *pw = (long)%s;\n", from);
        break;
    case 12:
        printf("    x += exempt(&word, i);\n");
        break;
    default:
        print_struct_statement(draw(structs));
    }
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    cxx = !draw(4);
    structs = 2 + draw(3);
    printf("%s\n// flags: %s\n", cxx ? "// c++" : "// c",
           draw_of("", "", "", "-mavx2", "-fPIC", "-march=haswell -ffast-math", "-fno-plt", "-fomit-frame-pointer",
                   "-mno-sse4", "-funroll-loops", "-fno-asynchronous-unwind-tables"));
    printf("#include <stdlib.h>\n#include <string.h>\n#define NOINLINE __attribute__((noinline))\n");
    for (unsigned i = 0; i < structs; i++)
        print_struct(i);
    for (unsigned i = 0; i < VARIABLES; i++) {
        kind[i] = draw(SCALARS - (cxx ? 1 : 0));
        printf("%s%s g%u, a%u[%u];\n", draw(2) ? "static " : "", scalars[kind[i]], i, i, ELEMENTS);
    }
    printf("static __thread int tl, tl2[4];\nstatic long word, *pw = &word, *heap;\nstatic volatile int vol;\n"
           "static _Complex double cc;\ntypedef int four __attribute__((vector_size(16)));\nstatic four vec, vec2;\n"
           "NOINLINE static long use(int *v, int n)\n{\n    return v[n];\n}\n"
           "NOINLINE __attribute__((no_sanitize(\"thread\"))) static long exempt(long *p, int n)\n{\n    *p += n;\n"
           "    return *p + heap[n & 7];\n}\n");
    unsigned parts = 1 + draw(3);
    for (unsigned part = 0; part < parts; part++) {
        printf("NOINLINE static long part%u(int i)\n{\n    long x = i;\n", part);
        for (unsigned n = 4 + draw(12); n; n--)
            print_statement();
        printf("    return x;\n}\n");
    }
    printf("int main(void)\n{\n    long x = 0;\n    heap = (long *)calloc(8, sizeof *heap);\n");
    for (unsigned i = 0; i < structs; i++) {
        printf("    p%u = (struct S%u *)calloc(1, sizeof *p%u);\n", i, i, i);
        if (cxx)
            printf("    c%u = new D%u;\n", i, i);
    }
    printf("    for (int i = 0; i < 3; i++) {\n");
    for (unsigned part = 0; part < parts; part++)
        printf("        x += part%u(i);\n", part);
    printf("    }\n    return x == 12345 ? use(0, 0) : 0;\n}\n");
}
