#include "cli/suite_work.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/glob.h"
#include "build/source.h"
#include "cli/misuse.h"
#include "cli/suite.h"
#include "supervise/executable.h"
#include "supervise/framework_tests.h"
#include "supervise/keeper.h"

// An option that is of no use where only the program's calls are seen; null if there is none.
static const char *what_needs_hooks(const struct job *job)
{
    if (job->task.rules.races == RACES_EXPLORE)
        return "--races explore";
    if (job->task.rules.restart == RESTART_UNDO)
        return "--restart undo";
    return job->task.rules.restart == RESTART_VERIFY ? "--restart verify" : NULL;
}

// An executable that was there when a search began that goes on now, or begins now and is kept.
static int keep_executable(struct check *check)
{
    if (check->keeper && check->subject.preload)
        return misuse_of_check("%s", "--save needs a program that was built with `heddle cc`");
    const char *wrong = check->keeper ? keeper_take_program(check->keeper, &check->subject.program, NULL) : NULL;
    return wrong ? misuse_in_words("check", wrong) : 0;
}

// Builds the sources, or takes what was built of them when the search began.
static int build_sources(struct check *check)
{
    struct keeper *keeper = check->keeper;
    const char *wrong;
    if (keeper && keeper->resumes) {
        wrong = keeper_give_program(keeper, &check->subject.program, check->origin.sources);
        return wrong ? misuse_in_words("resume", wrong) : 0;
    }
    int status = source_build((const char *const *)check->origin.sources, (const char *const *)check->origin.flags,
                              SOURCE_WITHOUT_MAIN, &check->subject.program);
    wrong = !status && keeper ? keeper_take_program(keeper, &check->subject.program, check->origin.sources) : NULL;
    return wrong ? misuse_in_words("check", wrong) : status;
}

// An executable, or sources that are built together.
int work_find_program(struct check *check, size_t files, char *const *file)
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
        return keep_executable(check);
    }
    for (size_t i = 0; i < files; i++) {
        if (i + 1 == SCHEDULE_WORDS)
            return misuse_of_check("%s: too many sources", file[i]);
        check->origin.sources[i] = file[i];
    }
    return build_sources(check);
}

bool work_is_wanted(const struct suite *s, const char *test)
{
    return !s->pattern || glob_matches(s->pattern, test);
}

size_t work_count_wanted(const struct suite *s, const struct check *program, const struct test_list *tests)
{
    const char *slash = strrchr(program->name, '/');
    size_t count = !tests->count && work_is_wanted(s, slash ? slash + 1 : program->name);
    for (size_t i = 0; i < tests->count; i++)
        count += work_is_wanted(s, tests->names[i]);
    return count;
}

const char *work_refusal(const struct suite *s, const struct check *program, const struct test_list *tests)
{
    if (tests->count && program->schedule_path)
        return "--schedule names one file, and there is more than one test; leave it out";
    if (program->keeper && (s->apart || work_count_wanted(s, program, tests) > 1))
        return "--save keeps one search: name one program, and one of its tests with --test";
    if (program->timeline && (s->apart || work_count_wanted(s, program, tests) > 1))
        return "--timeline draws one search: name one program, and one of its tests with --test";
    if (tests->count && program->subject.arguments)
        return "tests take no arguments";
    return s->apart && program->schedule_path
               ? "--schedule names one file, and there may be more than one test; leave it out"
               : NULL;
}

const char *work_new_stem(struct suite *s, const char *program, const char *test)
{
    struct buffer stem = {0};
    if (!test && !s->apart)
        return NULL;
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

int work_check(struct check *check, const char *test, const char *stem, struct outcome *outcome)
{
    const struct job *common = check->job; // the answer of another search must not be in the job
    struct strings arguments = {0};
    enum framework framework = framework_of(check->subject.program);
    check->job = job_new();
    check->job->task = common->task;
    check->test = test;
    check->stem = stem;
    if (framework)
        framework_select(framework, &check->subject, test, &check->job->task, &arguments);
    else if (test) {
        strings_add(&arguments, "--test");
        strings_add(&arguments, test);
    }
    if (test && arguments.count) {
        check->subject.arguments = arguments.item;
        memcpy(check->origin.arguments, arguments.item, (arguments.count + 1) * sizeof *arguments.item);
    }
    int status = check_run(check, outcome);
    check->subject.arguments = test ? NULL : check->subject.arguments;
    strings_free(&arguments);
    return status;
}
