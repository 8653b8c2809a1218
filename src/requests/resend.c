#include "requests/resend.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "requests/substitutions.h"

// What a resource was at some moment.
struct content {
    bool there;
    const char *body; // belongs to what was sent
    size_t length;
};

// A wish of the prediction: one access before another.
struct edge {
    uint32_t effects[2];
    uint32_t look; // the request that shows what the resource is: one of the log that reads it; NO_EFFECT: none
    struct content contents[2];
};

struct sender {
    const struct request_predictions *p;
    const struct request_rules *rules;
    const struct loopback *to;
    struct resent *out;
    struct substitutions substitutions;
    bool *was_sent, *means; // by request: it has gone out; the rules know it
    struct edge edges[MOST_WISHES];
    uint32_t edge_count;
};

static bool give_up(struct sender *s, enum confirmation confirmed, char *reason)
{
    s->out->confirmed = confirmed;
    free(s->out->reason);
    s->out->reason = reason;
    return false;
}

static const struct request *request_of(const struct sender *s, uint32_t number)
{
    return &s->p->meaning.log->requests[number];
}

static const char *client_of(const struct sender *s, uint32_t request)
{
    return table_text(&s->p->meaning.clients, s->p->meaning.client_of[request]);
}

// The headers as the client would send them now, without those that ask for less than a resource.
static struct headers make_headers(const struct sender *s, uint32_t number, bool reads)
{
    static const char *const partial[] = {"if-none-match", "if-modified-since", "range", "if-range", NULL};
    const struct headers *recorded = &request_of(s, number)->headers;
    struct headers made = {0};
    for (size_t i = 0; i < recorded->count; i++) {
        size_t length = strlen(recorded->list[i].value);
        char *value =
            substitutions_apply(&s->substitutions, s->p->meaning.client_of[number], recorded->list[i].value, &length);
        if (!reads || !text_is_one_of(recorded->list[i].name, partial))
            headers_add(&made, recorded->list[i].name, value);
        free(value);
    }
    return made;
}

static bool is_write(const struct request *r)
{
    return !strcmp(r->method, "PUT") || !strcmp(r->method, "POST") || !strcmp(r->method, "PATCH");
}

// The body as it is sent; null: none. To be freed.
static char *make_body(const struct sender *s, uint32_t number, size_t *length)
{
    const struct request *r = request_of(s, number);
    if (r->body) {
        *length = r->body_length;
        return substitutions_apply(&s->substitutions, s->p->meaning.client_of[number], r->body, length);
    }
    *length = 0;
    if (!is_write(r))
        return NULL;
    char *made = alloc_format("heddle: request %u, of %s\n", r->entry, client_of(s, number));
    *length = strlen(made);
    return made;
}

static struct sent_request *keep_sent(struct sender *s, struct sent_request one, struct http_answer *answer)
{
    s->out->sent = alloc_grow(s->out->sent, s->out->count, &s->out->room, sizeof *s->out->sent);
    one.status = answer->status;
    one.body = alloc_array(answer->body.length + 1, 1);
    memcpy(one.body, buffer_text(&answer->body), answer->body.length);
    one.length = answer->body.length;
    one.body[one.length] = 0;
    s->out->sent[s->out->count] = one;
    return &s->out->sent[s->out->count++];
}

// Sends a request of the log. Null, after a word on why, if there is no answer.
static struct sent_request *send_request(struct sender *s, uint32_t number, bool learns, struct sent_request as)
{
    const struct request *r = request_of(s, number);
    struct http_answer answer = {0};
    char *wrong = NULL;
    if (!r->method || !http_method_is_good(r->method) || !http_target_is_good(r->target)) {
        give_up(s, UNKNOWN, alloc_format("entry %u is nothing that can be sent", r->entry));
        return NULL;
    }
    uint32_t client = s->p->meaning.client_of[number];
    size_t target_length = strlen(r->target);
    struct headers headers = make_headers(s, number, !is_write(r) && strcmp(r->method, "LOCK") != 0);
    struct http_call call = {.method = r->method, .headers = &headers};
    char *target = substitutions_apply(&s->substitutions, client, r->target, &target_length);
    char *body = make_body(s, number, &call.length);
    call.target = target;
    call.body = body;
    struct sent_request *sent = NULL;
    if (http_exchange(s->to, &call, &answer, &wrong)) {
        sent = keep_sent(s, as, &answer);
        if (learns)
            substitutions_learn(&s->substitutions, client, r, &answer, s->rules);
    } else {
        give_up(s, UNKNOWN, wrong);
    }
    http_answer_free(&answer);
    headers_free(&headers);
    free(target);
    free(body);
    return sent;
}

static struct content content_of(const struct sent_request *sent)
{
    return (struct content){
        .there = sent->status >= 200 && sent->status < 300, .body = sent->body, .length = sent->length};
}

static bool same_content(const struct content *a, const struct content *b)
{
    return a->there == b->there && (!a->there || (a->length == b->length && !memcmp(a->body, b->body, a->length)));
}

// Sends what the client had sent before this and what means nothing to the rules.
static bool send_ignored(struct sender *s, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++) {
        bool same = s->p->meaning.client_of[i] == s->p->meaning.client_of[number];
        if (!same || s->was_sent[i])
            continue;
        if (s->means[i] || request_was_refused(request_of(s, i)->status))
            continue;
        s->was_sent[i] = true;
        if (!send_request(s, i, true, (struct sent_request){.request = i}))
            return false;
    }
    return true;
}

// Whether the server did it, as it did in the log.
static bool went_well(struct sender *s, const struct ordered_request *o, int status)
{
    const struct request *r = request_of(s, o->request);
    const struct effect *e = &s->p->meaning.effects[o->effect];
    struct request now = {.status = status};
    if (request_was_done(&now, e->deed))
        return true;
    bool refused = request_was_refused(status) || status == 423;
    if (refused && (e->deed == DEED_WRITE || e->deed == DEED_LOCK || e->deed == DEED_GUARD))
        return give_up(s, INFEASIBLE,
                       alloc_format("the server answers %d to %s %s of %s: it does not let that happen", status,
                                    r->method, r->target, client_of(s, o->request)));
    return give_up(s, UNKNOWN,
                   alloc_format("the server answers %d to %s %s of %s, which went well in the log", status, r->method,
                                r->target, client_of(s, o->request)));
}

// Looks at the resource of an edge, as one of the log's requests does; without one, by GET.
static struct sent_request *look_at(struct sender *s, const struct edge *e)
{
    uint32_t resource = s->p->meaning.effects[e->effects[0]].resource;
    struct sent_request as = {.request = NO_EFFECT, .looked = resource};
    if (e->look != NO_EFFECT)
        return send_request(s, e->look, false, as);
    struct http_answer answer = {0};
    const struct headers none = {0};
    char *wrong = NULL;
    const char *target = table_text(&s->p->meaning.resources, resource);
    struct http_call call = {.method = "GET", .target = target, .headers = &none};
    struct sent_request *sent = NULL;
    if (!http_target_is_good(target))
        give_up(s, UNKNOWN, alloc_format("no request of the log reads %s", target));
    else if (http_exchange(s->to, &call, &answer, &wrong))
        sent = keep_sent(s, as, &answer);
    else
        give_up(s, UNKNOWN, wrong);
    http_answer_free(&answer);
    return sent;
}

// Keeps what the edges want to know of a request that was just sent: a read's answer, or what a write has made.
static bool note_contents(struct sender *s, uint32_t request, const struct sent_request *answer)
{
    struct content read = content_of(answer), made = {0};
    uint32_t looked = NO_EFFECT - 1; // the request that `made` is from; none yet
    for (uint32_t i = 0; i < s->edge_count; i++)
        for (int side = 0; side < 2; side++) {
            const struct effect *e = &s->p->meaning.effects[s->edges[i].effects[side]];
            if (e->request != request)
                continue;
            s->edges[i].contents[side] = read;
            if (e->deed != DEED_WRITE)
                continue;
            const struct sent_request *look = s->edges[i].look == looked ? NULL : look_at(s, &s->edges[i]);
            if (!look && s->edges[i].look != looked)
                return false;
            looked = s->edges[i].look;
            made = look ? content_of(look) : made;
            s->edges[i].contents[side] = made;
        }
    return true;
}

static bool send_order(struct sender *s, const struct request_order *order)
{
    for (uint32_t i = 0; i < order->count; i++) {
        const struct ordered_request *o = &order->list[i];
        if (!send_ignored(s, o->request))
            return false;
        s->was_sent[o->request] = true;
        struct sent_request *sent =
            send_request(s, o->request, true, (struct sent_request){.request = o->request, .key = o->key});
        if (!sent || !went_well(s, o, sent->status))
            return false;
        if (o->key && !note_contents(s, o->request, sent))
            return false;
    }
    return true;
}

// Locks that clients of the order still have.
static void release_locks(struct sender *s)
{
    const struct meaning *m = &s->p->meaning;
    enum confirmation confirmed = s->out->confirmed;
    char *reason = s->out->reason ? alloc_copy(s->out->reason) : NULL;
    bool *taken = alloc_zeroed(m->lines + 1, sizeof *taken);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct effect *e = &m->effects[i];
        bool takes = e->deed == DEED_LOCK || e->deed == DEED_GUARD;
        bool releases = e->deed == DEED_UNLOCK || e->deed == DEED_UNGUARD;
        taken[e->line] |= takes && s->was_sent[e->request];
        if (releases && taken[e->line] && !s->was_sent[e->request]) {
            s->was_sent[e->request] = true;
            send_request(s, e->request, true, (struct sent_request){.request = e->request});
        }
    }
    free(taken);
    give_up(s, confirmed, reason);
}

// A request of the log that reads this resource and nothing else; NO_EFFECT: none.
static uint32_t find_reader(const struct meaning *m, uint32_t resource)
{
    for (uint32_t i = m->count; i-- > 0;) {
        const struct effect *e = &m->effects[i];
        bool alone = !(i > 0 && m->effects[i - 1].request == e->request) &&
                     !(i + 1 < m->count && m->effects[i + 1].request == e->request);
        if (e->deed == DEED_READ && e->resource == resource && alone)
            return e->request;
    }
    return NO_EFFECT;
}

static void make_edges(struct sender *s, const struct prediction *one)
{
    const struct meaning *m = &s->p->meaning;
    s->edge_count = one->wish_count < MOST_WISHES ? one->wish_count : MOST_WISHES;
    for (uint32_t i = 0; i < s->edge_count; i++) {
        uint32_t before = s->p->recording.effect_of[one->wishes[i].before];
        uint32_t after = s->p->recording.effect_of[one->wishes[i].after];
        uint32_t reader = m->effects[before].deed == DEED_READ  ? m->effects[before].request
                          : m->effects[after].deed == DEED_READ ? m->effects[after].request
                                                                : find_reader(m, m->effects[before].resource);
        s->edges[i] = (struct edge){.effects = {before, after}, .look = reader};
    }
}

// Whether it shows that one access came before the other: a read saw what a write made, or not yet; a write took the place of another.
static bool edge_shows(const struct sender *s, const struct edge *e)
{
    bool wrote = s->p->meaning.effects[e->effects[0]].deed == DEED_WRITE;
    bool reads = s->p->meaning.effects[e->effects[1]].deed == DEED_READ;
    return same_content(&e->contents[0], &e->contents[1]) == (wrote && reads);
}

static void judge(struct sender *s, const struct prediction *one)
{
    bool shows = true;
    for (uint32_t i = 0; i < s->edge_count; i++)
        shows &= edge_shows(s, &s->edges[i]);
    const char *first = client_of(s, request_effect(s->p, one->records[0])->request);
    const char *other = client_of(s, request_effect(s->p, one->records[1])->request);
    bool lost = one->kind == PREDICT_ONE_VARIABLE && one->pattern[1] == 'W' && one->pattern[2] == 'W';
    s->out->harmful = shows;
    if (!shows)
        give_up(s, CONFIRMED,
                alloc_copy("the server accepts all of it, but nothing that was read or written is different"));
    else if (lost)
        give_up(s, CONFIRMED,
                alloc_format(
                    "the server accepts all of it, and what %s wrote is gone: %s took its place without having seen it",
                    other, first));
    else
        give_up(s, CONFIRMED,
                alloc_copy("the server accepts all of it, and answers as no order of one client after the other does"));
}

static void resend_one(struct sender *s, const struct prediction *one)
{
    struct request_order order;
    bool good = request_predicted_order(s->p, one, false, &order);
    s->was_sent = alloc_zeroed(s->p->meaning.log->count + 1, sizeof *s->was_sent);
    s->means = alloc_zeroed(s->p->meaning.log->count + 1, sizeof *s->means);
    for (uint32_t i = 0; i < s->p->meaning.count; i++)
        s->means[s->p->meaning.effects[i].request] = true;
    make_edges(s, one);
    if (!good)
        give_up(s, UNKNOWN, alloc_copy("the order would take a request apart"));
    else if (send_order(s, &order))
        judge(s, one);
    release_locks(s);
    substitutions_free(&s->substitutions);
    free(s->was_sent);
    free(s->means);
    free(order.list);
}

void resend_predictions(struct request_predictions *p, const struct request_rules *rules, const struct loopback *to)
{
    p->resent = alloc_zeroed(p->hunt.found.count + 1, sizeof *p->resent);
    bool *shown = alloc_zeroed(p->hunt.found.count + 1, sizeof *shown); // by group: one of it is known to be harmful
    for (uint32_t i = 0; i < p->hunt.found.count; i++) {
        if (shown[p->hunt.found.list[i].number])
            continue;
        struct sender s = {.p = p, .rules = rules, .to = to, .out = &p->resent[i]};
        resend_one(&s, &p->hunt.found.list[i]);
        shown[p->hunt.found.list[i].number] = p->resent[i].harmful;
    }
    free(shown);
}
