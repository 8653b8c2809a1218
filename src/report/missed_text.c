#include "report/missed_text.h"

#include "report/names.h"

bool missed_is_write(const struct missed *m)
{
    return m->area != MISSED_NOTHING && m->area < MISSED_OBJECT && (m->area != MISSED_STACK || m->pc);
}

static void add_memory(struct names *n, const struct missed *m, struct buffer *out)
{
    Dwarf_Die ignored;
    switch ((enum missed_area)m->area) {
    case MISSED_HEAP:
        if (m->block)
            buffer_add(out, "byte %llu of a block of %u bytes that ", (unsigned long long)(m->address - m->start),
                       m->block);
        else
            buffer_add(out, "the heap of ");
        names_thread(n, m->owner, out);
        buffer_add(out, m->block ? " allocated" : "");
        break;
    case MISSED_STACK:
        buffer_add(out, "the stack of ");
        names_thread(n, m->owner, out);
        break;
    case MISSED_THREAD:
        buffer_add(out, "a thread-local variable of ");
        names_thread(n, m->owner, out);
        break;
    case MISSED_RECORD:
        names_thread(n, m->owner, out);
        break;
    default:
        names_data(n, m->address, 0, 0, out, &ignored);
        break;
    }
}

static void add_writer(struct names *n, const struct missed *m, struct buffer *out)
{
    struct symbols_place place;
    if (!m->pc)
        return;
    buffer_add(out, " by ");
    names_thread(n, m->writer, out);
    if (!symbols_places(n->symbols, m->pc + 1, &place, 1))
        return;
    if (place.file)
        buffer_add(out, " at %s:%d", place.file, place.line);
    if (place.function)
        buffer_add(out, place.file ? " (%s)" : " in %s", place.function);
}

void missed_phrase(const struct job *job, const char *program, struct buffer *out)
{
    const struct missed *m = &job->learnt.missed;
    struct names names;
    names_open(&names, NULL, job);
    names.symbols = symbols_new();
    symbols_add(names.symbols, program, job->answer.base);
    bool kept = m->area == MISSED_OBJECT || m->area == MISSED_RECORD;
    buffer_add(out, missed_is_write(m) ? "the write to " : kept ? "what heddle itself keeps of " : "");
    add_memory(&names, m, out);
    add_writer(&names, m, out);
    names_close(&names);
}
