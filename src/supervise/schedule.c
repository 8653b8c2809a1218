#include "supervise/schedule.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "model/fill.h"
#include "model/framework.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check/bug.h"
#include "supervise/globals.h"

static void write_words(FILE *file, const char *key, char *const *words)
{
    for (; *words; words++) {
        fprintf(file, "%s ", key);
        for (const char *c = *words; *c; c++) { // one line each, whatever is in them
            if (*c == '\n')
                fputs("\\n", file);
            else if (*c == '\\')
                fputs("\\\\", file);
            else
                fputc(*c, file);
        }
        fputc('\n', file);
    }
}

static void write_steps(FILE *file, const struct schedule *s)
{
    fprintf(file, "steps %u", s->steps);
    for (uint32_t i = 0, column = 0; i < s->steps;) {
        uint32_t run = 1;
        while (i + run < s->steps && !memcmp(&s->step[i], &s->step[i + run], sizeof *s->step))
            run++;
        fputs(column++ % 16 ? " " : "\n", file);
        fprintf(file, "%u", s->step[i].actor);
        if (s->step[i].alternative)
            fprintf(file, ":%u", s->step[i].alternative);
        if (run > 1)
            fprintf(file, "*%u", run);
        i += run;
    }
    fputs("\nend\n", file);
}

// Each operation once, then by numbers which of them each step did.
static void write_outline(FILE *file, const struct outline *o)
{
    for (size_t i = 0; i < o->op_count; i++) {
        char *line = alloc_format("%s\t%s\t%s", o->ops[i].operation, o->ops[i].object, o->ops[i].place);
        write_words(file, "op", (char *const[]){line, NULL});
        free(line);
    }
    for (uint32_t i = 0, column = 0; i < o->count; column++) {
        uint32_t run = 1;
        while (i + run < o->count && o->does[i + run] == o->does[i])
            run++;
        fprintf(file, column % 16 ? " %u" : column ? "\ndoes %u" : "does %u", o->does[i]);
        if (run > 1)
            fprintf(file, "*%u", run);
        i += run;
    }
    if (o->count)
        fputc('\n', file);
}

int schedule_write(FILE *file, const struct schedule *s)
{
    fputs("heddle schedule 1\n", file);
    if (s->program)
        write_words(file, "program", (char *const[]){s->program, NULL});
    write_words(file, "source", s->sources);
    write_words(file, "flag", s->flags);
    write_words(file, "argument", s->arguments);
    if (s->client)
        write_words(file, "client", (char *const[]){s->client, NULL});
    if (s->directory)
        write_words(file, "directory", (char *const[]){s->directory, NULL});
    if (s->input)
        write_words(file, "stdin", (char *const[]){s->input, NULL});
    write_words(file, "allow", s->kept);
    write_words(file, "allow-writes", s->allowed);
    if (s->trusted)
        write_words(file, "trust", (char *const[]){s->trusted, NULL});
    if (s->rules.framework)
        fprintf(file, "framework %s\n", framework_traits(s->rules.framework)->name);
    if (s->test)
        write_words(file, "test", (char *const[]){s->test, NULL});
    if (s->bug)
        fprintf(file, "bug %s\n", s->bug);
    if (s->fingerprint)
        fprintf(file, "fingerprint %016" PRIx64 "\n", s->fingerprint);
    fprintf(file, "options reuse=%u leaks=%u races=%u unlock=%u\n", s->rules.reuse, s->rules.leaks, s->rules.races,
            s->unlock_visible + 2 * s->turns);
    if (s->rules.memory_errors)
        fputs("memory-errors on\n", file);
    if (s->rules.spurious)
        fprintf(file, "spurious %u\n", s->rules.spurious);
    if (s->rules.openmp_threads)
        fprintf(file, "openmp-threads %u\n", s->rules.openmp_threads);
    if (s->rules.calendar)
        fprintf(file, "calendar %u\n", s->rules.calendar);
    char faults[FAULT_TEXT];
    if (fault_write(s->rules.faults, faults, sizeof faults))
        fprintf(file, "fault %s\n", faults);
    if (s->round)
        fprintf(file, "round %u\n", s->round - 1);
    if (s->rules.outlives_all)
        fprintf(file, "misuse goes-on\n");
    if (s->rules.fill == FILL_RANDOM)
        fprintf(file, "fill random\n");
    else if (s->rules.fill)
        fprintf(file, "fill %u\n", s->rules.fill - FILL_BYTES);
    if (s->failure)
        write_words(file, "failure", (char *const[]){s->failure, NULL});
    if (s->build)
        fprintf(file, "build %" PRIx64 "\n", s->build);
    write_words(file, "merged", s->merged);
    write_words(file, "racy", s->racy);
    for (uint32_t i = 1; i < s->threads.count; i++)
        fprintf(file, "thread %u is child %u of %u\n", i, s->threads.thread[i].number, s->threads.thread[i].parent);
    write_outline(file, &s->outline);
    write_steps(file, s);
    return ferror(file) ? -1 : 0;
}

static char *unescaped(const char *text)
{
    char *word = alloc_array(strlen(text) + 1, 1), *to = word;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            *to++ = *++text == 'n' ? '\n' : *text;
        else
            *to++ = *text;
    }
    *to = 0;
    return word;
}

static const char *add_word(char **words, int most, const char *text)
{
    for (int i = 0; i < most; i++) {
        if (!words[i]) {
            words[i] = unescaped(text);
            return NULL;
        }
    }
    return "the schedule has too many lines of one kind";
}

// Reads a decimal number and moves on behind it.
static bool read_count(const char **text, uint32_t *count)
{
    uint64_t value = 0;
    const char *from = *text;
    for (; **text >= '0' && **text <= '9' && value <= UINT32_MAX; ++*text)
        value = value * 10 + (uint64_t)(**text - '0');
    *count = (uint32_t)value;
    return *text > from && value <= UINT32_MAX;
}

static const char *add_name(char **names, int most, const char *text)
{
    return globals_is_name(text) ? add_word(names, most, text) : "a line with an address makes no sense";
}

static const char *read_build(struct schedule *s, const char *text)
{
    char *end;
    s->build = strtoull(text, &end, 16);
    return end != text && !*end ? NULL : "the number of the build makes no sense";
}

static const char *read_op(struct outline *o, const char *text)
{
    char *copy = unescaped(text), *rest = copy;
    char *operation = strsep(&rest, "\t"), *object = strsep(&rest, "\t"), *place = strsep(&rest, "\t");
    bool good = place && !rest && *operation;
    if (good)
        outline_add_op(o, (struct outline_op){alloc_copy(operation), alloc_copy(object), alloc_copy(place)});
    free(copy);
    return good ? NULL : "a line about an operation makes no sense";
}

static const char *read_does(struct outline *o, const char *text)
{
    for (; *text; text += *text == ' ') {
        uint32_t op, run = 1;
        bool good = read_count(&text, &op) && op < o->op_count;
        if (good && *text == '*')
            good = text++ && read_count(&text, &run) && run && run <= SCHEDULE_STEPS - o->count;
        if (!good || (*text && *text != ' ') || o->count >= SCHEDULE_STEPS)
            return "a line about what steps do makes no sense";
        while (run--)
            outline_add_event(o, op, 0);
    }
    return NULL;
}

static const char *read_thread(struct schedule *s, const char *line)
{
    uint32_t id, number, parent;
    if (sscanf(line, "%u is child %u of %u", &id, &number, &parent) != 3 || !id || id >= SCHEDULE_THREADS ||
        parent >= id)
        return "a line about a thread makes no sense";
    s->threads.thread[id].parent = parent;
    s->threads.thread[id].number = number;
    if (id >= s->threads.count)
        s->threads.count = id + 1;
    return NULL;
}

static const char *read_steps(FILE *file, struct schedule *s, uint32_t announced)
{
    char token[64];
    if (announced > SCHEDULE_STEPS)
        return "the schedule is longer than heddle can follow";
    s->step = alloc_zeroed(announced, sizeof *s->step);
    while (fscanf(file, "%63s", token) == 1) {
        if (!strcmp(token, "end"))
            return s->steps != announced         ? "the schedule has fewer steps than it says"
                   : s->outline.count > s->steps ? "the schedule describes more steps than it has"
                                                 : NULL;
        uint32_t actor, alternative = 0, run = 1;
        const char *rest = token;
        bool good = read_count(&rest, &actor) && actor < SCHEDULE_THREADS;
        if (good && *rest == ':')
            good = rest++ && read_count(&rest, &alternative) && alternative <= UINT16_MAX;
        if (good && *rest == '*')
            good = rest++ && read_count(&rest, &run) && run && run <= announced - s->steps;
        if (!good || *rest || s->steps == announced)
            return "a step makes no sense";
        while (run--)
            s->step[s->steps++] = (struct step){(uint16_t)actor, (uint16_t)alternative};
    }
    return "the schedule breaks off before its end";
}

static const char *read_round(struct schedule *s, const char *value)
{
    if (!read_count(&value, &s->round) || *value || s->round == UINT32_MAX)
        return "the schedule has a round that is no number";
    s->round++;
    return NULL;
}

static const char *read_bug(struct schedule *s, const char *kind)
{
    if (bug_by_name(kind, strlen(kind)) == BUG_KINDS)
        return "the schedule names a kind of bug that heddle does not know";
    s->bug = alloc_copy(kind);
    return NULL;
}

static const char *read_fingerprint(struct schedule *s, const char *text)
{
    bool good = strspn(text, "0123456789abcdef") == 16 && !text[16] && !s->fingerprint;
    s->fingerprint = good ? strtoull(text, NULL, 16) : 0;
    return good ? NULL : "the schedule has a fingerprint that is not one";
}

static const char *read_options(struct schedule *s, const char *text)
{
    int end = 0;
    bool good = sscanf(text, "reuse=%u leaks=%u races=%u unlock=%u%n", &s->rules.reuse, &s->rules.leaks,
                       &s->rules.races, &s->unlock_visible, &end) == 4;
    good = good && !text[end] && s->rules.reuse <= 1 && s->rules.leaks <= 1 && s->rules.races <= 2 &&
           s->unlock_visible <= 3;
    s->turns = s->unlock_visible >> 1;
    s->unlock_visible &= 1;
    return good ? NULL : "the schedule has options that heddle does not know";
}

static const char *read_openmp_threads(struct schedule *s, const char *text)
{
    uint32_t *threads = &s->rules.openmp_threads;
    bool good = read_count(&text, threads) && !*text && *threads && *threads < MAX_ACTORS;
    return good ? NULL : "the schedule has a number of OpenMP threads that makes no sense";
}

static const char *read_calendar(struct schedule *s, const char *text)
{
    bool good = read_count(&text, &s->rules.calendar) && !*text && s->rules.calendar;
    return good ? NULL : "the schedule has a beginning of the calendar that makes no sense";
}

static const char *read_memory_errors(struct schedule *s, const char *text)
{
    s->rules.memory_errors = !strcmp(text, "on");
    return s->rules.memory_errors ? NULL : "the schedule has options that heddle does not know";
}

static const char *read_spurious(struct schedule *s, const char *text)
{
    bool good = read_count(&text, &s->rules.spurious) && !*text && s->rules.spurious && s->rules.spurious <= UINT16_MAX;
    return good ? NULL : "the schedule has a number of spurious wake-ups that makes no sense";
}

static const char *read_faults(struct schedule *s, const char *text)
{
    return fault_read(text, s->rules.faults) ? "the schedule has faults that heddle does not know" : NULL;
}

static const char *read_fill(struct schedule *s, const char *text)
{
    uint32_t byte = 0;
    bool random = !strcmp(text, "random"), good = random || (read_count(&text, &byte) && !*text && byte <= UINT8_MAX);
    s->rules.fill = random ? FILL_RANDOM : FILL_BYTES + byte;
    return good ? NULL : "the schedule fills memory with something that is not a byte";
}

static const char *read_framework(struct schedule *s, const char *name)
{
    for (s->rules.framework = FRAMEWORKS - 1; s->rules.framework; s->rules.framework--)
        if (!strcmp(framework_table[s->rules.framework].name, name))
            return NULL;
    return "the schedule names a test framework that heddle does not know";
}

static const char *read_line(FILE *file, struct schedule *s, const char *key, const char *value, bool *done)
{
    uint32_t steps;
    if (!strcmp(key, "program") && !s->program)
        s->program = unescaped(value);
    else if (!strcmp(key, "source"))
        return add_word(s->sources, SCHEDULE_WORDS - 1, value);
    else if (!strcmp(key, "flag"))
        return add_word(s->flags, SCHEDULE_WORDS - 1, value);
    else if (!strcmp(key, "argument"))
        return add_word(s->arguments, SCHEDULE_WORDS - 1, value);
    else if (!strcmp(key, "directory") && !s->directory)
        s->directory = unescaped(value);
    else if (!strcmp(key, "stdin") && !s->input)
        s->input = unescaped(value);
    else if (!strcmp(key, "allow"))
        return add_word(s->kept, SCHEDULE_WORDS - 1, value);
    else if (!strcmp(key, "allow-writes"))
        return add_word(s->allowed, SCHEDULE_WORDS - 1, value);
    else if (!strcmp(key, "trust") && !s->trusted)
        s->trusted = unescaped(value);
    else if (!strcmp(key, "framework"))
        return read_framework(s, value);
    else if (!strcmp(key, "test") && !s->test)
        s->test = unescaped(value);
    else if (!strcmp(key, "client") && !s->client)
        s->client = unescaped(value);
    else if (!strcmp(key, "bug") && !s->bug)
        return read_bug(s, value);
    else if (!strcmp(key, "fingerprint"))
        return read_fingerprint(s, value);
    else if (!strcmp(key, "options"))
        return read_options(s, value);
    else if (!strcmp(key, "openmp-threads") && !s->rules.openmp_threads)
        return read_openmp_threads(s, value);
    else if (!strcmp(key, "calendar") && !s->rules.calendar)
        return read_calendar(s, value);
    else if (!strcmp(key, "memory-errors") && !s->rules.memory_errors)
        return read_memory_errors(s, value);
    else if (!strcmp(key, "spurious") && !s->rules.spurious)
        return read_spurious(s, value);
    else if (!strcmp(key, "fault"))
        return read_faults(s, value);
    else if (!strcmp(key, "round") && !s->round)
        return read_round(s, value);
    else if (!strcmp(key, "misuse") && !strcmp(value, "goes-on"))
        s->rules.outlives_all = 1;
    else if (!strcmp(key, "fill") && !s->rules.fill)
        return read_fill(s, value);
    else if (!strcmp(key, "failure") && !s->failure)
        s->failure = unescaped(value);
    else if (!strcmp(key, "build") && !s->build)
        return read_build(s, value);
    else if (!strcmp(key, "merged"))
        return add_name(s->merged, SCHEDULE_MERGED, value);
    else if (!strcmp(key, "racy"))
        return add_name(s->racy, SCHEDULE_RACY, value);
    else if (!strcmp(key, "op"))
        return read_op(&s->outline, value);
    else if (!strcmp(key, "does"))
        return read_does(&s->outline, value);
    else if (!strcmp(key, "thread"))
        return read_thread(s, value);
    else if (!strcmp(key, "steps") && read_count(&value, &steps) && !*value) {
        *done = true;
        return read_steps(file, s, steps);
    } else
        return "the schedule has a line heddle does not know";
    return NULL;
}

const char *schedule_read(FILE *file, struct schedule *s)
{
    struct buffer line = {0};
    const char *wrong = NULL;
    bool done = false;
    memset(s, 0, sizeof *s);
    s->threads.count = 1;
    if (!buffer_read_line(&line, file) || strncmp(line.text, "heddle schedule ", 16))
        wrong = "this is not a schedule of heddle";
    else if (strcmp(line.text, "heddle schedule 1\n"))
        wrong = "this schedule was written by another version of heddle";
    while (!wrong && !done && buffer_read_line(&line, file)) {
        line.text[strcspn(line.text, "\n")] = 0;
        char *value = strchr(line.text, ' ');
        if (value)
            *value++ = 0;
        wrong = read_line(file, s, line.text, value ? value : "", &done);
    }
    buffer_free(&line);
    for (uint32_t i = 0; !wrong && done && i < s->outline.count; i++)
        s->outline.actors[i] = s->step[i].actor;
    return wrong ? wrong : done ? NULL : "the schedule breaks off before its steps";
}

static void free_words(char **words)
{
    for (; *words; words++)
        free(*words);
}

void schedule_free(struct schedule *s)
{
    free(s->program);
    free_words(s->sources);
    free_words(s->flags);
    free_words(s->arguments);
    free_words(s->merged);
    free_words(s->racy);
    free(s->client);
    free(s->trusted);
    free(s->test);
    free(s->directory);
    free(s->input);
    free_words(s->kept);
    free_words(s->allowed);
    free(s->bug);
    free(s->failure);
    outline_free(&s->outline);
    free(s->step);
}
