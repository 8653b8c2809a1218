#include "inject/campaign_save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "inject/saved_faults.h"
#include "trace/code_identity.h"

static char *way_words(const struct campaign *c)
{
    return c->controlled ? alloc_format("controlled %llu", (unsigned long long)c->request->schedule)
                         : alloc_copy("native");
}

static uint64_t hash_bytes(uint64_t h, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return h;
}

static uint64_t hash_words(uint64_t h, char *const *words)
{
    for (; words && *words; words++)
        h = hash_bytes(h, *words, strlen(*words) + 1);
    return hash_bytes(h, "\n", 1);
}

// What the program is given, and what counts as its output.
static uint64_t hash_circumstances(const struct native_program *p)
{
    uint64_t h = hash_words(hash_words(0xcbf29ce484222325u, p->arguments), p->outputs);
    char bytes[4096];
    FILE *input = p->input ? fopen(p->input, "r") : NULL;
    for (size_t n; input && (n = fread(bytes, 1, sizeof bytes, input)) > 0;)
        h = hash_bytes(h, bytes, n);
    if (input)
        fclose(input);
    return h;
}

// Also whether the program and what it is given are still the same: what another one did says nothing of it.
static char *list_words(const struct campaign *c, const struct fault_list *list)
{
    return alloc_format("%zu %llu %zu %016llx %016llx", list->count, (unsigned long long)c->request->seed,
                        c->points.count, (unsigned long long)code_identity(c->request->program.path),
                        (unsigned long long)hash_circumstances(&c->request->program));
}

// How the trace of a run deviated, in one line without tabs. The name of a thread has no spaces.
static char *trace_words(const struct fault_outcome *o)
{
    char *words = alloc_format("%d %u %llu %llu %lld %s %s", (int)o->kind, o->threads, (unsigned long long)o->objects,
                               (unsigned long long)o->spread, (long long)o->latency, o->thread ? o->thread : "-",
                               o->thread ? o->first : "");
    for (char *c = words; *c; c++)
        if (*c == '\t' || *c == '\n')
            *c = ' ';
    return words;
}

// The same read back. False: it is none.
static bool read_trace_words(const char *words, struct fault_outcome *o)
{
    unsigned long long objects, spread;
    long long latency;
    char thread[200];
    int kind, length = 0;
    if (sscanf(words, "%d %u %llu %llu %lld %199s %n", &kind, &o->threads, &objects, &spread, &latency, thread,
               &length) != 6 ||
        kind < 0 || kind >= DEVIATION_KINDS)
        return false;
    o->kind = (enum deviation_kind)kind;
    o->objects = objects;
    o->spread = spread;
    o->latency = latency;
    if (strcmp(thread, "-")) {
        o->thread = alloc_copy(thread);
        o->first = alloc_copy(length ? words + length : "");
    }
    return true;
}

void campaign_save_outcome(FILE *file, const struct campaign *c, size_t number, const struct fault_outcome *o)
{
    struct buffer name = {0};
    fault_name(&c->points, &o->fault, &name);
    char *trace = c->request->trace ? trace_words(o) : NULL;
    saved_faults_write_outcome(file,
                               &(struct saved_outcome){number, (int)o->class, o->status, name.text, trace, o->said});
    free(trace);
    buffer_free(&name);
}

// Takes over one outcome; false if it is not of this campaign.
static bool take_over(struct campaign *c, const struct fault_list *list, const struct saved_outcome *o, bool *done)
{
    struct buffer expected = {0};
    bool good = o->number < list->count && o->class >= 0 && o->class < CLASSES;
    if (good)
        fault_name(&c->points, &list->fault[o->number], &expected);
    good = good && !strcmp(buffer_text(&expected), o->name);
    buffer_free(&expected);
    if (!good || done[o->number] || (c->request->trace && !o->trace))
        return good; // a run that was not compared is made again
    struct fault_outcome outcome = {.fault = list->fault[o->number],
                                    .class = (enum fault_class)o->class,
                                    .status = o->status,
                                    .said = o->said ? alloc_copy(o->said) : NULL};
    if (c->request->trace && !read_trace_words(o->trace, &outcome)) {
        free(outcome.said);
        return false;
    }
    done[o->number] = true;
    c->taken_over++;
    campaign_add_outcome(c, outcome);
    return true;
}

static bool take_saved(struct campaign *c, const struct fault_list *list, const struct saved_faults *saved, bool *done)
{
    char *way = way_words(c), *words = list_words(c, list);
    bool good = !strcmp(saved->way, way) && !strcmp(saved->list, words);
    for (size_t i = 0; good && i < saved->count; i++)
        good = take_over(c, list, &saved->outcomes[i], done);
    free(way);
    free(words);
    return good;
}

FILE *campaign_open_saved(struct campaign *c, const struct fault_list *list, bool *done)
{
    const char *path = c->request->save;
    FILE *file = fopen(path, "a+");
    struct saved_faults saved;
    long end;
    if (!file) {
        campaign_trouble(path, strerror(errno));
        return NULL;
    }
    const char *wrong = saved_faults_read(file, &saved, &end);
    if (!wrong && saved.list && !take_saved(c, list, &saved, done))
        wrong = "it is of another campaign, or the program or what it is given has changed since";
    if (!wrong && ftruncate(fileno(file), end))
        wrong = strerror(errno);
    if (!wrong && !saved.list) {
        char *way = way_words(c), *words = list_words(c, list);
        saved_faults_write_header(file, c->request->words, way, words);
        free(way);
        free(words);
    }
    saved_faults_free(&saved);
    if (!wrong)
        return file;
    campaign_trouble(path, wrong);
    fclose(file);
    return NULL;
}
