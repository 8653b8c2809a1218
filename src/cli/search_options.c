#include "cli/search_options.h"

#include <stdio.h>
#include <stdlib.h>

#include "build/program_cache.h"
#include "cli/misuse.h"

int search_option(const char *command, struct check *check, int option, const char *text)
{
    struct task *task = &check->job->task;
    switch (option) {
    case SEARCH_MAX_EXECUTIONS:
        return option_number(text, 1, UINT64_MAX - 1, &task->max_executions)
                   ? 0
                   : misuse_of(command, "%s is not a number of executions", text);
    case SEARCH_MAX_STEPS:
        check->steps_given = true;
        return option_small(text, 1, JOB_STEPS - 2, &task->max_steps)
                   ? 0
                   : misuse_of(command, "%s is not a number of steps from 1 to 1048574", text);
    case SEARCH_REUSE:
        task->rules.reuse = 1;
        return 0;
    case SEARCH_MEMORY_ERRORS: // what a program is built with tells more
        task->rules.memory_errors = 1;
        return option_flags("--memory-errors", &check->origin) ? 0
                                                               : misuse_of(command, "%s: too many flags", "--cflags");
    case SEARCH_SPURIOUS:
        return option_small(text ? text : "1", 1, UINT16_MAX, &task->rules.spurious)
                   ? 0
                   : misuse_of(command, "%s is not a number of spurious wake-ups from 1 to 65535", text);
    case SEARCH_OMP_THREADS:
        return option_small(text, 1, MAX_ACTORS - 1, &task->rules.openmp_threads)
                   ? 0
                   : misuse_of(command, "%s is not a number of threads from 1 to 255", text);
    case SEARCH_FAULT: {
        const char *wrong = fault_read(text, task->rules.faults);
        char sentence[256];
        if (!wrong)
            return 0;
        snprintf(sentence, sizeof sentence, "--fault %.100s: %s", text, wrong);
        return misuse_of(command, "%s", sentence);
    }
    case SEARCH_FILL:
        return option_fill(text, &task->rules.fill)
                   ? 0
                   : misuse_of(command, "--fill takes zero, random or a byte such as 0xbe, not %s", text);
    case SEARCH_SCHEDULE:
        check->schedule_path = text;
        return 0;
    case SEARCH_NO_CACHE: // for the processes that build tests of a folder, too
        return setenv(PROGRAM_CACHE_VARIABLE, "off", 1) ? 2 : 0;
    default:
        return option_flags(text, &check->origin) ? 0 : misuse_of(command, "%s: too many flags", text);
    }
}
