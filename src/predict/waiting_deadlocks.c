// Deadlocks of a thread that waits for another one, and holds a lock that this one takes first.
//
// A join waits for the thread's end, a barrier for all who come, a wait on a condition variable for the signal that ended it, and a semaphore
// for the post whose token was taken. In the recorded run the other thread had taken the lock before. If it can still be in front of
// it when the first thread has the lock and is about to wait, neither goes on. Others may signal or post: so of these two only the run
// can tell.
#include "predict/prediction_hunt.h"

enum { LOCKS_BACK = 64 }; // sections of the other thread that are looked at, the latest before what is waited for first

// Where the thread stands that is about to wait, and what of it says for whom.
struct waiting {
    uint32_t stands, learns; // records
    bool sure;               // nobody else can end it
};

static bool is_waiting(const struct hunt *h, uint32_t record, struct waiting *w)
{
    const struct record *e = &h->r->records[record];
    uint32_t before = h->m.order.position[record] - 1; // a thread's first record is none of these
    *w = (struct waiting){record, record, true};
    switch (e->kind) {
    case RECORD_JOIN:
        return true;
    case RECORD_BARRIER_LEAVE:
        w->stands = h->r->threads[e->thread].records[before];
        return h->r->records[w->stands].kind == RECORD_BARRIER_ENTER;
    case RECORD_WAIT_END:
        w->stands = h->r->threads[e->thread].records[before];
        w->sure = false;
        return h->r->records[w->stands].kind == RECORD_WAIT_BEGIN && !(h->r->records[w->stands].flags & RECORD_TRIED);
    case RECORD_TAKE:
        w->sure = false;
        return !(e->flags & (RECORD_FAILED | RECORD_TRIED));
    default:
        return false;
    }
}

// Whether the two can be there at the same time.
static bool ask(struct hunt *h, const struct waiting *w, uint32_t lock)
{
    struct prediction p = {.kind = PREDICT_DEADLOCK,
                           .records = {w->stands, lock},
                           .record_count = 2,
                           .lock = NOT_RECORDED,
                           .forgets = true,
                           .weak = !w->sure};
    uint32_t signature = hunt_signature(h, &p);
    struct order_forgotten f;
    if (!hunt_is_open(h, signature))
        return hunt_is_found(h, signature);
    order_forget(&h->m.order, w->learns, &f);
    bool found = hunt_ask(h, &p, signature);
    order_recall(&h->m.order, &f);
    return found;
}

// The other thread's sections of this lock that begin between what the first one has seen of it and what it waits for.
static void try_lock_of(struct hunt *h, const struct waiting *w, const struct section *held, uint32_t other,
                        uint32_t seen, uint32_t needs)
{
    const struct section_line *line = &h->m.sections.lines[other];
    uint32_t low = 0, high = line->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (line->sections[middle].from < needs)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t i = low, tried = 0; i-- > 0 && tried < LOCKS_BACK && line->sections[i].from >= seen; tried++) {
        uint32_t lock = h->r->threads[other].records[line->sections[i].from];
        bool tries = h->r->records[lock].flags & RECORD_TRIED;
        if (!tries && sections_exclude(&line->sections[i], held) && ask(h, w, lock))
            return;
    }
}

static void try_waiting(struct hunt *h, const struct waiting *w)
{
    const struct order *o = &h->m.order;
    uint32_t thread = h->r->records[w->learns].thread, stands = o->position[w->stands], learns = o->position[w->learns];
    const struct section_line *line = &h->m.sections.lines[thread];
    // A wait lets its mutex go: what it still holds then counts.
    uint32_t node = sections_held(&h->m.sections, thread, learns);
    if (node == NOT_RECORDED || hunt_is_worn(h, PREDICT_DEADLOCK, w->stands, w->learns, thread))
        return;
    for (uint32_t other = 0; other < h->r->thread_count; other++) {
        uint32_t seen = order_needs(o, thread, stands, other), needs = order_needs(o, thread, learns + 1, other);
        for (uint32_t n = node; other != thread && seen < needs && n != NOT_RECORDED; n = line->held[n].below)
            try_lock_of(h, w, &line->sections[line->held[n].section], other, seen, needs);
    }
}

void hunt_waiting_deadlocks(struct hunt *h)
{
    for (uint32_t i = 0; i < h->r->count; i++) {
        struct waiting w;
        if (h->m.order.position[i] && is_waiting(h, i, &w))
            try_waiting(h, &w);
    }
}
