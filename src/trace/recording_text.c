#include "trace/recording_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { MAX_WORDS = 9, DEFAULT_SIZE = 4 };

struct text_reader {
    struct recording *r;
    struct table threads, names; // by name
    uint32_t *block_of;          // for each name the block that it stands for now; NOT_RECORDED: none yet
    size_t name_room;
    uint32_t line;
    char *wrong;
};

static bool say_wrong(struct text_reader *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool say_wrong(struct text_reader *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = alloc_format_list(format, arguments);
    va_end(arguments);
    free(t->wrong);
    t->wrong = alloc_format("%s:%u: %s", t->r->path, t->line, what);
    free(what);
    return false;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 0);
    return !*end && !errno;
}

static uint32_t thread_named(struct text_reader *t, const char *name, uint32_t parent)
{
    bool added;
    uint32_t number = table_add_text(&t->threads, name, &added);
    if (added && recording_thread(t->r, name, parent) == NOT_RECORDED) {
        say_wrong(t, "there are more threads than heddle can tell apart.");
        return NOT_RECORDED;
    }
    return number;
}

static uint32_t new_block(struct text_reader *t, uint32_t name, enum block_kind kind, uint64_t size)
{
    struct recorded_block block = {
        .kind = kind, .name = table_text(&t->names, name), .size = size, .place = NOT_RECORDED, .thread = NOT_RECORDED};
    return t->block_of[name] = recording_block(t->r, &block);
}

static uint32_t name_number(struct text_reader *t, const char *name)
{
    bool added;
    uint32_t number = table_add_text(&t->names, name, &added);
    if (added) {
        t->block_of = alloc_grow(t->block_of, number, &t->name_room, sizeof *t->block_of);
        t->block_of[number] = NOT_RECORDED;
    }
    return number;
}

static uint32_t block_named(struct text_reader *t, const char *name)
{
    uint32_t number = name_number(t, name);
    uint32_t block = t->block_of[number];
    return block == NOT_RECORDED ? new_block(t, number, BLOCK_GLOBAL, 0) : block;
}

// NAME[+OFFSET][:SIZE]
struct location {
    uint32_t block, size;
    uint64_t offset;
};

static bool read_location(struct text_reader *t, const char *word, struct location *at)
{
    char *name = alloc_copy(word);
    char *size = strchr(name, ':');
    if (size)
        *size++ = 0;
    char *offset = strchr(name, '+');
    if (offset)
        *offset++ = 0;
    uint64_t bytes = DEFAULT_SIZE;
    at->offset = 0;
    bool good = *name && (!size || (read_number(size, &bytes) && bytes && bytes <= UINT32_MAX)) &&
                (!offset || (read_number(offset, &at->offset) && at->offset < UINT64_MAX / 2));
    if (good) {
        at->size = (uint32_t)bytes;
        at->block = block_named(t, name);
    } else {
        say_wrong(t, "\"%.40s\" is no variable: NAME, NAME+OFFSET or NAME+OFFSET:SIZE.", word);
    }
    free(name);
    return good;
}

static const int object_of[RECORD_KINDS] = {
    [RECORD_LOCK] = 1 + OBJECT_MUTEX,
    [RECORD_LOCK_SHARED] = 1 + OBJECT_RWLOCK,
    [RECORD_UNLOCK] = 1 + OBJECT_MUTEX,
    [RECORD_WAIT_BEGIN] = 1 + OBJECT_CONDITION,
    [RECORD_WAIT_END] = 1 + OBJECT_CONDITION,
    [RECORD_SIGNAL] = 1 + OBJECT_CONDITION,
    [RECORD_BROADCAST] = 1 + OBJECT_CONDITION,
    [RECORD_BARRIER_ENTER] = 1 + OBJECT_BARRIER,
    [RECORD_BARRIER_LEAVE] = 1 + OBJECT_BARRIER,
    [RECORD_POST] = 1 + OBJECT_SEMAPHORE,
    [RECORD_TAKE] = 1 + OBJECT_SEMAPHORE,
    [RECORD_ONCE_BEGIN] = 1 + OBJECT_ONCE,
    [RECORD_ONCE_END] = 1 + OBJECT_ONCE,
    [RECORD_ONCE_PASS] = 1 + OBJECT_ONCE,
};

static uint32_t object_named(struct text_reader *t, enum object_kind kind, const char *word)
{
    struct location at;
    if (!read_location(t, word, &at))
        return NOT_RECORDED;
    // Mutexes and readers–writer locks are taken by the same word; what it is shows when somebody shares it.
    uint32_t number = recording_object(t->r, kind == OBJECT_RWLOCK ? OBJECT_MUTEX : kind, at.block, at.offset);
    if (kind == OBJECT_RWLOCK)
        t->r->objects[number].kind = OBJECT_RWLOCK;
    return number;
}

static const char *const region_names[] = {
    [REGION_FUNCTION] = "function", [REGION_ROUND] = "round", [REGION_ATOMIC] = "atomic"};

static bool read_region(struct text_reader *t, struct record *record, const char *word)
{
    for (uint32_t k = 0; k < sizeof region_names / sizeof *region_names; k++)
        if (!strcmp(word, region_names[k])) {
            record->object = k;
            return true;
        }
    return say_wrong(t, "a region is a function, a round or atomic, not \"%s\".", word);
}

static bool read_block(struct text_reader *t, struct record *record, const char *word, const char *size)
{
    uint64_t bytes = 0;
    if (size && !read_number(size, &bytes))
        return say_wrong(t, "\"%s\" is no size.", size);
    if (record->kind == RECORD_RELEASE) {
        record->object = block_named(t, word);
        return true;
    }
    record->object = new_block(t, name_number(t, word), BLOCK_HEAP, bytes);
    t->r->blocks[record->object].thread = record->thread;
    t->r->blocks[record->object].place = record->place;
    return true;
}

// VALUE, BEFORE->AFTER, or BEFORE->?
static bool read_values(struct text_reader *t, struct record *record, const char *word)
{
    struct recorded_values v = {.before_known = true};
    char *before = alloc_copy(word), *after = strstr(before, "->");
    if (after) {
        *after = 0;
        after += 2;
    }
    bool unseen = after && !strcmp(after, "?");
    bool good = read_number(before, &v.before) && (!after || unseen || read_number(after, &v.after));
    v.after_known = !unseen;
    if (!after)
        v.after = v.before;
    if (good)
        record->other = recording_values(t->r, v);
    else
        say_wrong(t, "\"%s\" is no value: VALUE, or BEFORE->AFTER.", word);
    free(before);
    return good;
}

// What the record is about: `word` and `other` are what stands behind the action; null if nothing does.
static bool read_object(struct text_reader *t, struct record *record, const char *word, const char *other)
{
    uint64_t number = 0;
    if (record->kind == RECORD_BEGIN || record->kind == RECORD_END)
        return word ? say_wrong(t, "nothing stands behind \"%s\".", record_table[record->kind].name) : true;
    if (!word)
        return say_wrong(t, "what does it %s?", record_table[record->kind].name);
    if (record->kind == RECORD_REGION_BEGIN || record->kind == RECORD_REGION_END)
        return read_region(t, record, word);
    if (record->kind == RECORD_ALLOCATE || record->kind == RECORD_RELEASE)
        return read_block(t, record, word, other);
    if (record->kind == RECORD_CREATE || record->kind == RECORD_JOIN) {
        if (record->kind == RECORD_JOIN && table_find_text(&t->threads, word) == TABLE_NONE)
            return say_wrong(t, "there is no thread %s.", word);
        if (record->kind == RECORD_CREATE && table_find_text(&t->threads, word) != TABLE_NONE)
            return say_wrong(t, "there is a thread %s already.", word);
        return (record->object = thread_named(t, word, record->thread)) != NOT_RECORDED;
    }
    if (record_table[record->kind].access) {
        struct location at;
        if (!read_location(t, word, &at))
            return false;
        record->object = recording_variable(t->r, at.block, at.offset, at.size);
        return !other || read_values(t, record, other);
    }
    if ((record->object = object_named(t, (enum object_kind)(object_of[record->kind] - 1), word)) == NOT_RECORDED)
        return false;
    if (record->kind == RECORD_WAIT_BEGIN || record->kind == RECORD_WAIT_END) {
        if (!other)
            return say_wrong(t, "which mutex is waited with?");
        return (record->other = object_named(t, OBJECT_MUTEX, other)) != NOT_RECORDED;
    }
    if (other && (!read_number(other, &number) || number >= UINT32_MAX))
        return say_wrong(t, "\"%s\" is no number.", other);
    record->other = (uint32_t)number;
    return true;
}

static bool read_place(struct text_reader *t, char *word, uint32_t *place)
{
    struct recorded_place p = {.file = word + 1};
    char *line = strchr(word, ':');
    uint64_t number = 0;
    if (line) {
        *line++ = 0;
        char *function = strchr(line, ':');
        if (function) {
            *function++ = 0;
            p.function = function;
        }
        if (!read_number(line, &number) || number >= UINT32_MAX)
            return say_wrong(t, "\"%s\" is no line of a file.", line);
    }
    p.line = (uint32_t)number;
    *place = recording_place(t->r, &p);
    return true;
}

static bool read_flag(struct record *record, const char *word)
{
    static const struct {
        const char *word;
        enum record_flag flag;
    } flags[] = {
        {"fail", RECORD_FAILED}, {"acquire", RECORD_ACQUIRE}, {"release", RECORD_RELEASES}, {"try", RECORD_TRIED}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].word)) {
            record->flags |= (uint8_t)flags[i].flag;
            return true;
        }
    return false;
}

static bool read_record(struct text_reader *t, char **words, uint32_t count)
{
    struct record record = {.object = NOT_RECORDED, .place = NOT_RECORDED};
    for (record.kind = 1; record.kind < RECORD_KINDS && strcmp(words[1], record_table[record.kind].name);)
        record.kind++;
    if (record.kind == RECORD_KINDS)
        return say_wrong(t, "there is no action \"%.40s\".", words[1]);
    uint32_t thread = thread_named(t, words[0], NOT_RECORDED);
    if (thread == NOT_RECORDED)
        return false;
    record.thread = (uint16_t)thread;
    const char *what[2] = {NULL, NULL};
    uint32_t found = 0;
    for (uint32_t i = 2; i < count; i++) {
        if (*words[i] == '@') {
            if (!read_place(t, words[i], &record.place))
                return false;
        } else if (!read_flag(&record, words[i])) {
            if (found == 2)
                return say_wrong(t, "\"%s\" means nothing here.", words[i]);
            what[found++] = words[i];
        }
    }
    if (!read_object(t, &record, what[0], what[1]))
        return false;
    recording_add(t->r, record);
    return true;
}

static void read_program(struct text_reader *t, char **words, uint32_t count)
{
    t->r->program = recording_word(t->r, words[1]);
    for (char **a = t->r->arguments; a && *a; a++)
        free(*a);
    free(t->r->arguments);
    t->r->arguments = alloc_zeroed(count, sizeof *t->r->arguments);
    for (uint32_t i = 2; i < count; i++)
        t->r->arguments[i - 2] = alloc_copy(words[i]);
}

static bool read_semaphore(struct text_reader *t, char **words, uint32_t count)
{
    uint64_t value;
    if (count != 3 || !read_number(words[2], &value) || value > INT32_MAX)
        return say_wrong(t, "a semaphore has a name and a value.");
    uint32_t object = object_named(t, OBJECT_SEMAPHORE, words[1]);
    if (object != NOT_RECORDED)
        t->r->objects[object].initial = (uint32_t)value;
    return object != NOT_RECORDED;
}

static bool read_words(struct text_reader *t, const char *line, char **words, uint32_t count)
{
    if (!count)
        return true;
    if (!strcmp(words[0], "cut") && count > 1) {
        t->r->cut = recording_word(t->r, line + strspn(line, " \t") + 4);
        return true;
    }
    if (count > MAX_WORDS && strcmp(words[0], "program"))
        return say_wrong(t, "too many words.");
    if (count == 1)
        return say_wrong(t, "what does %.40s do?", words[0]);
    if (!strcmp(words[0], "program"))
        read_program(t, words, count);
    else if (!strcmp(words[0], "semaphore"))
        return read_semaphore(t, words, count);
    else
        return read_record(t, words, count);
    return true;
}

static bool read_text_line(struct text_reader *t, char *line)
{
    line[strcspn(line, "#\n")] = 0;
    char *copy = alloc_copy(line);
    char **words = NULL;
    size_t room = 0;
    uint32_t count = 0;
    for (char *at = line, *word; (word = strtok_r(at, " \t\r", &at));) {
        words = alloc_grow(words, count, &room, sizeof *words);
        words[count++] = word;
    }
    bool good = read_words(t, copy, words, count);
    free(words);
    free(copy);
    return good;
}

static bool is_text(const struct buffer *line)
{
    for (size_t i = 0; i < line->length; i++)
        if (iscntrl((unsigned char)line->text[i]) && !isspace((unsigned char)line->text[i]))
            return false;
    return true;
}

struct recording *recording_read_text(FILE *file, const char *path, char **wrong)
{
    struct text_reader t = {.r = recording_new()};
    t.r->path = recording_word(t.r, path);
    struct buffer line = {0};
    bool good = true;
    while (good && buffer_read_line(&line, file)) {
        t.line++;
        good = is_text(&line) ? read_text_line(&t, line.text) : say_wrong(&t, "this is no recording, and no text.");
    }
    if (good && ferror(file))
        good = say_wrong(&t, "%s.", strerror(errno));
    buffer_free(&line);
    table_free(&t.threads);
    table_free(&t.names);
    free(t.block_of);
    *wrong = t.wrong;
    if (good) {
        recording_finish(t.r);
        return t.r;
    }
    recording_free(t.r);
    return NULL;
}
