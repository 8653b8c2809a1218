#include "cluster/phased_sample.h"

#include "cluster/rare.h"
#include "target/nodes/world.h"

enum { NO_END = 1 << 30 };

// What could happen next.
struct prospect {
    uint16_t ready[MAX_ACTORS];  // can be delivered
    uint16_t held[MAX_ACTORS];   // could be, but for the phase
    uint16_t faults[MAX_ACTORS]; // can begin a phase
    uint16_t idle[MAX_ACTORS];   // faults that are not wanted
    uint32_t ready_count, held_count, fault_count, idle_count;
    int over; // an actor whose entry would do nothing and stands before others; or -1
};

void sampler_open(struct sampler *m, const struct strategy *s, uint64_t seed)
{
    *m = (struct sampler){.s = s, .seed = seed, .under_way = -1, .rare = rare_new()};
}

void sampler_close(struct sampler *m)
{
    rare_free(m->rare);
}

static uint32_t count_budgets(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < FAULT_HEAL; i++)
        sum += world.options.budget[i];
    return sum;
}

// Some bits of `all`, each with `chance` in eight, but at least one of them.
static uint32_t draw_bits(struct sampler *m, uint32_t all, uint32_t chance)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32; i++)
        if (all >> i & 1 && draw_below(&m->draw, 8) < chance)
            bits |= 1u << i;
    while (all && !bits)
        bits = all & 1u << draw_below(&m->draw, 32);
    return bits;
}

static void begin_phase(struct sampler *m)
{
    m->slow = 0;
    for (int i = 0; i < world.options.nodes; i++)
        m->slow |= (uint32_t)(draw_below(&m->draw, 8) < m->slowness) << i;
    m->left = !draw_below(&m->draw, 4) ? 0 : m->length ? 1 + draw_below(&m->draw, 2 * m->length) : NO_END;
    m->first_entry = world.counts.entries + 1;
}

void sampler_begin(struct sampler *m)
{
    static const uint8_t lengths[] = {0, 0, 2, 4, 8, 16}, slow[] = {0, 0, 1, 2, 4};
    uint32_t nodes = (1u << world.options.nodes) - 1, budgets = count_budgets();
    draw_begin(&m->draw, m->seed, m->run++);
    m->salt = draw_word(&m->draw);
    m->order = (enum sample_order)draw_below(&m->draw, SAMPLE_ORDERS);
    m->length = lengths[draw_below(&m->draw, sizeof lengths)];
    m->slowness = slow[draw_below(&m->draw, sizeof slow)];
    m->fault_kinds = draw_bits(m, (1u << FAULTS) - 1, 7);
    m->fault_nodes = draw_below(&m->draw, 2) ? nodes : draw_bits(m, nodes, 4);
    m->faults = draw_below(&m->draw, 4) ? budgets : draw_below(&m->draw, budgets + 1);
    m->requests_begin = draw_below(&m->draw, 2);
    m->old_wait = draw_below(&m->draw, 2);
    m->under_way = -1;
    m->in_vain++;
    m->prefix_count = 0;
    if (draw_below(&m->draw, 4))
        m->prefix = rare_choose(m->rare, &m->draw, &m->prefix_count);
    begin_phase(m);
}

// The nodes that an entry concerns.
static uint32_t bits_of(const struct channel *c, const struct entry *e)
{
    return 1u << c->node | (e->kind == ENTRY_MESSAGE || e->kind == ENTRY_DOWN ? 1u << e->from : 0);
}

static bool is_idle_timer(const struct channel *c, const struct entry *e)
{
    const struct node_local *local = node_local(c->node);
    return e->kind == ENTRY_TIMER && !(local->set[c->number] && local->generation[c->number] == e->generation);
}

static bool is_held(const struct sampler *m, uint32_t channel)
{
    const struct entry *e = channel_head(channel);
    if (bits_of(&world.channel[channel], e) & m->slow)
        return true;
    return m->old_wait && e->kind == ENTRY_MESSAGE && world.queue[channel].first < m->first_entry;
}

static bool is_node_fault(enum fault fault)
{
    return fault != FAULTS && fault != FAULT_DROP && fault != FAULT_DUPLICATE;
}

static void look_at(const struct sampler *m, uint16_t actor, struct prospect *p)
{
    uint32_t channel = world.channel_of[actor];
    const struct channel *c = &world.channel[channel];
    const struct entry *e = channel_head(channel);
    enum fault fault = channel_choice(channel);
    bool wanted = m->faults && m->fault_kinds >> fault & 1 && m->fault_nodes >> c->node & 1;
    if (is_node_fault(fault)) {
        if (is_idle_timer(c, e))
            p->over = actor;
        if (wanted && world.counts.left[fault])
            p->faults[p->fault_count++] = actor;
        else
            p->idle[p->idle_count++] = actor;
    } else if (e->kind == ENTRY_REQUEST && m->requests_begin) {
        p->faults[p->fault_count++] = actor;
    } else if (is_held(m, channel)) {
        p->held[p->held_count++] = actor;
    } else {
        p->ready[p->ready_count++] = actor;
    }
}

static void gather(const struct sampler *m, struct prospect *p)
{
    const struct exec *x = m->s->exec;
    p->ready_count = p->held_count = p->fault_count = p->idle_count = 0;
    p->over = -1;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint16_t actor = (uint16_t)(word * 64 + (uint32_t)__builtin_ctzll(bits));
            if (m->s->target->ready(m->s->target, actor))
                look_at(m, actor, p);
        }
}

static uint64_t rank(const struct sampler *m, uint16_t actor)
{
    uint32_t channel = world.channel_of[actor];
    const struct channel *c = &world.channel[channel];
    struct draw draw;
    switch (m->order) {
    case SAMPLE_OLDEST:
        return UINT64_MAX - world.queue[channel].first;
    case SAMPLE_NEWEST:
        return world.queue[channel].first;
    case SAMPLE_BY_LINK:
        draw_begin(&draw, m->salt, (uint64_t)c->kind << 16 | (uint64_t)c->node << 8 | c->number);
        return draw_word(&draw);
    default:
        draw_begin(&draw, m->salt, c->node);
        return draw_word(&draw);
    }
}

static uint16_t choose(struct sampler *m, const uint16_t *actors, uint32_t count)
{
    uint32_t at = draw_below(&m->draw, count); // equals come in any order
    uint16_t best = actors[at];
    if (m->order == SAMPLE_UNIFORM || !draw_below(&m->draw, 16))
        return best;
    for (uint32_t i = 1; i < count; i++) {
        uint16_t other = actors[(at + i) % count];
        if (rank(m, other) > rank(m, best))
            best = other;
    }
    return best;
}

// A fault of a message happens where there are enough of them still to come.
static uint16_t draw_message_fault(struct sampler *m, enum fault fault)
{
    bool can = m->faults && world.counts.left[fault] && m->fault_kinds >> fault & 1;
    return can && !draw_below(&m->draw, 8);
}

// The actor's next step; what it chooses is followed by what comes of it.
static void take(struct sampler *m, uint16_t actor, struct step *step)
{
    uint32_t channel = world.channel_of[actor];
    enum fault fault = channel_choice(channel);
    *step = (struct step){actor, 0};
    m->under_way = -1;
    if (fault == FAULTS) {
        step->alternative = (uint16_t)draw_below(&m->draw, channel_outcomes(channel));
        return;
    }
    step->alternative = is_node_fault(fault) ? 1 : draw_message_fault(m, fault);
    m->faults -= step->alternative && fault != FAULT_HEAL;
    if (fault != FAULT_DROP || !step->alternative)
        m->under_way = actor;
}

// One of a random kind, so that kinds with many actors do not push the others aside.
static uint16_t choose_fault(struct sampler *m, const struct prospect *p)
{
    uint16_t best = p->faults[draw_below(&m->draw, p->fault_count)];
    enum channel_kind kind = world.channel[world.channel_of[best]].kind;
    if (draw_below(&m->draw, 2))
        return best;
    for (int i = 0; i < 8; i++) {
        uint16_t other = p->faults[draw_below(&m->draw, p->fault_count)];
        if (world.channel[world.channel_of[other]].kind != kind)
            return other;
    }
    return best;
}

// A timer that runs out at a node that nobody hears says little: mostly it is heard.
static void hear(struct sampler *m, uint16_t actor)
{
    if (draw_below(&m->draw, 8))
        m->slow &= ~(1u << world.channel[world.channel_of[actor]].node);
}

// The next phase begins, with a fault if there is one; false if nothing is left but faults that are not wanted.
static bool go_on(struct sampler *m, const struct prospect *p, struct step *step)
{
    begin_phase(m);
    if (p->fault_count && (!p->ready_count || draw_below(&m->draw, 4))) {
        if (m->s->exec->count > m->prefix_count && rare_note(m->rare, &m->draw))
            m->in_vain = 0;
        uint16_t actor = choose_fault(m, p);
        hear(m, actor);
        take(m, actor, step);
        return true;
    }
    if (!p->ready_count && !p->held_count)
        return false;
    take(m, p->ready_count ? choose(m, p->ready, p->ready_count) : choose(m, p->held, p->held_count), step);
    return true;
}

// The actor's choice is that nothing happens.
static bool decline(struct sampler *m, uint16_t actor, struct step *step)
{
    m->under_way = -1;
    *step = (struct step){actor, 0};
    return true;
}

bool sampler_pick(struct sampler *m, struct step *step)
{
    static struct prospect p;
    const struct exec *x = m->s->exec;
    if (x->count + 2 >= x->limit)
        return false;
    if (x->count < m->prefix_count) {
        *step = m->prefix[x->count];
        return true;
    }
    if (m->under_way >= 0 && can_run(m->s, (uint32_t)m->under_way)) {
        take(m, (uint16_t)m->under_way, step);
        return true;
    }
    gather(m, &p);
    if (p.over >= 0)
        return decline(m, (uint16_t)p.over, step);
    if (p.ready_count && m->left) {
        m->left--;
        take(m, choose(m, p.ready, p.ready_count), step);
        return true;
    }
    if (go_on(m, &p, step))
        return true;
    return p.idle_count && decline(m, p.idle[0], step);
}
