// Two-phase commit: node 0 coordinates, the others vote yes and wait for its decision. What must not be forgotten is on
// disk before anybody hears of it: heddle cluster --crashes 1 --reboots 1 two_phase_commit.c
//
// -DFORGETFUL: the coordinator does not keep its decision. If it crashes and comes back, it aborts what others committed.
#include <heddle/node.h>
#include <stdio.h>

enum kind { PREPARE, YES, COMMIT, ABORT };
enum decision { OPEN, COMMITTED, ABORTED };

static enum decision decision;
static int votes;

static void tell(int to, enum kind kind)
{
    heddle_send(to, &kind, sizeof kind);
}

static void keep(const char *name, int value)
{
    heddle_write(name, &value, sizeof value);
    heddle_sync();
}

static void decide(enum decision what)
{
    decision = what;
#ifdef FORGETFUL
    if (heddle_self() == 0)
        return;
#endif
    keep("decision", decision);
}

static void announce(void)
{
    for (int i = 1; i < heddle_nodes(); i++)
        tell(i, decision == COMMITTED ? COMMIT : ABORT);
}

static void boot(int self, int nodes)
{
    heddle_read("decision", &decision, sizeof decision);
    if (self != 0)
        return;
    if (heddle_read("began", NULL, 0) < 0) {
        keep("began", 1);
        for (int i = 1; i < nodes; i++)
            tell(i, PREPARE);
    } else { // whatever was under way without a decision is over
        if (decision == OPEN)
            decide(ABORTED);
        announce();
    }
}

static void message(int from, const void *data, size_t size)
{
    enum kind kind = *(const enum kind *)data;
    if (decision != OPEN)
        return;
    if (kind == PREPARE) {
        tell(from, YES);
    } else if (kind != YES) {
        decide(kind == COMMIT ? COMMITTED : ABORTED);
    } else if (++votes == heddle_nodes() - 1) {
        decide(COMMITTED);
        announce();
    }
}

static void report(void *state)
{
    *(enum decision *)state = decision;
}

static const char *check(const struct heddle_view *view)
{
    bool seen[3] = {false};
    for (int i = 0; i < view->nodes; i++)
        seen[*(const enum decision *)view->state[i]] = true;
    return seen[COMMITTED] && seen[ABORTED] ? "one node has committed and another has aborted" : NULL;
}

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"prepare", "yes", "commit", "abort"};
    snprintf(text, room, "%s", size ? names[*(const enum kind *)data] : "?");
}

const struct heddle_protocol heddle_protocol = {
    .boot = boot,
    .message = message,
    .state_size = sizeof(enum decision),
    .report = report,
    .check = check,
    .show_message = show,
    .renaming = &(const struct heddle_renaming){.nodes = ~1u}, // participants are all alike
};
