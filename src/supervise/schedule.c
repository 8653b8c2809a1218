#include "supervise/schedule.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check/bug.h"

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

int schedule_write(FILE *file, const struct schedule *s)
{
    fputs("heddle schedule 1\n", file);
    if (s->program)
        write_words(file, "program", (char *const[]){s->program, NULL});
    write_words(file, "source", s->sources);
    write_words(file, "flag", s->flags);
    write_words(file, "argument", s->arguments);
    if (s->bug)
        fprintf(file, "bug %s\n", s->bug);
    if (s->fingerprint)
        fprintf(file, "fingerprint %016" PRIx64 "\n", s->fingerprint);
    fprintf(file, "options reuse=%u leaks=%u races=%u unlock=%u\n", s->reuse, s->leaks, s->races, s->unlock_visible);
    if (s->spurious)
        fprintf(file, "spurious %u\n", s->spurious);
    for (uint32_t i = 0; i < s->merged_count; i++)
        fprintf(file, "merged %" PRIx64 "\n", s->merged[i]);
    for (uint32_t i = 0; i < s->racy_count; i++)
        fprintf(file, "racy %" PRIx64 "\n", s->racy[i]);
    for (uint32_t i = 1; i < s->threads; i++)
        fprintf(file, "thread %u is child %u of %u\n", i, s->thread[i].number, s->thread[i].parent);
    write_steps(file, s);
    return ferror(file) ? -1 : 0;
}

static char *unescaped(const char *text)
{
    char *word = malloc(strlen(text) + 1), *to = word;
    for (; *text; text++) {
        if (*text == '\\' && text[1])
            *to++ = *++text == 'n' ? '\n' : *text;
        else
            *to++ = *text;
    }
    *to = 0;
    return word;
}

static const char *add_word(char **words, const char *text)
{
    for (int i = 0; i < SCHEDULE_WORDS - 1; i++) {
        if (!words[i]) {
            words[i] = unescaped(text);
            return NULL;
        }
    }
    return "the schedule has too many sources, flags or arguments";
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

static const char *read_address(const char *text, uint64_t *address)
{
    char *end;
    *address = strtoull(text, &end, 16);
    return end != text && !*end ? NULL : "a line with an address makes no sense";
}

static const char *read_thread(struct schedule *s, const char *line)
{
    uint32_t id, number, parent;
    if (sscanf(line, "%u is child %u of %u", &id, &number, &parent) != 3 || !id || id >= SCHEDULE_THREADS ||
        parent >= id)
        return "a line about a thread makes no sense";
    s->thread[id].parent = parent;
    s->thread[id].number = number;
    if (id >= s->threads)
        s->threads = id + 1;
    return NULL;
}

static const char *read_steps(FILE *file, struct schedule *s, uint32_t announced)
{
    char token[64];
    if (announced > SCHEDULE_STEPS)
        return "the schedule is longer than heddle can follow";
    s->step = calloc(announced + 1, sizeof *s->step);
    while (fscanf(file, "%63s", token) == 1) {
        if (!strcmp(token, "end"))
            return s->steps == announced ? NULL : "the schedule has fewer steps than it says";
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

static const char *read_bug(struct schedule *s, const char *kind)
{
    for (int i = BUG_NONE + 1; i < BUG_KINDS; i++) {
        if (!strcmp(kind, bug_names[i])) {
            s->bug = strdup(kind);
            return NULL;
        }
    }
    return "the schedule names a kind of bug that heddle does not know";
}

static const char *read_fingerprint(struct schedule *s, const char *text)
{
    bool good = strspn(text, "0123456789abcdef") == 16 && !text[16] && !s->fingerprint;
    s->fingerprint = good ? strtoull(text, NULL, 16) : 0;
    return good ? NULL : "the schedule has a fingerprint that is none";
}

static const char *read_options(struct schedule *s, const char *text)
{
    int end = 0;
    bool good = sscanf(text, "reuse=%u leaks=%u races=%u unlock=%u%n", &s->reuse, &s->leaks, &s->races,
                       &s->unlock_visible, &end) == 4;
    good = good && !text[end] && s->reuse <= 1 && s->leaks <= 1 && s->races <= 2 && s->unlock_visible <= 1;
    return good ? NULL : "the schedule has options that heddle does not know";
}

static const char *read_spurious(struct schedule *s, const char *text)
{
    bool good = read_count(&text, &s->spurious) && !*text && s->spurious && s->spurious <= UINT16_MAX;
    return good ? NULL : "the schedule has a number of spurious wake-ups that makes no sense";
}

static const char *read_line(FILE *file, struct schedule *s, const char *key, const char *value, bool *done)
{
    uint32_t steps;
    if (!strcmp(key, "program") && !s->program)
        s->program = unescaped(value);
    else if (!strcmp(key, "source"))
        return add_word(s->sources, value);
    else if (!strcmp(key, "flag"))
        return add_word(s->flags, value);
    else if (!strcmp(key, "argument"))
        return add_word(s->arguments, value);
    else if (!strcmp(key, "bug") && !s->bug)
        return read_bug(s, value);
    else if (!strcmp(key, "fingerprint"))
        return read_fingerprint(s, value);
    else if (!strcmp(key, "options"))
        return read_options(s, value);
    else if (!strcmp(key, "spurious") && !s->spurious)
        return read_spurious(s, value);
    else if (!strcmp(key, "merged") && s->merged_count < 256)
        return read_address(value, &s->merged[s->merged_count++]);
    else if (!strcmp(key, "racy") && s->racy_count < 256)
        return read_address(value, &s->racy[s->racy_count++]);
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
    char *line = NULL;
    size_t room = 0;
    const char *wrong = NULL;
    bool done = false;
    memset(s, 0, sizeof *s);
    s->threads = 1;
    if (getline(&line, &room, file) < 0 || strncmp(line, "heddle schedule ", 16))
        wrong = "this is not a schedule of heddle";
    else if (strcmp(line, "heddle schedule 1\n"))
        wrong = "this schedule was written by another version of heddle";
    while (!wrong && !done && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, ' ');
        if (value)
            *value++ = 0;
        wrong = read_line(file, s, line, value ? value : "", &done);
    }
    free(line);
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
    free(s->bug);
    free(s->step);
}
