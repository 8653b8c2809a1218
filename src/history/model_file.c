#include "history/model_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "heddle/model.h"

// NOLINTNEXTLINE(misc-redundant-expression): that they are the same is what is asked
_Static_assert(HEDDLE_NIL == VALUE_NIL && HEDDLE_FALSE == VALUE_FALSE && HEDDLE_TRUE == VALUE_TRUE,
               "models and histories have the same values");

static const struct model_file *file_of(const struct spec *spec)
{
    return spec->context;
}

static struct heddle_operation operation_of(const struct model_file *file, const struct operation *op)
{
    struct heddle_operation operation = {.call = op->call, .process = VALUE_NIL};
    if (file->model->uses_process)
        operation.process = file->processes ? file->processes[op->process] : op->process;
    memcpy(operation.argument, op->argument, sizeof operation.argument);
    return operation;
}

static size_t file_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)ops, (void)count;
    return file_of(spec)->model->state_size;
}

static size_t file_init(const struct spec *spec, void *state)
{
    const struct heddle_model *model = file_of(spec)->model;
    memset(state, 0, model->state_size);
    if (model->init)
        model->init(state);
    return model->state_size;
}

static size_t file_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                        uint32_t nth, void *to, int64_t *result)
{
    struct heddle_operation operation = operation_of(file_of(spec), op);
    memcpy(to, state, size);
    *result = VALUE_NIL;
    return file_of(spec)->model->step(to, &operation, (int)nth, result) ? size : SPEC_NONE;
}

static bool file_reads(const struct spec *spec, const struct operation *op)
{
    const struct model_file *file = file_of(spec);
    struct heddle_operation operation = operation_of(file, op);
    return op->known && file->model->only_reads && file->model->only_reads(&operation, op->result);
}

static int64_t file_about(const struct spec *spec, const struct operation *op)
{
    struct heddle_operation operation = operation_of(file_of(spec), op);
    return file_of(spec)->model->about(&operation);
}

static bool file_equal(const struct spec *spec, const void *a, const void *b)
{
    return file_of(spec)->model->equal(a, b);
}

static uint64_t file_hash(const struct spec *spec, const void *state)
{
    return file_of(spec)->model->hash(state);
}

static void file_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                      size_t room)
{
    (void)values;
    const struct heddle_model *model = file_of(spec)->model;
    out[0] = 0;
    if (model->show) {
        model->show(state, out, room);
        return;
    }
    for (size_t i = 0; i < size && 3 * i + 4 < room; i++)
        snprintf(out + 3 * i, room - 3 * i, "%02x ", ((const unsigned char *)state)[i]);
}

// Null, or what is wrong.
static const char *take_calls(struct model_file *file)
{
    uint32_t count = 0;
    const struct heddle_call *calls = file->model->calls;
    while (calls[count].name) {
        if (calls[count].arguments < 0 || calls[count].arguments > OPERATION_ARGUMENTS)
            return "a call of the model takes more than three arguments";
        if (++count > UINT16_MAX)
            return "the model has too many calls: the last one must have no name";
    }
    if (!count)
        return "the model has no calls";
    file->calls = alloc_zeroed(count, sizeof *file->calls);
    for (uint32_t i = 0; i < count; i++)
        file->calls[i] = (struct spec_call){calls[i].name, (uint32_t)calls[i].arguments,
                                            calls[i].has_result ? SPEC_VALUE : SPEC_VOID,
                                            calls[i].can_fail ? calls[i].failure : VALUE_TEXTS};
    file->spec.calls = file->calls;
    file->spec.call_count = count;
    return NULL;
}

const char *model_file_load(struct model_file *file, const char *path)
{
    *file = (struct model_file){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!file->handle)
        return dlerror();
    file->model = dlsym(file->handle, "heddle_model");
    if (!file->model)
        return "it does not define heddle_model";
    if (!file->model->calls || !file->model->step)
        return "its heddle_model lacks calls or step";
    if (file->model->equal && !file->model->hash)
        return "its heddle_model has equal without hash";
    file->spec = (struct spec){
        .name = file->model->name ? file->model->name : "model",
        .own = true,
        .by_process = file->model->uses_process != 0,
        .context = file,
        .room = file_room,
        .init = file_init,
        .step = file_step,
        .reads = file_reads,
        .about = file->model->about ? file_about : NULL,
        .equal = file->model->equal ? file_equal : NULL,
        .hash = file->model->hash ? file_hash : NULL,
        .show = file_show,
    };
    return take_calls(file);
}

void model_file_free(struct model_file *file)
{
    free(file->calls);
    if (file->handle)
        dlclose(file->handle);
    *file = (struct model_file){0};
}
