#include "predict/predict_run.h"

static void correlate_all(const struct recording *const *recordings, uint32_t count, uint64_t least,
                          const struct hunt *h, struct correlations *c)
{
    *c = (struct correlations){0};
    correlate_add(c, recordings[0], &h->accesses, &h->m.sections);
    for (uint32_t i = 1; i < count; i++) {
        struct accesses accesses;
        struct sections sections;
        accesses_make(&accesses, recordings[i]);
        sections_make(&sections, recordings[i]);
        correlate_add(c, recordings[i], &accesses, &sections);
        accesses_free(&accesses);
        sections_free(&sections);
    }
    correlate_rank(c, least);
}

void predict_run(const struct recording *const *recordings, uint32_t count, const struct predict_options *options,
                 struct hunt *hunt, struct correlations *correlations)
{
    hunt_begin(hunt, recordings[0], options->bounds);
    hunt->again = options->again;
    correlate_all(recordings, count, options->support, hunt, correlations);
    if (options->kinds >> PREDICT_DEADLOCK & 1)
        hunt_deadlocks(hunt);
    if (options->kinds >> PREDICT_DEADLOCK & 1)
        hunt_waiting_deadlocks(hunt);
    if (options->kinds >> PREDICT_LOST_WAKE & 1)
        hunt_lost_wakes(hunt, false);
    if (options->kinds >> PREDICT_FREED & 1 || options->kinds >> PREDICT_EARLY & 1)
        hunt_lifetimes(hunt, options->kinds);
    if (options->kinds >> PREDICT_ONE_VARIABLE & 1)
        hunt_one_variable(hunt);
    if (options->merge_pairs)
        hunt_merged(hunt, correlations);
    if (options->kinds >> PREDICT_TWO_VARIABLES & 1)
        hunt_two_variables(hunt, correlations);
    if (options->kinds >> PREDICT_RACE & 1)
        hunt_races(hunt);
    if (options->kinds >> PREDICT_ONE_VARIABLE & 1 && options->unlikely)
        hunt_unlikely(hunt, options->kinds); // last, so that they are tried last
    if (options->kinds >> PREDICT_LOST_WAKE & 1 && options->unlikely)
        hunt_lost_wakes(hunt, true);
    if (options->kinds >> PREDICT_TRY & 1 && options->unlikely)
        hunt_try_locks(hunt);
    hunt_list_later(hunt);
}
