#include "fuzz/real_kin.h"

#include <string.h>

enum { FEWEST = 2, MOST = 4, LONGEST = 5 };

// Threads `from` … `until` - 1 run the code of the first of them.
static void make_kin(struct program *p, uint32_t from, uint32_t until)
{
    for (uint32_t t = from; t < until; t++) {
        p->leader[t] = (uint8_t)(from + 1);
        p->length[t] = p->length[from];
        memcpy(p->code[t], p->code[from], sizeof p->code[t]);
    }
}

// Main joins the thread somewhere in its own code, and not at the end.
static void join_early(struct program *p, uint32_t thread, uint32_t at)
{
    if (p->length[0] + 1 >= MAX_CODE || (at && p->code[0][at - 1].code == DO_SKIP))
        return;
    for (uint32_t i = 0; i < at; i++) // it has to be joined
        if (p->code[0][i].code == DO_END)
            return;
    memmove(&p->code[0][at + 1], &p->code[0][at], (p->length[0] - at) * sizeof p->code[0][0]);
    p->code[0][at] = (struct instr){.code = DO_JOIN, .object = (uint8_t)thread};
    p->length[0]++;
}

// An instruction of the kin's with a value that it stores, or LONGEST if there is none.
static uint32_t storing(const struct program *p, uint32_t leader, uint64_t *state)
{
    uint32_t first = (uint32_t)(splitmix(state) % LONGEST);
    for (uint32_t i = 0; i < LONGEST; i++) {
        uint32_t at = (first + i) % LONGEST;
        if (at < p->length[leader] && p->code[leader][at].code >= DO_STORE && p->code[leader][at].code <= DO_CAS)
            return at;
    }
    return LONGEST;
}

void real_kin_make(struct real_sync *s, uint64_t seed)
{
    uint64_t state = seed ^ 0x1c1c;
    struct program *p = &s->program;
    uint32_t count = FEWEST + (uint32_t)(splitmix(&state) % (MOST - FEWEST + 1));
    uint32_t longest = count == MOST ? 3 : count == 3 ? 4 : LONGEST;
    p->threads = 1 + count;
    for (uint32_t i = 0; i < MAX_CODE; i++) // what each has for itself to release they would have in common
        for (uint32_t t = 0; t < p->threads; t++)
            p->code[t][i].releases = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        if (p->length[t] > longest || !t)
            p->length[t] = t ? longest : p->length[t] < 2 ? p->length[t] : 2;
    uint32_t middle = splitmix(&state) % 3 ? p->threads : 2 + (uint32_t)(splitmix(&state) % (p->threads - 1));
    make_kin(p, 1, middle);
    if (middle < p->threads) {
        if (!p->length[middle])
            p->length[middle] = p->length[1], memcpy(p->code[middle], p->code[1], sizeof p->code[1]);
        make_kin(p, middle, p->threads);
    }
    s->main_is_first = true;
    for (uint32_t t = 0; t < p->threads; t++)
        s->regs[t] = t ? REGS_MACHINE : REGS_SHARED, s->parent[t] = 0;
    s->telling = (enum real_telling)(splitmix(&state) % TELLINGS);
    s->told_at = (uint8_t)storing(p, 1, &state);
    for (uint32_t t = 2; s->telling >= TOLD_BY_NUMBER && s->told_at < LONGEST && t < middle; t++)
        p->code[t][s->told_at].value = (uint8_t)(p->code[1][s->told_at].value + t - 1);
    if (s->told_at == LONGEST && s->telling != TOLD_NOTHING)
        s->telling = UNUSED_NUMBER;
    for (uint32_t t = 1; t < p->threads; t++)
        if (splitmix(&state) % 5 == 0)
            join_early(p, t, (uint32_t)(splitmix(&state) % (p->length[0] + 1)));
}

uint64_t real_kin_weight(const uint8_t *registers)
{
    uint64_t all = registers[0] | (uint64_t)registers[1] << 8 | (uint64_t)registers[2] << 16;
    all = (all + 1) * 0x9e3779b97f4a7c15u;
    all = (all ^ all >> 31) * 0xbf58476d1ce4e5b9u;
    return all ^ all >> 29;
}

void real_kin_print_shared(const struct real_sync *s, uint32_t k, FILE *out)
{
    fprintf(out,
            "static struct item%u { int value, number; } items%u[%u];\n"
            "static uint64_t left%u[%u];\n"
            "static pthread_mutex_t leaving%u = PTHREAD_MUTEX_INITIALIZER;\n"
            "static pthread_t handles%u[%u];\n",
            k, k, s->program.threads, k, s->program.threads, k, k, s->program.threads);
    if (s->telling == TOLD_BY_TLS)
        fprintf(out, "static __thread int own%u;\n", k);
    if (s->telling == TOLD_BY_KEY)
        fprintf(out, "static pthread_key_t key%u;\n", k);
}

// How a thread finds out what to add to the value of the instruction that tells it from others.
void real_kin_print_begin(const struct real_sync *s, uint32_t k, FILE *out)
{
    switch (s->telling) {
    case TOLD_BY_TLS:
        fprintf(out, "    own%u = (int)(long)unused;\n", k);
        break;
    case TOLD_BY_KEY:
        fprintf(out, "    pthread_setspecific(key%u, unused);\n", k);
        break;
    case TOLD_BY_HANDLE: // until all handles are there
        fprintf(out, "    pthread_mutex_lock(&leaving%u); pthread_mutex_unlock(&leaving%u);\n", k, k);
        break;
    default:
        break;
    }
}

const char *real_kin_value(const struct real_sync *s, uint32_t k, uint32_t t, uint32_t at)
{
    static char text[160];
    unsigned v = s->program.code[t][at].value;
    static const char *const more[TELLINGS] = {
        [EQUAL_CONTENT] = "(uint8_t)(%2$u * 0 + ((struct item%1$u *)unused)->value)",
        [TOLD_BY_NUMBER] = "(uint8_t)(%2$u + %1$u * 0 + (long)unused)",
        [TOLD_BY_CONTENT] = "(uint8_t)(%2$u + ((struct item%1$u *)unused)->number)",
        [TOLD_BY_PLACE] = "(uint8_t)(%2$u + ((struct item%1$u *)unused - items%1$u))",
        [TOLD_BY_HANDLE] =
            "(uint8_t)(%2$u + ({ int n = 0; while (!pthread_equal(pthread_self(), handles%1$u[n])) n++; n; }))",
        [TOLD_BY_TLS] = "(uint8_t)(%2$u + own%1$u)",
        [TOLD_BY_KEY] = "(uint8_t)(%2$u + (long)pthread_getspecific(key%1$u))",
    };
    bool tells = t == 1 && at == s->told_at && s->program.leader[1] && more[s->telling];
    if (tells) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, more[s->telling], k, v);
#pragma GCC diagnostic pop
    } else {
        snprintf(text, sizeof text, "%u", v);
    }
    return text;
}

void real_kin_print_create(const struct real_sync *s, uint32_t k, uint32_t t, FILE *out)
{
    uint32_t leader = s->program.leader[t] - 1u, number = leader == 1 ? t - 1 : 0;
    bool pointer = s->telling == EQUAL_CONTENT || s->telling == TOLD_BY_CONTENT || s->telling == TOLD_BY_PLACE;
    bool told = s->told_at < s->program.length[1];
    if (leader == 1)
        fprintf(out, "    items%u[%u].value = %u; items%u[%u].number = %u;\n", k, number,
                told ? s->program.code[1][s->told_at].value : 0, k, number, number);
    fprintf(out, "    pthread_create(&s%u->h[%u], NULL, thread%u_%u, ", k, t, k, leader);
    if (pointer && leader == 1)
        fprintf(out, "&items%u[%u]);\n", k, number);
    else
        fprintf(out, "(void *)%uL);\n", s->telling == TOLD_NOTHING ? 0 : number);
    if (s->telling == TOLD_BY_HANDLE && leader == 1)
        fprintf(out, "    handles%u[%u] = s%u->h[%u];\n", k, number, k, t);
}

void real_kin_print_end(const struct real_sync *s, uint32_t k, uint32_t t, FILE *out)
{
    (void)s;
    fprintf(
        out,
        "    uint64_t all = r[0] | (uint64_t)r[1] << 8 | (uint64_t)r[2] << 16;\n"
        "    all = (all + 1) * 0x9e3779b97f4a7c15u; all = (all ^ all >> 31) * 0xbf58476d1ce4e5b9u; all ^= all >> 29;\n"
        "    pthread_mutex_lock(&leaving%u); left%u[%u] += all; pthread_mutex_unlock(&leaving%u);\n",
        k, k, t, k);
}
