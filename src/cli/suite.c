#include "cli/suite.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/glob.h"
#include "base/version.h"
#include "build/source.h"
#include "cli/misuse.h"
#include "report/style.h"
#include "supervise/executable.h"
#include "supervise/tests.h"

enum { INTERRUPTED = 128 };

static bool is_folder(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

// Whether a source can be a program: it has tests or a main. What else lies in a folder is included or linked by others.
static bool is_runnable(const char *path)
{
    struct buffer text = {0};
    char part[4096];
    size_t n;
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && (n = fread(part, 1, sizeof part, file)))
        buffer_append(&text, part, n);
    if (file)
        fclose(file);
    for (size_t i = 0; i < text.length; i++) // strstr must not stop at a null byte
        if (!text.text[i])
            text.text[i] = ' ';
    for (const char *at = buffer_text(&text); !found && (at = strstr(at, "main")); at += strlen("main"))
        found = at[strlen("main") + strspn(at + strlen("main"), " \t\n")] == '(';
    found |= strstr(buffer_text(&text), "heddle_test") != NULL;
    buffer_free(&text);
    return found;
}

static int add_folder(struct strings *programs, const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, NULL, alphasort);
    if (count < 0)
        return misuse_of_file("check", folder, strerror(errno));
    size_t before = programs->count, length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, entry[i]->d_name);
        bool wanted = is_source(path) && !is_folder(path);
        if (wanted && is_runnable(path))
            strings_add(programs, path);
        else if (wanted)
            fprintf(stderr, "heddle check: %s has neither a heddle_test nor a main; it is left out\n", path);
        free(entry[i]);
    }
    free(entry);
    return programs->count > before ? 0 : misuse_of_check("%s has no source with a test", folder);
}

static void begin(struct suite *s, bool several)
{
    if (!s->begun)
        reports_begin(&s->reports, several);
    s->begun = true;
}

// Something that has no search to tell of.
static void add_without_search(struct suite *s, const char *program, const char *test, const char *verdict,
                               const char *reason)
{
    reports_add(&s->reports,
                &(struct report_summary){
                    .program = program, .test = test, .verdict = verdict, .reason = reason, .heddle = HEDDLE_VERSION});
}

// What the names of a test's schedules begin with: "queue.push-then-pop", and no two the same.
static const char *new_stem(struct suite *s, const char *program, const char *test)
{
    struct buffer stem = {0};
    const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program, *dot = strrchr(base, '.');
    buffer_append(&stem, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
    if (test)
        buffer_add(&stem, ".");
    for (; test && *test && stem.length < 100; test++) {
        bool plain = isalnum((unsigned char)*test) || *test == '_';
        if (plain || stem.text[stem.length - 1] != '-')
            buffer_append(&stem, plain ? test : "-", 1);
    }
    size_t length = stem.length;
    for (unsigned number = 2, i = 0; i < s->stems.count; i++) {
        if (strcmp(s->stems.item[i], stem.text) != 0)
            continue;
        buffer_cut(&stem, length);
        buffer_add(&stem, "~%u", number++);
        i = 0;
    }
    const char *kept = strings_add(&s->stems, stem.text);
    buffer_free(&stem);
    return kept;
}

// One search. The task is copied: the answer of the last one must not be in it.
static int check_one(struct suite *s, const struct check *program, const char *test)
{
    struct check check = *program;
    struct outcome outcome;
    char *arguments[] = {(char *)(uintptr_t) "--test", (char *)(uintptr_t)test, NULL};
    check.job = job_new();
    check.job->task = program->job->task;
    check.test = test;
    if (test || s->apart)
        check.stem = new_stem(s, check.name, test);
    if (test) {
        check.subject.arguments = arguments;
        memcpy(check.origin.arguments, arguments, sizeof arguments);
    }
    int status = check_run(&check, &outcome);
    if (status == 2)
        add_without_search(s, check.name, test, "error", "the program cannot be started");
    else
        reports_add(&s->reports, &outcome.summary);
    outcome_free(&outcome);
    job_free(check.job);
    return status;
}

static bool is_wanted(const struct suite *s, const char *name)
{
    return !s->pattern || glob_matches(s->pattern, name);
}

static size_t widest(const struct suite *s, const struct test_list *tests)
{
    size_t width = 0;
    for (size_t i = 0; i < tests->count; i++) {
        size_t columns = is_wanted(s, tests->names[i]) ? style_columns(tests->names[i]) : 0;
        width = columns > width ? columns : width;
    }
    return width;
}

static int check_tests(struct suite *s, const struct check *program, const struct test_list *tests)
{
    size_t width = widest(s, tests);
    if (!width)
        return 0;
    if (program->schedule_path)
        return misuse_of_check("%s", "--schedule names one file, and there is more than one test; leave it out");
    if (program->subject.arguments)
        return misuse_of_check("%s", "tests take no arguments");
    begin(s, true);
    reports_file(&s->reports, program->name, width);
    for (size_t i = 0; i < tests->count; i++) {
        if (!is_wanted(s, tests->names[i]))
            continue;
        s->found++;
        if (run_interrupted())
            add_without_search(s, program->name, tests->names[i], "incomplete", "it was interrupted before this test");
        else
            check_one(s, program, tests->names[i]);
    }
    return 0;
}

static int check_whole(struct suite *s, const struct check *program)
{
    const char *slash = strrchr(program->name, '/');
    if (!is_wanted(s, slash ? slash + 1 : program->name))
        return 0;
    s->found++;
    if (s->apart && program->schedule_path)
        return misuse_of_check("%s", "--schedule names one file, and there may be more than one test; leave it out");
    begin(s, s->apart);
    reports_file(&s->reports, program->name, style_columns(program->name));
    if (run_interrupted())
        add_without_search(s, program->name, NULL, "incomplete", "it was interrupted before this program");
    else
        check_one(s, program, NULL);
    return 0;
}

static void print_names(struct suite *s, const struct check *program, const struct test_list *tests)
{
    for (size_t i = 0; i < tests->count; i++) {
        if (is_wanted(s, tests->names[i])) {
            printf("%s: %s\n", program->name, tests->names[i]);
            s->found++;
        }
    }
    if (!tests->count && is_wanted(s, program->name)) {
        printf("%s\n", program->name);
        s->found++;
    }
}

static int check_program(struct suite *s, const struct check *program)
{
    struct test_list tests;
    int status = 0;
    const char *trouble = tests_read(&tests, program->subject.program);
    if (trouble)
        status = misuse_file_is("check", program->name, trouble);
    else if (s->names)
        print_names(s, program, &tests);
    else
        status = tests.count ? check_tests(s, program, &tests) : check_whole(s, program);
    tests_free(&tests);
    return status;
}

// An option that is of no use where only the program's calls are seen; null if there is none.
static const char *what_needs_hooks(const struct job *job)
{
    if (job->task.rules.races == RACES_EXPLORE)
        return "--races explore";
    if (job->task.rules.restart == RESTART_UNDO)
        return "--restart undo";
    return job->task.rules.restart == RESTART_VERIFY ? "--restart verify" : NULL;
}

// An executable, or sources that are built together.
static int find_program(struct check *check, size_t files, char *const *file)
{
    require(files > 0);
    for (size_t i = 0; i < files; i++)
        if (access(file[i], R_OK))
            return misuse_of_check("%s cannot be read: no such file, or no permission", file[i]);
    check->name = file[0];
    if (!is_source(file[0])) {
        const char *trouble = executable_trouble(file[0], &check->subject.preload);
        if (files > 1)
            return misuse_of_check("%s is one program too many", file[1]);
        if (trouble)
            return misuse_file_is("check", file[0], trouble);
        if (check->subject.preload && what_needs_hooks(check->job))
            return misuse_of_check("%s needs a program that was built with `heddle cc`", what_needs_hooks(check->job));
        check->subject.program = file[0];
        check->origin.program = file[0];
        return 0;
    }
    for (size_t i = 0; i < files; i++) {
        if (i + 1 == SCHEDULE_WORDS)
            return misuse_of_check("%s: too many sources", file[i]);
        check->origin.sources[i] = file[i];
    }
    return source_build((const char *const *)check->origin.sources, (const char *const *)check->origin.flags,
                        SOURCE_WITHOUT_MAIN, &check->subject.program);
}

static int check_apart(struct suite *s, const struct strings *programs)
{
    int status = 0;
    for (size_t i = 0; i < programs->count && !status; i++) {
        struct check check = s->check;
        int built = run_interrupted() ? 0 : find_program(&check, 1, &programs->item[i]);
        if (built >= INTERRUPTED)
            status = built;
        else if (built) {
            begin(s, true);
            reports_file(&s->reports, programs->item[i], style_columns(programs->item[i]));
            add_without_search(s, programs->item[i], NULL, "error", "it cannot be built");
            s->found++;
        } else if (run_interrupted() && !s->names) {
            begin(s, true);
            add_without_search(s, programs->item[i], NULL, "incomplete", "it was interrupted before this program");
        } else
            status = check_program(s, &check);
        source_clean();
    }
    return status;
}

static int check_together(struct suite *s, const struct strings *programs)
{
    int status = find_program(&s->check, programs->count, programs->item);
    if (!status)
        status = check_program(s, &s->check);
    source_clean();
    return status;
}

static int expand(struct suite *s, struct strings *programs, int operands, char **operand)
{
    int status = operands ? 0 : misuse_of_check("%s", "name a C file, a folder or a program");
    for (int i = 0; i < operands && !status; i++) {
        if (is_folder(operand[i]) && !is_source(operand[i])) {
            s->apart = true;
            status = add_folder(programs, operand[i]);
        } else
            strings_add(programs, operand[i]);
    }
    return status;
}

int suite_run(struct suite *s, int operands, char **operand)
{
    struct strings programs = {0};
    int status = expand(s, &programs, operands, operand);
    if (!status)
        status = s->apart ? check_apart(s, &programs) : check_together(s, &programs);
    if (!status && !s->found)
        status = misuse_of_check("no test fits %s", s->pattern ? s->pattern : "");
    if (s->begun) {
        int worst = reports_end(&s->reports);
        status = status ? status : worst;
    }
    strings_free(&programs);
    strings_free(&s->stems);
    return status;
}
