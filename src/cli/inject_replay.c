// heddle replay of a run with a fault: by the fault's name and the program, or from a file of a campaign.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/inject_repeat.h"
#include "cli/misuse.h"
#include "inject/saved_faults.h"

bool inject_is_fault(const char *word)
{
    const char *place = strchr(word, '@'), *number = place ? strchr(place, '#') : NULL;
    return number && strchr(number, '=') && access(word, F_OK);
}

int inject_replay_fault(int argc, char **argv)
{
    return inject_repeat(&(struct inject_repeat){argv[0], NULL, -1}, argc, argv);
}

static int replay_outcome(const struct saved_faults *saved, const struct saved_outcome *o)
{
    char **words = alloc_ended(saved->word_count + 1, sizeof *words); // getopt changes their order
    memcpy(words, saved->words, saved->word_count * sizeof *words);
    int status = inject_repeat(&(struct inject_repeat){o->name, saved->way, o->class}, (int)saved->word_count, words);
    free(words);
    return status;
}

int inject_replay_saved(const char *path, const char *which)
{
    struct saved_faults saved;
    long end;
    FILE *file = fopen(path, "r");
    if (!file)
        return misuse_of_file("replay", path, strerror(errno));
    const char *wrong = saved_faults_read(file, &saved, &end);
    fclose(file);
    const struct saved_outcome *o = wrong || !which ? NULL : saved_faults_find(&saved, which);
    if (!wrong && !which)
        wrong = "say which run of it: its number, from 1 on, or the name of its fault";
    else if (!wrong && !o)
        wrong = "it has no such run";
    int status = wrong ? misuse_of_file("replay", path, wrong) : replay_outcome(&saved, o);
    saved_faults_free(&saved);
    return status;
}
