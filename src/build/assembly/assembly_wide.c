#include "build/assembly/assembly_wide.h"

#include <stddef.h>
#include <string.h>

// Parts of the register's width, where the number of bytes depends on it.
enum { WHOLE = 101, HALF = 102, QUARTER = 104, EIGHTH = 108 };

struct wide_row {
    const char *name; // without the v of AVX
    uint8_t size;
};

static const struct wide_row rows[] = {
    {"movd", 4},
    {"movq", 8},
    {"movss", 4},
    {"movsd", 8},
    {"movlps", 8},
    {"movhps", 8},
    {"movlpd", 8},
    {"movhpd", 8},
    {"movntq", 8},
    {"movntss", 4},
    {"movntsd", 8},
    {"movntdq", WHOLE},
    {"movntdqa", WHOLE},
    {"lddqu", WHOLE},
    {"movdqa", WHOLE},
    {"movdqu", WHOLE},
    {"movdqa32", WHOLE},
    {"movdqa64", WHOLE},
    {"movdqu8", WHOLE},
    {"movdqu16", WHOLE},
    {"movdqu32", WHOLE},
    {"movdqu64", WHOLE},
    {"movshdup", WHOLE},
    {"movsldup", WHOLE},
    {"insertps", 4},
    {"extractps", 4},
    {"pinsrb", 1},
    {"pinsrw", 2},
    {"pinsrd", 4},
    {"pinsrq", 8},
    {"pextrb", 1},
    {"pextrw", 2},
    {"pextrd", 4},
    {"pextrq", 8},
    {"cvtsi2sd", 4},
    {"cvtsi2sdl", 4},
    {"cvtsi2sdq", 8},
    {"cvtsi2ss", 4},
    {"cvtsi2ssl", 4},
    {"cvtsi2ssq", 8},
    {"cvtss2sd", 4},
    {"cvtss2si", 4},
    {"cvtss2sil", 4},
    {"cvtss2siq", 4},
    {"cvttss2si", 4},
    {"cvttss2sil", 4},
    {"cvttss2siq", 4},
    {"cvtsd2ss", 8},
    {"cvtsd2si", 8},
    {"cvtsd2sil", 8},
    {"cvtsd2siq", 8},
    {"cvttsd2si", 8},
    {"cvttsd2sil", 8},
    {"cvttsd2siq", 8},
    {"cvtps2pd", HALF},
    {"cvtdq2pd", HALF},
    {"cvtph2ps", HALF},
    {"cvtps2ph", HALF},
    {"cvtdq2ps", WHOLE},
    {"cvtps2dq", WHOLE},
    {"cvttps2dq", WHOLE},
    {"cvtpd2ps", 16},
    {"cvtpd2psx", 16},
    {"cvtpd2psy", 32},
    {"cvtpd2dqx", 16},
    {"cvtpd2dqy", 32},
    {"cvttpd2dqx", 16},
    {"cvttpd2dqy", 32},
    {"cvtpd2dq", 16},
    {"cvttpd2dq", 16},
    {"broadcastss", 4},
    {"broadcastsd", 8},
    {"broadcastf128", 16},
    {"broadcasti128", 16},
    {"pbroadcastb", 1},
    {"pbroadcastw", 2},
    {"pbroadcastd", 4},
    {"pbroadcastq", 8},
    {"insertf128", 16},
    {"inserti128", 16},
    {"extractf128", 16},
    {"extracti128", 16},
    {"pmovzxbw", HALF},
    {"pmovzxwd", HALF},
    {"pmovzxdq", HALF},
    {"pmovsxbw", HALF},
    {"pmovsxwd", HALF},
    {"pmovsxdq", HALF},
    {"pmovzxbd", QUARTER},
    {"pmovzxwq", QUARTER},
    {"pmovsxbd", QUARTER},
    {"pmovsxwq", QUARTER},
    {"pmovzxbq", EIGHTH},
    {"pmovsxbq", EIGHTH},
    {"mpsadbw", WHOLE},
    {"packssdw", WHOLE},
    {"packsswb", WHOLE},
    {"packusdw", WHOLE},
    {"packuswb", WHOLE},
    {"ldmxcsr", 4},
    {"stmxcsr", 4},
    {"aesenc", WHOLE},
    {"aesenclast", WHOLE},
    {"aesdec", WHOLE},
    {"aesdeclast", WHOLE},
    {"aesimc", WHOLE},
    {"aeskeygenassist", WHOLE},
    {"sha1msg1", WHOLE},
    {"sha1msg2", WHOLE},
    {"sha1nexte", WHOLE},
    {"sha1rnds4", WHOLE},
    {"sha256msg1", WHOLE},
    {"sha256msg2", WHOLE},
    {"sha256rnds2", WHOLE},
};

// x87: a letter after the stem says the size. Integers (fi…) have their own letters.
static const struct wide_row floating[] = {
    {"flds", 4},    {"fldl", 8},   {"fldt", 10},   {"fsts", 4},    {"fstl", 8},    {"fstps", 4},   {"fstpl", 8},
    {"fstpt", 10},  {"filds", 2},  {"fildl", 4},   {"fildll", 8},  {"fildq", 8},   {"fists", 2},   {"fistl", 4},
    {"fistps", 2},  {"fistpl", 4}, {"fistpll", 8}, {"fistpq", 8},  {"fisttps", 2}, {"fisttpl", 4}, {"fisttpll", 8},
    {"fisttpq", 8}, {"fldcw", 2},  {"fnstcw", 2},  {"fstcw", 2},   {"fnstsw", 2},  {"fstsw", 2},   {"fnstenv", 28},
    {"fldenv", 28}, {"fadds", 4},  {"faddl", 8},   {"fmuls", 4},   {"fmull", 8},   {"fsubs", 4},   {"fsubl", 8},
    {"fsubrs", 4},  {"fsubrl", 8}, {"fdivs", 4},   {"fdivl", 8},   {"fdivrs", 4},  {"fdivrl", 8},  {"fcoms", 4},
    {"fcoml", 8},   {"fcomps", 4}, {"fcompl", 8},  {"fiadds", 2},  {"fiaddl", 4},  {"fimuls", 2},  {"fimull", 4},
    {"fisubs", 2},  {"fisubl", 4}, {"fisubrs", 2}, {"fisubrl", 4}, {"fidivs", 2},  {"fidivl", 4},  {"fidivrs", 2},
    {"fidivrl", 4}, {"ficoms", 2}, {"ficoml", 4},  {"ficomps", 2}, {"ficompl", 4},
};

static uint32_t look_up(const struct wide_row *row, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(row[i].name, name))
            return row[i].size;
    return 0;
}

static bool ends(const char *name, const char *end)
{
    size_t length = strlen(name), rest = strlen(end);
    return length > rest && !strcmp(name + length - rest, end);
}

// Registers tell which bytes of it are accessed.
static bool is_masked(const char *name)
{
    return strstr(name, "gather") || strstr(name, "scatter") || strstr(name, "maskmov") || strstr(name, "compress") ||
           strstr(name, "expand");
}

// Arithmetic, comparisons, shuffles: the last letters say what the register holds.
static uint32_t size_by_ending(const char *name)
{
    if (name[0] == 'p')
        return WHOLE;
    if (ends(name, "ss"))
        return 4;
    if (ends(name, "sd"))
        return 8;
    return ends(name, "ps") || ends(name, "pd") ? WHOLE : 0;
}

uint32_t wide_size(const char *name, uint32_t width)
{
    uint32_t size = look_up(floating, sizeof floating / sizeof *floating, name);
    if (size)
        return size;
    const char *stem = name[0] == 'v' ? name + 1 : name;
    if (is_masked(stem))
        return 0;
    size = look_up(rows, sizeof rows / sizeof *rows, stem);
    if (!strcmp(stem, "movddup"))
        return width == 16 ? 8 : width;
    if (!size && width)
        size = size_by_ending(stem);
    return size < WHOLE ? size : width / (size == WHOLE ? 1 : size - 100);
}

bool wide_writes(const char *name)
{
    return !strncmp(name, "fst", 3) || !strncmp(name, "fnst", 4) || !strncmp(name, "fist", 4) ||
           strstr(name, "stmxcsr");
}
