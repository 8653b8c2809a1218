#include "predict/promela.h"

#include "base/alloc.h"

struct promela {
    FILE *out;
    const struct model *m;
    const struct question *q;
};

static bool is_asked(const struct question *q, uint32_t record)
{
    for (uint32_t i = 0; i < q->wish_count; i++)
        if (q->wishes[i].before == record || q->wishes[i].after == record)
            return true;
    return !q->wish_count && (q->meet[0] == record || q->meet[1] == record);
}

// What has to have happened before the thread's record at this position, as a condition; "true" if nothing.
static void write_needs(const struct promela *p, uint32_t thread, uint32_t position)
{
    fputs("true", p->out);
    for (uint32_t other = 0; other < p->m->r->thread_count; other++) {
        uint32_t needs = order_needs(&p->m->order, thread, position + 1, other);
        if (other != thread && needs > order_needs(&p->m->order, thread, position, other))
            fprintf(p->out, " && done_%u >= %u", other, needs);
    }
}

// The section that begins or ends at this position; null: none.
static const struct section *section_at(const struct section_line *line, uint32_t position, bool begins)
{
    for (uint32_t i = 0; i < line->count; i++)
        if ((begins ? line->sections[i].from : line->sections[i].to) == position)
            return &line->sections[i];
    return NULL;
}

static void write_step(const struct promela *p, uint32_t thread, uint32_t position)
{
    const struct section_line *line = &p->m->sections.lines[thread];
    uint32_t record = p->m->r->threads[thread].records[position];
    const struct section *taken = section_at(line, position, true), *left = section_at(line, position, false);
    fputs("    atomic { (", p->out);
    write_needs(p, thread, position);
    if (taken)
        fprintf(p->out, taken->shared ? " && !held_%u" : " && !held_%u && shared_%u == 0", taken->lock, taken->lock);
    fputs(") ->", p->out);
    if (taken)
        fprintf(p->out, taken->shared ? " shared_%u++;" : " held_%u = true;", taken->lock);
    if (left)
        fprintf(p->out, left->shared ? " shared_%u--;" : " held_%u = false;", left->lock);
    for (uint32_t i = 0; i < p->q->wish_count; i++) {
        if (p->q->wishes[i].before == record)
            fprintf(p->out, " before_%u = true;", i);
        if (p->q->wishes[i].after == record)
            fprintf(p->out, " wish_%u = before_%u;", i, i);
    }
    fprintf(p->out, " done_%u = %u }\n", thread, position + 1);
}

// How many records are done in the model just before this one: those up to the last that the model has.
static uint32_t done_before(const struct promela *p, uint32_t record)
{
    uint32_t thread = p->m->r->records[record].thread, position = p->m->order.position[record];
    uint32_t mark = model_mark_from(&p->m->marks[thread], position);
    return mark ? p->m->marks[thread].at[mark - 1] + 1 : 0;
}

static void write_property(const struct promela *p)
{
    fputs("ltl never_happens { [] !(true", p->out);
    for (uint32_t i = 0; i < p->q->wish_count; i++)
        fprintf(p->out, " && wish_%u", i);
    for (uint32_t i = 0; i < 2 && !p->q->wish_count; i++) {
        uint32_t record = p->q->meet[i], thread = p->q->threads[i];
        fprintf(p->out, " && done_%u == %u && ", thread, done_before(p, record));
        write_needs(p, thread, p->m->order.position[record]);
    }
    fputs(") }\n", p->out);
}

void promela_write(FILE *out, const struct model *m, const struct question *q)
{
    struct promela p = {out, m, q};
    const struct recording *r = m->r;
    for (uint32_t t = 0; t < r->thread_count; t++)
        fprintf(out, "int done_%u;\n", t);
    for (uint32_t i = 0; i < r->object_count; i++)
        fprintf(out, "bool held_%u; byte shared_%u;\n", i, i);
    for (uint32_t i = 0; i < q->wish_count; i++)
        fprintf(out, "bool before_%u, wish_%u;\n", i, i);
    for (uint32_t t = 0; t < r->thread_count; t++) {
        const struct marks *marks = &m->marks[t];
        uint32_t mark = 0;
        fprintf(out, "active proctype thread_%u()\n{\n", t);
        for (uint32_t i = 0; i < r->threads[t].count; i++) {
            bool is_mark = mark < marks->count && marks->at[mark] == i;
            mark += is_mark;
            if (is_mark || is_asked(q, r->threads[t].records[i]))
                write_step(&p, t, i);
        }
        fputs("    skip\n}\n", out);
    }
    write_property(&p);
}
