#include "requests/request_predict.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"

const struct effect *request_effect(const struct request_predictions *p, uint32_t record)
{
    return &p->meaning.effects[p->recording.effect_of[record]];
}

static bool is_key(const struct prediction *one, uint32_t record)
{
    for (uint32_t i = 0; i < one->record_count; i++)
        if (one->records[i] == record)
            return true;
    return false;
}

// Whether both accesses of the region are one request: nothing can come in between.
static bool is_one_request(const struct request_predictions *p, const struct prediction *one)
{
    uint32_t last = one->records[one->record_count - 1];
    return request_effect(p, one->records[0])->request == request_effect(p, last)->request;
}

// A number for the group.
static uint32_t group_of(const struct request_predictions *p, const struct prediction *one, struct table *groups)
{
    struct buffer key = {0};
    buffer_add(&key, "%d %s", (int)one->kind, one->pattern);
    for (uint32_t i = 0; i < one->record_count; i++) {
        const struct effect *e = request_effect(p, one->records[i]);
        buffer_add(&key, " %s %u", request_verb(&p->meaning.log->requests[e->request]), e->resource);
    }
    uint32_t number = table_add_text(groups, key.text, NULL);
    buffer_free(&key);
    return number;
}

// Takes out what cannot be, and those of a group that are too many.
static void thin_out(struct request_predictions *p)
{
    struct predictions *found = &p->hunt.found;
    struct table groups = {0};
    uint32_t kept = 0, *sizes = alloc_zeroed(found->count + 1, sizeof *sizes);
    for (uint32_t i = 0; i < found->count; i++) {
        struct request_order order = {0};
        struct prediction *one = &found->list[i];
        bool good = !is_one_request(p, one) && request_predicted_order(p, one, false, &order);
        free(order.list);
        one->number = good ? group_of(p, one, &groups) : 0;
        if (good && ++sizes[one->number] <= MOST_ALIKE)
            found->list[kept++] = *one;
        else
            reordering_free(&one->order);
    }
    found->count = kept;
    p->alike = sizes;
    table_free(&groups);
}

static void resent_free(struct resent *r)
{
    for (uint32_t k = 0; k < r->count; k++)
        free(r->sent[k].body);
    free(r->sent);
    free(r->reason);
}

// The worse the larger.
static int badness(const struct request_predictions *p, uint32_t i)
{
    static const int by_confirmation[] = {[UNCONFIRMED] = 0, [INFEASIBLE] = 1, [CONFIRMED] = 2, [UNKNOWN] = 3};
    const struct resent *r = p->resent ? &p->resent[i] : NULL;
    return !r ? 0 : r->harmful ? 4 : by_confirmation[r->confirmed];
}

// For each group the worst, the first of those that are equally bad.
static uint32_t *worst_of_groups(const struct request_predictions *p)
{
    uint32_t count = p->hunt.found.count, *worst = alloc_array(count + 1, sizeof *worst);
    for (uint32_t i = 0; i < count; i++)
        worst[i] = NOT_RECORDED;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *one = &worst[p->hunt.found.list[i].number];
        if (*one == NOT_RECORDED || badness(p, i) > badness(p, *one))
            *one = i;
    }
    return worst;
}

void request_predictions_choose(struct request_predictions *p)
{
    struct predictions *found = &p->hunt.found;
    uint32_t kept = 0, *worst = worst_of_groups(p), *sizes = alloc_zeroed(found->count + 1, sizeof *sizes);
    for (uint32_t i = 0; i < found->count; i++) {
        if (worst[found->list[i].number] != i) {
            reordering_free(&found->list[i].order);
            if (p->resent)
                resent_free(&p->resent[i]);
            continue;
        }
        sizes[kept] = p->alike[found->list[i].number];
        if (p->resent)
            p->resent[kept] = p->resent[i];
        found->list[kept++] = found->list[i];
    }
    found->count = kept;
    free(worst);
    free(p->alike);
    p->alike = sizes;
}

bool request_predict(struct request_predictions *p, const struct request_log *log, const struct request_rules *rules,
                     uint64_t support)
{
    *p = (struct request_predictions){0};
    meaning_make(&p->meaning, log, rules);
    if (p->meaning.clients.count > MOST_CLIENTS) {
        meaning_free(&p->meaning);
        return false;
    }
    request_recording_make(&p->recording, &p->meaning);
    const struct recording *recordings[] = {p->recording.r};
    const struct predict_options options = {.kinds = 1u << PREDICT_ONE_VARIABLE | 1u << PREDICT_TWO_VARIABLES,
                                            .bounds = 1u << BOUND_SECTION | 1u << BOUND_DECLARED,
                                            .support = support};
    predict_run(recordings, 1, &options, &p->hunt, &p->correlations);
    thin_out(p);
    return true;
}

void request_predictions_free(struct request_predictions *p)
{
    for (uint32_t i = 0; p->resent && i < p->hunt.found.count; i++)
        resent_free(&p->resent[i]);
    free(p->alike);
    free(p->resent);
    correlate_free(&p->correlations);
    hunt_end(&p->hunt);
    request_recording_free(&p->recording);
    meaning_free(&p->meaning);
}

// Whether a record belongs to what the prediction's two clients do in the regions that it is about, or to a lock that they hold there.
static bool is_near(const struct request_predictions *p, const struct prediction *one, uint32_t record)
{
    const struct effect *e = request_effect(p, record);
    if (is_key(one, record))
        return true;
    for (uint32_t i = 0; i < one->record_count; i++) {
        const struct effect *key = request_effect(p, one->records[i]);
        if (key->client == e->client && (e->deed == DEED_READ || e->deed == DEED_WRITE
                                             ? key->round == e->round && key->resource == e->resource
                                             : key->round == e->round || e->deed == DEED_LOCK || e->deed == DEED_GUARD))
            return true;
    }
    return false;
}

struct order_maker {
    const struct request_predictions *p;
    const struct prediction *one;
    struct request_order *order;
    uint32_t *at; // by request: where it stands, plus 1
    uint32_t keys_left;
    bool short_form;
};

static void add_record(struct order_maker *m, uint32_t record)
{
    uint32_t effect = m->p->recording.effect_of[record];
    bool key = is_key(m->one, record);
    if (effect == NO_EFFECT || !m->keys_left || (m->short_form && !is_near(m->p, m->one, record)))
        return;
    m->keys_left -= key;
    uint32_t request = m->p->meaning.effects[effect].request;
    if (m->at[request]) {
        m->order->list[m->at[request] - 1].key |= key;
        return;
    }
    m->order->list = alloc_grow(m->order->list, m->order->count, &m->order->room, sizeof *m->order->list);
    m->order->list[m->order->count++] = (struct ordered_request){.request = request, .effect = effect, .key = key};
    m->at[request] = m->order->count;
}

// Whether requests stand as their records were wished to.
static bool keeps_wishes(const struct order_maker *m)
{
    for (uint32_t i = 0; i < m->one->wish_count; i++) {
        uint32_t before = request_effect(m->p, m->one->wishes[i].before)->request;
        uint32_t after = request_effect(m->p, m->one->wishes[i].after)->request;
        if (m->at[before] >= m->at[after])
            return false;
    }
    return true;
}

bool request_predicted_order(const struct request_predictions *p, const struct prediction *one, bool short_form,
                             struct request_order *order)
{
    *order = (struct request_order){0};
    struct order_maker m = {.p = p,
                            .one = one,
                            .order = order,
                            .at = alloc_zeroed(p->meaning.log->count + 1, sizeof *m.at),
                            .keys_left = one->record_count,
                            .short_form = short_form};
    for (uint32_t i = 0; i < one->order.start; i++)
        add_record(&m, i);
    for (uint32_t i = 0; i < one->order.count; i++)
        add_record(&m, one->order.records[i]);
    bool good = keeps_wishes(&m);
    free(m.at);
    return good;
}
