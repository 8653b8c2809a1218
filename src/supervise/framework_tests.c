#include "supervise/framework_tests.h"

#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/scratch.h"
#include "base/text.h"
#include "base/time.h"

enum { LIST_SECONDS = 10 };

// ---- recognising ----

static enum framework framework_by_symbol(const char *name)
{
    for (enum framework f = FRAMEWORK_NONE + 1; f < FRAMEWORKS; f++)
        if (text_begins(name, framework_table[f].sign))
            return f;
    return FRAMEWORK_NONE;
}

static enum framework look_into_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    enum framework found = FRAMEWORK_NONE;
    for (size_t i = 0; i < count && !found; i++) {
        GElf_Sym symbol;
        const char *name = gelf_getsym(data, (int)i, &symbol) ? elf_strptr(elf, header->sh_link, symbol.st_name) : NULL;
        found = name ? framework_by_symbol(name) : FRAMEWORK_NONE;
    }
    return found;
}

enum framework framework_of(const char *program)
{
    enum framework found = FRAMEWORK_NONE;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return found;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    for (Elf_Scn *section = NULL; elf && !found && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            found = look_into_symbols(elf, section, &header);
    }
    elf_end(elf);
    close(fd);
    return found;
}

// ---- running the program on its own ----

static _Noreturn void become_lister(const struct subject *subject, const char *const *words, const char *path, int out)
{
    char *argument[FRAMEWORK_WORDS + 3] = {(char *)(uintptr_t)subject->program};
    for (size_t i = 0; words[i]; i++)
        argument[i + 1] = (char *)(uintptr_t)words[i];
    int nothing = open("/dev/null", O_RDWR);
    setenv(FRAMEWORK_LIST_VARIABLE, path, 1);
    dup2(nothing, 0);
    dup2(out, 1);
    dup2(nothing, 2);
    execv(subject->program, argument);
    _exit(127);
}

// What is left of a program's time, in milliseconds.
static int left_until(double end)
{
    double left = end - time_now();
    return left > 0 ? (int)(left * 1000) + 1 : 0;
}

static bool read_until(int fd, double end, struct buffer *said)
{
    char part[4096];
    ssize_t n = 1;
    while (n > 0) {
        struct pollfd ready = {fd, POLLIN, 0};
        if (poll(&ready, 1, left_until(end)) <= 0)
            return false;
        n = read(fd, part, sizeof part);
        if (n > 0)
            buffer_append(said, part, (size_t)n);
    }
    return !n;
}

// What the program prints with these arguments, if it comes to its end.
static bool ask_program(const struct subject *subject, const char *const *words, const char *path, struct buffer *said)
{
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC))
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (!child)
        become_lister(subject, words, path, ends[1]);
    close(ends[1]);
    bool ended = child > 0 && read_until(ends[0], time_now() + LIST_SECONDS, said);
    close(ends[0]);
    if (child > 0 && !ended)
        kill(child, SIGKILL);
    return child > 0 && waitpid(child, &status, 0) == child && ended && WIFEXITED(status) && WEXITSTATUS(status) != 127;
}

// ---- reading what it says ----

static void add_name(struct strings *names, const char *name)
{
    bool known = !*name;
    for (size_t i = 0; i < names->count && !known; i++)
        known = !strcmp(names->item[i], name);
    if (!known)
        strings_add(names, name);
}

// "Suite." and below it "  Test", each perhaps with a remark behind #.
static void read_gtest(char *text, struct strings *names)
{
    struct buffer suite = {0}, name = {0};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *word = text_skip_blanks(line);
        size_t length = strcspn(word, " \t#");
        if (word == line && length && word[length - 1] == '.') {
            buffer_cut(&suite, 0);
            buffer_append(&suite, word, length);
        } else if (word > line && length && suite.length) {
            buffer_cut(&name, 0);
            buffer_add(&name, "%s%.*s", buffer_text(&suite), (int)length, word);
            if (!strstr(name.text, "DISABLED_"))
                add_name(names, name.text);
        }
    }
    buffer_free(&suite);
    buffer_free(&name);
}

// A name on each line.
static void read_lines(char *text, struct strings *names)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        size_t length = strlen(line);
        while (length && isspace((unsigned char)line[length - 1]))
            line[--length] = 0;
        add_name(names, line);
    }
}

// "/suite/test", and lines of a TAP report in between.
static void read_paths(char *text, struct strings *names)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (*line == '/')
            add_name(names, line);
}

static void read_list(enum framework framework, struct buffer *said, struct strings *names)
{
    buffer_add(said, "%s", "");
    if (framework == FRAMEWORK_GTEST)
        read_gtest(said->text, names);
    else if (framework == FRAMEWORK_GLIB)
        read_paths(said->text, names);
    else
        read_lines(said->text, names);
}

static void read_file(const char *path, struct buffer *said)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    buffer_add_file(said, file);
    fclose(file);
}

static bool list_by(enum framework framework, const struct subject *subject, const char *const *words,
                    struct strings *names)
{
    char path[4096];
    struct buffer said = {0};
    int fd = scratch_file(path, sizeof path);
    if (fd < 0)
        return false;
    close(fd);
    bool good = ask_program(subject, words, path, &said);
    if (!words[0]) {
        buffer_cut(&said, 0);
        read_file(path, &said);
    }
    if (good)
        read_list(framework, &said, names);
    unlink(path);
    buffer_free(&said);
    return names->count > 0;
}

// The tests that fit the pattern, or with null all of them.
static bool list_where(enum framework framework, const struct subject *subject, const char *pattern,
                       struct strings *names)
{
    const struct framework_traits *traits = framework_traits(framework);
    const char *const *ways[] = {traits->list, traits->list_else[0] ? traits->list_else : NULL};
    bool found = false;
    for (size_t i = 0; i < 2 && ways[i] && !found; i++) {
        const char *words[FRAMEWORK_WORDS + 1] = {NULL};
        size_t count = 0;
        for (; count < FRAMEWORK_WORDS && ways[i][count]; count++)
            words[count] = ways[i][count];
        words[count] = pattern;
        found = list_by(framework, subject, words, names);
    }
    return found;
}

bool framework_list(enum framework framework, const struct subject *subject, struct strings *names)
{
    return list_where(framework, subject, NULL, names);
}

// Whether a failed assertion makes the test fail: not one that says that it may or should.
static bool is_strict(enum framework framework, const struct subject *subject, const char *test)
{
    static struct strings lenient; // of this program
    static char *program;
    const struct framework_traits *traits = framework_traits(framework);
    if (!traits->lenient)
        return true;
    if (!program || strcmp(program, subject->program) != 0) {
        free(program);
        strings_free(&lenient);
        program = alloc_copy(subject->program);
        lenient = (struct strings){0};
        list_where(framework, subject, traits->lenient, &lenient);
    }
    for (size_t i = 0; i < lenient.count; i++)
        if (!strcmp(lenient.item[i], test))
            return false;
    return true;
}

// ---- one test ----

// What Catch2 takes for a pattern otherwise.
static void add_escaped(struct buffer *out, const char *name)
{
    for (; *name; name++) {
        if (strchr("\\,[]*~\"", *name))
            buffer_append(out, "\\", 1);
        buffer_append(out, name, 1);
    }
}

static void add_selecting(enum framework framework, const char *word, const char *test, struct strings *arguments)
{
    struct buffer text = {0};
    const char *place = strstr(word, "%s");
    buffer_append(&text, word, place ? (size_t)(place - word) : strlen(word));
    if (place && framework == FRAMEWORK_CATCH)
        add_escaped(&text, test);
    else if (place)
        buffer_add(&text, "%s", test);
    strings_add(arguments, buffer_text(&text));
    buffer_free(&text);
}

void framework_select(enum framework framework, const struct subject *subject, const char *test, struct task *task,
                      struct strings *arguments)
{
    const struct framework_traits *traits = framework_traits(framework);
    bool strict = !test || is_strict(framework, subject, test);
    task->rules.framework = strict ? framework : FRAMEWORK_NONE; // which judges by the status alone
    if (!task->only_races)
        task->rules.status_matters = 1;
    snprintf(task->outside.test, sizeof task->outside.test, "%s", test ? test : "");
    for (size_t i = 0; test && i < FRAMEWORK_WORDS && traits->select[i]; i++)
        add_selecting(framework, traits->select[i], test, arguments);
}
