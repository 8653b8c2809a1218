#include "cluster/cluster_open.h"

#include <stddef.h>

#include "cluster/client_history.h"
#include "cluster/lines.h"
#include "target/nodes/agreement.h"
#include "target/nodes/relevant.h"

// dpor and optimal take events of different nodes for independent. Null, or who could tell them apart.
static const char *unfit_for_dpor(const struct heddle_protocol *p)
{
    if (p->model)
        return "it has a model: dpor and optimal do not see which of two clients was first; leave out --strategy";
    if (p->observe)
        return "it has an observer: dpor and optimal do not see which event it saw first; leave out --strategy";
    if (agreement_is_watched())
        return "it tells of a quorum tree: dpor and optimal do not see which event came first; leave out --strategy";
    if (p->may_request)
        return "its requests wait for states: dpor and optimal do not follow that; leave out --strategy";
    return NULL;
}

// Null, or what the options ask for and the protocol does not have.
static const char *lacks(const struct heddle_protocol *p, const struct cluster_options *o)
{
    if ((policy_has_rules(&o->policy) || policy_has_rules(&o->mark)) && !p->rules)
        return "it has no rules; --policy auto needs none";
    const char *wrong = client_history_open();
    if (!wrong && o->strategy && o->strategy->any_order)
        wrong = unfit_for_dpor(p);
    if (!wrong && o->policy.audit && !policy_has_rules(&o->policy) && !p->renaming && !relevant_is_less())
        wrong = "there is nothing to audit: it has no renaming, and calls nothing auxiliary";
    return wrong;
}

const char *cluster_open(const char *object, const struct cluster_options *options)
{
    struct world_options world_options = options->world;
    world_options.whole = options->keeping.whole;
    const char *wrong = world_open(object, &world_options);
    if (wrong)
        return wrong;
    lines_open(object, world.library.base);
    wrong = lacks(world.library.protocol, options);
    if (wrong)
        cluster_close();
    else
        world.judge = client_history_judge;
    return wrong;
}

void cluster_close(void)
{
    client_history_close();
    lines_close();
    world_close();
}
