#include "trace/recording_collect.h"

#include <stdlib.h>

#include "trace/recording_file.h"
#include "trace/recording_names.h"

static void collect_module(void *names, const struct filed_record *f)
{
    if (f->op == RECORDING_MODULE)
        recording_names_module(names, f->address, (const char *)f->follow, f->value);
}

static void collect_global(struct recording_names *n, uint64_t address)
{
    uint32_t block;
    uint64_t offset;
    recording_names_global(n, address, &block, &offset);
}

static void collect_name(void *names, const struct filed_record *f)
{
    recording_names_place(names, f->place);
    if (f->op < RECORDING_MODULE)
        collect_global(names, f->address);
    if (f->op == RECORDING_WAIT_BEGIN || f->op == RECORDING_WAIT_END)
        collect_global(names, f->value); // the mutex
    for (uint64_t i = 0; f->op == RECORDING_CALLS && i < f->value; i++) {
        recording_names_place(names, f->follow[i].what);
        recording_names_place(names, f->follow[i].where);
    }
}

void recording_collect_names(const char *path, struct buffer *lines)
{
    char *wrong = NULL;
    struct recording_file *file = recording_file_open(path, &wrong);
    free(wrong);
    if (!file)
        return;
    struct recording *r = recording_new();
    struct recording_names *names = recording_names_new(r);
    recording_file_each(file, collect_module, names);
    recording_file_each(file, collect_name, names);
    recording_names_give(names, lines);
    recording_names_free(names);
    recording_free(r);
    recording_file_close(file);
}
