#include "cluster/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/whole_file.h"
#include "target/nodes/draws.h"
#include "target/nodes/memory.h"

enum { MAX_STEPS = 1 << 20 };

struct named_step *cluster_name_steps(const struct step *steps, uint32_t count)
{
    struct named_step *named = alloc_zeroed(count + 1u, sizeof *named);
    for (uint32_t i = 0; i < count; i++) {
        const struct actor *a = &world.exec.actors[steps[i].actor];
        named[i] = (struct named_step){.actor = steps[i].actor, .alternative = steps[i].alternative};
        if (a->parent) {
            named[i].actor = (uint16_t)a->parent;
            named[i].message = (uint16_t)(a->number + 1);
        }
    }
    return named;
}

struct step *cluster_find_steps(const struct named_step *named, uint32_t count)
{
    struct step *steps = alloc_zeroed(count + 1u, sizeof *steps);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t actor = named[i].actor;
        if (named[i].message)
            actor = exec_identify(&world.exec, actor, named[i].message - 1u);
        steps[i] = (struct step){(uint16_t)actor, named[i].alternative};
    }
    return steps;
}

int cluster_file_write(FILE *out, const struct cluster_file *f)
{
    fprintf(out, CLUSTER_FILE_HEADER "source %s\nflags %s\nfailure %s\ntext %s\nnodes %d\norder %s\npatience %u\n",
            f->source, f->flags, f->failure, f->text, f->world.nodes, order_names[f->world.order], f->patience);
    if (f->world.seed)
        fprintf(out, "seed %" PRIu64 "\n", f->world.seed);
    if (f->world.draws > 1)
        fprintf(out, "draws %u\n", f->world.draws);
    if (f->world.heap)
        fprintf(out, "heap %zu\n", f->world.heap);
    for (int i = 0; i < FAULTS; i++)
        if (f->world.budget[i])
            fprintf(out, "budget %s %u\n", fault_names[i], f->world.budget[i]);
    fprintf(out, "steps %u\n", f->step_count);
    for (uint32_t i = 0; i < f->step_count; i++) {
        fprintf(out, "%u", f->steps[i].actor);
        if (f->steps[i].message)
            fprintf(out, ".%u", f->steps[i].message);
        fprintf(out, ":%u%s", f->steps[i].alternative, (i + 1) % 16 ? " " : "\n");
    }
    fputs("\nend\n", out);
    return fflush(out) || ferror(out) ? -1 : 0;
}

static bool read_number(const char *text, unsigned long limit, uint32_t *value)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *value = (uint32_t)number;
    return *text >= '0' && *text <= '9' && !*end && number <= limit;
}

static bool read_long(const char *text, uint64_t limit, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *value <= limit;
}

static bool read_budget(const char *text, struct cluster_file *f)
{
    for (int i = 0; i < FAULTS; i++) {
        size_t length = strlen(fault_names[i]);
        if (!strncmp(text, fault_names[i], length) && text[length] == ' ')
            return read_number(text + length + 1, 1000, &f->world.budget[i]);
    }
    return false;
}

static bool read_step(FILE *in, struct named_step *step)
{
    unsigned actor, message = 0, alternative;
    if (fscanf(in, "%u", &actor) != 1)
        return false;
    int mark = fgetc(in);
    if (mark == '.' && (fscanf(in, "%u", &message) != 1 || !message || (mark = fgetc(in)) == EOF))
        return false;
    if (mark != ':' || fscanf(in, "%u", &alternative) != 1 || actor >= MAX_ACTORS || message > UINT16_MAX ||
        alternative > UINT16_MAX)
        return false;
    *step = (struct named_step){(uint16_t)actor, (uint16_t)message, (uint16_t)alternative};
    return true;
}

static const char *read_steps(FILE *in, struct cluster_file *f, const char *count)
{
    char word[8] = "";
    if (!read_number(count, MAX_STEPS, &f->step_count))
        return "the number of steps is not one";
    f->steps = alloc_zeroed(f->step_count + 1u, sizeof *f->steps);
    for (uint32_t i = 0; i < f->step_count; i++) {
        if (!read_step(in, &f->steps[i]))
            return "a step is missing or not of the form N:A or N.M:A";
    }
    return fscanf(in, "%7s", word) == 1 && !strcmp(word, "end") ? NULL : "its end is missing";
}

// One line; the value follows the first blank.
static bool read_line(struct cluster_file *f, const char *name, const char *value)
{
    uint32_t nodes;
    char **text = !strcmp(name, "source")    ? &f->source
                  : !strcmp(name, "flags")   ? &f->flags
                  : !strcmp(name, "failure") ? &f->failure
                  : !strcmp(name, "text")    ? &f->text
                                             : NULL;
    if (text && !*text) {
        *text = alloc_copy(value);
        return true;
    }
    if (!strcmp(name, "seed"))
        return read_long(value, UINT64_MAX, &f->world.seed);
    if (!strcmp(name, "heap")) {
        uint64_t bytes = 0;
        bool fine = read_long(value, HEAP_MOST, &bytes);
        f->world.heap = bytes;
        return fine;
    }
    if (!strcmp(name, "nodes") && read_number(value, MAX_NODES, &nodes) && nodes) {
        f->world.nodes = (int)nodes;
        return true;
    }
    return (!strcmp(name, "order") && order_by_name(value, &f->world.order)) ||
           (!strcmp(name, "patience") && read_number(value, 1000000, &f->patience)) ||
           (!strcmp(name, "draws") && read_number(value, MOST_RAND, &f->world.draws)) ||
           (!strcmp(name, "budget") && read_budget(value, f));
}

const char *cluster_file_read(FILE *in, struct cluster_file *f)
{
    char line[4096];
    memset(f, 0, sizeof *f);
    if (!fgets(line, sizeof line, in) || strcmp(line, CLUSTER_FILE_HEADER) != 0)
        return "it is not a schedule of a cluster, or it is one of another version";
    while (fgets(line, sizeof line, in)) {
        char *value = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!value)
            break;
        *value++ = 0;
        if (!strcmp(line, "steps")) {
            const char *wrong = read_steps(in, f, value);
            if (!wrong && (!f->source || !f->flags || !f->failure || !f->text || !f->world.nodes))
                wrong = "a line is missing before the steps";
            return wrong;
        }
        if (!read_line(f, line, value))
            return "it has a line that heddle does not know";
    }
    return "its steps are missing";
}

void cluster_file_free(struct cluster_file *f)
{
    free(f->source);
    free(f->flags);
    free(f->failure);
    free(f->text);
    free(f->steps);
}

char *cluster_file_name(const char *source, enum failure_kind kind, uint32_t number)
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    int length = dot ? (int)(dot - base) : (int)strlen(base);
    char again[16] = "";
    if (number)
        snprintf(again, sizeof again, "-%u", number + 1);
    return alloc_format("%.*s.%s%s.hd", length, base, failure_names[kind], again);
}

int cluster_file_keep(const char *path, const char *source, const char *flags, const struct cluster_options *options,
                      struct cluster_result *result)
{
    struct cluster_file file = {.source = (char *)(uintptr_t)source,
                                .flags = (char *)(uintptr_t)(flags ? flags : ""),
                                .failure = (char *)(uintptr_t)failure_names[result->failure],
                                .text = result->text,
                                .world = options->world,
                                .patience = options->patience,
                                .steps = cluster_name_steps(result->steps, result->step_count),
                                .step_count = result->step_count};
    file.world.order = world.options.order;
    struct whole_file to;
    bool good = whole_file_open(&to, path) && !whole_file_close(&to, !cluster_file_write(to.out, &file));
    free(file.steps);
    return good ? 0 : -1;
}

uint32_t cluster_file_follow(const struct cluster_file *file, struct cluster_result *result)
{
    *result = (struct cluster_result){.end = CLUSTER_BUG, .step_count = file->step_count};
    result->steps = cluster_find_steps(file->steps, file->step_count);
    uint32_t left_out = cluster_follow(result->steps, result->step_count);
    result->faults = cluster_faults();
    world_settle(file->patience);
    cluster_keep_failure(result);
    return left_out;
}
