// A specification from a shared object that was made of a model in C (include/heddle/model.h).
#ifndef HISTORY_MODEL_FILE_H
#define HISTORY_MODEL_FILE_H

#include "history/spec.h"

struct model_file {
    struct spec spec;
    const struct heddle_model *model;
    struct spec_call *calls;
    const int64_t *processes; // names by number, once they are known; may be null
    void *handle;
};

// Null, or what is wrong with it. The specification points into the struct, which must stay where it is.
const char *model_file_load(struct model_file *file, const char *path);

void model_file_free(struct model_file *file);

#endif
