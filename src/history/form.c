#include "history/form.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { BLOCK = 256, DEPTH = 64, FEW_KEYS = 16 };

struct form_block {
    struct form forms[BLOCK];
    struct form_block *next;
};

bool form_is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n,[(", text[at]) && text[at])
        at++;
    if (at == length || text[at] != '{')
        return false;
    at++;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    return at < length && (text[at] == '"' || text[at] == '}');
}

static bool has_byte_order_mark(const char *text, size_t length)
{
    return (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) || // UTF-8
           (length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2)));
}

void forms_open(struct forms *forms, char *text, size_t length, bool json)
{
    *forms = (struct forms){.at = text, .end = text + length, .line = 1, .json = json};
    if (has_byte_order_mark(text, length))
        forms->error = "the file begins with a byte-order mark; save it as UTF-8 without one";
}

void forms_close(struct forms *forms)
{
    for (struct form_block *block = forms->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *forms = (struct forms){0};
}

static struct form *new_form(struct forms *f, enum form_kind kind)
{
    if (!f->block || f->used == BLOCK) {
        struct form_block **next = f->block ? &f->block->next : &f->blocks;
        if (!*next)
            *next = alloc_zeroed(1, sizeof **next);
        f->block = *next;
        f->used = 0;
    }
    struct form *form = &f->block->forms[f->used++];
    *form = (struct form){.kind = kind, .line = f->line};
    return form;
}

static struct form *wrong(struct forms *f, const char *what)
{
    if (!f->error)
        f->error = what;
    return NULL;
}

static struct form *read_form(struct forms *f, int depth);

// Blanks, commas, comments; in EDN also forms that are marked as left out.
static bool skip(struct forms *f, int depth)
{
    for (; f->at < f->end; f->at++) {
        if (*f->at == '\n')
            f->line++;
        else if (!f->json && *f->at == ';')
            while (f->at + 1 < f->end && f->at[1] != '\n')
                f->at++;
        else if (!f->json && *f->at == '#' && f->at + 1 < f->end && f->at[1] == '_') {
            f->at += 2;
            if (!read_form(f, depth + 1))
                return false;
            f->at--;
        } else if (!strchr(" \t\r,", *f->at) || !*f->at)
            return true;
    }
    return true;
}

static unsigned hex(const char *at, const char *end)
{
    char digits[5] = {0};
    char *stop;
    if (end - at < 4)
        return 0x110000;
    memcpy(digits, at, 4);
    unsigned long code = strtoul(digits, &stop, 16);
    return stop == digits + 4 ? (unsigned)code : 0x110000;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else {
        if (code >= 0x10000) {
            *to++ = (char)(0xf0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 63));
        } else {
            *to++ = (char)(0xe0 | code >> 12);
        }
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

// The character after \u, with the second half of a pair; never longer than what stood there.
static char *read_code(struct forms *f, char *to)
{
    unsigned code = hex(f->at + 1, f->end);
    if (code >= 0x110000)
        return NULL;
    f->at += 4;
    if (code >= 0xd800 && code < 0xdc00 && f->end - f->at > 6 && f->at[1] == '\\' && f->at[2] == 'u') {
        unsigned low = hex(f->at + 3, f->end);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            f->at += 6;
        }
    }
    return put_utf8(to, code);
}

// Texts are decoded where they stand.
static struct form *read_text(struct forms *f)
{
    static const char letters[] = "nrtbf", meanings[] = "\n\r\t\b\f";
    struct form *form = new_form(f, FORM_TEXT);
    char *to = ++f->at;
    form->text = to;
    for (; f->at < f->end && *f->at != '"'; f->at++) {
        if (*f->at == '\n')
            f->line++;
        if (*f->at != '\\') {
            *to++ = *f->at;
            continue;
        }
        if (++f->at == f->end)
            break;
        const char *letter = *f->at ? strchr(letters, *f->at) : NULL;
        if (*f->at == 'u') {
            to = read_code(f, to);
            if (!to)
                return wrong(f, "a \\u needs four hexadecimal digits");
        } else {
            *to++ = letter ? meanings[letter - letters] : *f->at;
        }
    }
    if (f->at >= f->end) {
        f->line = form->line;
        return wrong(f, "a text does not end");
    }
    f->at++;
    form->length = (size_t)(to - form->text);
    return form;
}

static bool is_integer(const char *text, size_t length, int64_t *value)
{
    char copy[24], *end;
    if (length > 1 && text[length - 1] == 'N')
        length--;
    if (!length || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    errno = 0;
    *value = strtoll(copy, &end, 10);
    return !errno && !*end && end != copy && copy[0] != ' ' && value_is_integer(*value);
}

static struct form *read_word(struct forms *f)
{
    const char *ends = f->json ? " \t\r\n,[]{}\":" : " \t\r\n,[](){}\";";
    struct form *form = new_form(f, FORM_TEXT);
    form->text = f->at;
    while (f->at < f->end && *f->at && !strchr(ends, *f->at))
        f->at++;
    form->length = (size_t)(f->at - form->text);
    if (!form->length)
        return wrong(f, "something stands here that belongs nowhere");
    if (is_integer(form->text, form->length, &form->integer))
        form->kind = FORM_INTEGER;
    else if (form_is(form, f->json ? "null" : "nil"))
        form->kind = *form->text == ':' ? FORM_TEXT : FORM_NIL;
    else if (*form->text != ':' && (form_is(form, "true") || form_is(form, "false")))
        form->kind = *form->text == 't' ? FORM_TRUE : FORM_FALSE;
    else if (f->json && !strchr("-0123456789", *form->text))
        return wrong(f, "a word without quotes");
    return form;
}

// A key of a map as it is compared. On the outermost level :f and "f" are one key: form_get takes either.
struct map_key {
    enum form_kind kind;
    int64_t integer;
    const char *text;
    size_t length;
};

static struct map_key key_of_form(const struct form *form, bool outermost)
{
    size_t colon = outermost && form->kind == FORM_TEXT && form->length && *form->text == ':';
    return (struct map_key){form->kind, form->kind == FORM_INTEGER ? form->integer : 0, form->text + colon,
                            form->kind == FORM_TEXT ? form->length - colon : 0};
}

static int compare_keys(const void *a, const void *b)
{
    const struct map_key *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->integer != y->integer)
        return x->integer < y->integer ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->length ? memcmp(x->text, y->text, x->length) : 0;
}

// Lists and maps as keys are not compared.
static bool repeats_a_key(const struct form *map, bool outermost)
{
    struct map_key few[FEW_KEYS], *keys = map->count / 2 > FEW_KEYS ? alloc_zeroed(map->count / 2, sizeof *keys) : few;
    size_t count = 0;
    bool twice = false;
    for (const struct form *at = map->first; at; at = at->next->next)
        if (at->kind <= FORM_TEXT)
            keys[count++] = key_of_form(at, outermost);
    if (keys != few)
        qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count && !twice; i++)
        for (size_t j = keys == few ? 0 : i - 1; j < i && !twice; j++)
            twice = !compare_keys(&keys[i], &keys[j]);
    if (keys != few)
        free(keys);
    return twice;
}

static struct form *read_many(struct forms *f, enum form_kind kind, char close, int depth)
{
    struct form *form = new_form(f, kind), **last = &form->first;
    uint32_t line = f->line;
    f->at++;
    for (;;) {
        if (!skip(f, depth))
            return NULL;
        if (f->at >= f->end) {
            f->line = line;
            return wrong(f, "a list or map that begins here does not end");
        }
        if (*f->at == close)
            break;
        if (f->json && kind == FORM_MAP && form->count % 2 == 1) {
            if (*f->at != ':')
                return wrong(f, "a colon is missing after a key");
            f->at++;
            if (!skip(f, depth))
                return NULL;
        }
        if (!(*last = read_form(f, depth + 1)))
            return NULL;
        last = &(*last)->next;
        form->count++;
    }
    f->at++;
    if (kind == FORM_MAP && form->count % 2)
        return wrong(f, "a map has a key without a value");
    if (kind == FORM_MAP && repeats_a_key(form, !depth))
        return wrong(f, "a map has the same key twice");
    return form;
}

// #tag form and #record{…}, of which the tag is left out, and #{set}.
static struct form *read_tagged(struct forms *f, int depth)
{
    f->at++;
    if (f->at < f->end && *f->at == '{')
        return read_many(f, FORM_SET, '}', depth);
    if (!read_word(f) || !skip(f, depth))
        return NULL;
    return read_form(f, depth + 1);
}

static struct form *read_form(struct forms *f, int depth)
{
    if (depth > DEPTH)
        return wrong(f, "lists are nested too deeply");
    if (!skip(f, depth))
        return NULL;
    if (f->at >= f->end)
        return wrong(f, "the file ends in the middle");
    switch (*f->at) {
    case '"':
        return read_text(f);
    case '[':
        return read_many(f, FORM_LIST, ']', depth);
    case '{':
        return read_many(f, FORM_MAP, '}', depth);
    case '(':
        return f->json ? wrong(f, "something stands here that belongs nowhere") : read_many(f, FORM_LIST, ')', depth);
    case '#':
        return f->json ? wrong(f, "something stands here that belongs nowhere") : read_tagged(f, depth);
    default:
        return read_word(f);
    }
}

const struct form *forms_next(struct forms *f)
{
    f->block = f->blocks;
    f->used = 0;
    if (f->error || !skip(f, 0))
        return NULL;
    if (!f->inside && f->at < f->end && (*f->at == '[' || *f->at == '(')) {
        f->inside = true;
        f->at++;
        if (!skip(f, 0))
            return NULL;
    }
    if (f->inside && f->at < f->end && (*f->at == ']' || *f->at == ')')) {
        f->inside = false;
        f->at++;
        if (!skip(f, 0))
            return NULL;
        return f->at < f->end ? wrong(f, "something follows the list") : NULL;
    }
    if (f->at >= f->end)
        return f->inside ? wrong(f, "the list does not end") : NULL;
    return read_form(f, 0);
}

bool form_is(const struct form *form, const char *text)
{
    if (!form || form->kind != FORM_TEXT)
        return false;
    size_t length = strlen(text), colon = form->length && *form->text == ':';
    return form->length - colon == length && !memcmp(form->text + colon, text, length);
}

const struct form *form_get(const struct form *map, const char *key)
{
    if (!map || map->kind != FORM_MAP)
        return NULL;
    for (const struct form *at = map->first; at; at = at->next->next)
        if (form_is(at, key))
            return at->next;
    return NULL;
}

const struct form *form_nth(const struct form *list, uint32_t n)
{
    if (!list || list->kind != FORM_LIST || n >= list->count)
        return NULL;
    const struct form *at = list->first;
    while (n--)
        at = at->next;
    return at;
}

static void write_form(struct buffer *w, const struct form *form, struct values *values)
{
    char text[32];
    if (form->kind == FORM_TEXT) {
        buffer_append(w, form->text, form->length);
        return;
    }
    if (form->kind < FORM_LIST) {
        value_show(NULL, form_value(form, values), text, sizeof text);
        buffer_append(w, text, strlen(text));
        return;
    }
    const char *open = form->kind == FORM_LIST ? "[" : form->kind == FORM_SET ? "#{" : "{";
    buffer_append(w, open, strlen(open));
    for (const struct form *at = form->first; at; at = at->next) {
        write_form(w, at, values);
        if (at->next)
            buffer_append(w, " ", 1);
    }
    buffer_append(w, form->kind == FORM_LIST ? "]" : "}", 1);
}

int64_t form_value(const struct form *form, struct values *values)
{
    switch (form->kind) {
    case FORM_NIL:
        return VALUE_NIL;
    case FORM_FALSE:
        return VALUE_FALSE;
    case FORM_TRUE:
        return VALUE_TRUE;
    case FORM_INTEGER:
        return form->integer;
    case FORM_TEXT:
        return value_of_text(values, form->text, form->length);
    default:
        break;
    }
    struct buffer w = {0};
    write_form(&w, form, values);
    int64_t word = value_of_text(values, w.text, w.length);
    buffer_free(&w);
    return word;
}
