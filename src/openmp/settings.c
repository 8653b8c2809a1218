#include "openmp/settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { THREADS_OF_A_SEARCH = 2 };

static unsigned number_from(const char *variable, unsigned otherwise)
{
    const char *text = getenv(variable);
    long number = text ? strtol(text, NULL, 10) : 0;
    return number > 0 && number < INT_MAX ? (unsigned)number : otherwise;
}

// OMP_SCHEDULE: [monotonic:|nonmonotonic:]KIND[,CHUNK]
static void read_schedule(struct settings *settings)
{
    static const char *const kind[] = {"static", "dynamic", "guided"};
    const char *text = getenv("OMP_SCHEDULE"), *colon = text ? strchr(text, ':') : NULL;
    settings->schedule = SCHEDULE_DYNAMIC;
    if (!text)
        return;
    text = colon ? colon + 1 : text;
    for (unsigned i = 0; i < sizeof kind / sizeof *kind; i++)
        if (!strncasecmp(text, kind[i], strlen(kind[i])))
            settings->schedule = (enum schedule)i;
    const char *comma = strchr(text, ',');
    long chunk = comma ? strtol(comma + 1, NULL, 10) : 0;
    settings->chunk = chunk > 0 ? (unsigned long long)chunk : 0;
}

struct settings heddle_omp_settings_of_environment(void)
{
    const char *nested = getenv("OMP_NESTED");
    unsigned levels = nested && !strcasecmp(nested, "true") ? INT_MAX : 1;
    struct settings settings = {.threads = number_from("OMP_NUM_THREADS", THREADS_OF_A_SEARCH),
                                .limit = number_from("OMP_THREAD_LIMIT", INT_MAX),
                                .most_active = number_from("OMP_MAX_ACTIVE_LEVELS", levels)};
    read_schedule(&settings);
    return settings;
}
