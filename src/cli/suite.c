#include "cli/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/version.h"
#include "build/source.h"
#include "cli/misuse.h"
#include "cli/suite_ahead.h"
#include "cli/suite_work.h"
#include "report/style.h"

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

static size_t widest(const struct suite *s, const struct test_list *tests)
{
    size_t width = 0;
    for (size_t i = 0; i < tests->count; i++) {
        size_t columns = work_is_wanted(s, tests->names[i]) ? style_columns(tests->names[i]) : 0;
        width = columns > width ? columns : width;
    }
    return width;
}

static void check_here(struct suite *s, const struct check *program, const char *test)
{
    struct check check = *program;
    struct outcome outcome;
    if (work_check(&check, test, work_new_stem(s, check.name, test), &outcome) == 2)
        add_without_search(s, check.name, test, "error", "the program cannot be started");
    else
        reports_add(&s->reports, &outcome.summary);
    outcome_free(&outcome);
    job_free(check.job);
}

static void report_interrupted(struct suite *s, const struct check *program, const char *test)
{
    add_without_search(s, program->name, test, "incomplete",
                       test ? "it was interrupted before this test" : "it was interrupted before this program");
}

static void report_ahead(struct suite *s, const struct check *program, const char *test)
{
    const char *why;
    const struct report_summary *summary = ahead_check(s->ahead, s->at, test, &why);
    if (summary)
        reports_add(&s->reports, summary);
    else if (why)
        add_without_search(s, program->name, test, "error", why);
    else
        report_interrupted(s, program, test);
}

// A test, or a program as a whole.
static void check_one(struct suite *s, const struct check *program, const char *test)
{
    s->found++;
    if (s->ahead)
        report_ahead(s, program, test);
    else if (run_interrupted())
        report_interrupted(s, program, test);
    else
        check_here(s, program, test);
}

static void check_tests(struct suite *s, const struct check *program, const struct test_list *tests)
{
    begin(s, true);
    reports_file(&s->reports, program->name, widest(s, tests));
    for (size_t i = 0; i < tests->count; i++)
        if (work_is_wanted(s, tests->names[i]))
            check_one(s, program, tests->names[i]);
}

static void check_whole(struct suite *s, const struct check *program)
{
    begin(s, s->apart);
    reports_file(&s->reports, program->name, style_columns(program->name));
    check_one(s, program, NULL);
}

static void print_names(struct suite *s, const struct check *program, const struct test_list *tests)
{
    for (size_t i = 0; i < tests->count; i++) {
        if (work_is_wanted(s, tests->names[i])) {
            printf("%s: %s\n", program->name, tests->names[i]);
            s->found++;
        }
    }
    if (!tests->count && work_is_wanted(s, program->name)) {
        printf("%s\n", program->name);
        s->found++;
    }
}

static int check_wanted(struct suite *s, const struct check *program, const struct test_list *tests)
{
    const char *refusal = work_refusal(s, program, tests);
    if (!work_count_wanted(s, program, tests))
        return 0;
    if (refusal)
        return misuse_of_check("%s", refusal);
    if (tests->count)
        check_tests(s, program, tests);
    else
        check_whole(s, program);
    return 0;
}

static int check_program(struct suite *s, const struct check *program)
{
    struct test_list tests;
    int status = 0;
    const char *trouble = tests_read(&tests, &program->subject);
    if (trouble)
        status = misuse_file_is("check", program->name, trouble);
    else if (s->names)
        print_names(s, program, &tests);
    else
        status = check_wanted(s, program, &tests);
    tests_free(&tests);
    return status;
}

// Makes the next program ready, unless the user wants an end before.
static int prepare(struct suite *s, char **file, struct check *check)
{
    if (s->ahead)
        return ahead_program(s->ahead, s->at, check);
    return run_interrupted() ? 0 : work_find_program(check, 1, file);
}

static int check_next(struct suite *s, char **file)
{
    struct check check = s->check;
    int built = prepare(s, file, &check);
    if (built >= WORK_INTERRUPTED)
        return built;
    if (!built && check.subject.program && (!run_interrupted() || s->ahead || s->names))
        return check_program(s, &check);
    begin(s, true);
    if (built)
        reports_file(&s->reports, *file, style_columns(*file));
    add_without_search(s, *file, NULL, built ? "error" : "incomplete",
                       built ? "it cannot be built" : "it was interrupted before this program");
    s->found += built != 0;
    return 0;
}

static int check_apart(struct suite *s, const struct strings *programs)
{
    int status = 0;
    for (; s->at < programs->count && !status; s->at++) {
        status = check_next(s, &programs->item[s->at]);
        if (s->ahead)
            ahead_leave_program(s->ahead, s->at);
        source_clean();
    }
    return status;
}

static int check_apart_by(struct suite *s, const struct strings *programs)
{
    if (s->check.job->task.workers > 1 && !(s->ahead = ahead_new(s, programs)))
        return 2;
    int status = check_apart(s, programs);
    if (s->ahead)
        ahead_free(s->ahead);
    s->ahead = NULL;
    return status;
}

// One program. Its tests are checked beside each other, if there are several.
static int check_together(struct suite *s, const struct strings *programs)
{
    struct test_list tests = {0};
    int status = work_find_program(&s->check, programs->count, programs->item);
    if (!status && s->check.job->task.workers > 1 && !tests_read(&tests, &s->check.subject) && tests.count > 1 &&
        !(s->ahead = ahead_new_of(s, &s->check)))
        status = 2;
    if (!status)
        status = check_program(s, &s->check);
    if (s->ahead)
        ahead_free(s->ahead);
    tests_free(&tests);
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
        status = s->apart ? check_apart_by(s, &programs) : check_together(s, &programs);
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
