// A call that only compiles becomes the compiler's with more flags. A call that links with sources is split: with
// -fsanitize=thread in it, the compiler would link its own runtime, so each source is first compiled to a temporary object,
// and the objects are linked, in the same order, without that flag.
#include "build/cc_driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/text.h"
#include "build/cc_compiler.h"
#include "build/cc_foreign.h"
#include "build/cc_key.h"
#include "build/cc_line.h"
#include "build/cc_link.h"
#include "build/cc_run.h"
#include "build/installation.h"
#include "build/program_cache.h"

// gcc writes these out in place instead of calling them, after the pass that adds the hooks: heddle would not see them.
static const char *const hidden_builtins[] = {"memcpy", "memmove", "memset", "mempcpy", "memcmp",  "bcopy",
                                              "bzero",  "bcmp",    "strcpy", "stpcpy",  "strncpy", "stpncpy",
                                              "strcat", "strncat", "strcmp", "strncmp", "sprintf", NULL};

// The compiler leaves out what it takes for useless because it knows what these do: a block that nobody reads, writes to
// one just before it is freed, whatever comes after. That may be the bug.
static const char *const heap_builtins[] = {"malloc", "calloc", "realloc", "free", NULL};

struct driver {
    struct strings compiler; // its words: the program, perhaps behind a wrapper such as ccache
    bool clang;
    struct installation installation;
    struct line line;
    bool lasting;  // this process has more to do after the compiler
    char *scratch; // for temporary objects and for the assembler's stand-in
    bool has_key;  // what is built may be there already, and is to be kept if not
    bool said;     // the compiler or the linker had something to say
};

static struct strings command_start(const struct driver *d)
{
    struct strings command = {0};
    for (size_t i = 0; i < d->compiler.count; i++)
        strings_add(&command, d->compiler.item[i]);
    return command;
}

static void add_part(struct strings *command, const struct line_part *part)
{
    strings_add(command, part->text);
    if (part->argument)
        strings_add(command, part->argument);
}

static void add_no_builtins(struct strings *command, const char *const *names)
{
    for (; *names; names++)
        strings_add_format(command, "-fno-builtin-%s", *names);
}

// Functions that are marked not to be instrumented would have native atomic accesses, which nothing tells from plain ones. But their
// indices need not be compared: which sanitizer an attribute is about is not known here.
static void add_no_exemptions(struct strings *command, bool clang)
{
    const char *harmless = clang ? "__annotate__(\"\")" : "__unused__"; // clang has a pragma that allows few others
    strings_add_format(command, "-Dno_sanitize_thread=%s", harmless);
    strings_add_format(command, "-D__no_sanitize_thread__=%s", harmless);
    strings_add(command, "-Dno_sanitize(...)=no_sanitize(\"undefined\")");
    strings_add(command, "-D__no_sanitize__(...)=__no_sanitize__(\"undefined\")");
}

// Sets the variables of a frame apart, and describes them in it (target/threads/memory/frame_variables.h). AddressSanitizer does
// that, without its checks; what it notes about addresses goes where nothing else lies.
static void add_described_frames(struct strings *command)
{
    static const char *const settings[] = {"instrument-reads=0",
                                           "instrument-writes=0",
                                           "instrument-atomics=0",
                                           "instrument-byval=0",
                                           "instrument-dynamic-allocas=0",
                                           "globals=0",
                                           "use-after-return=never",
                                           "stack-dynamic-alloca=0",
                                           "mapping-offset=0x300000000000",
                                           NULL};
    strings_add(command, "-Xclang");
    strings_add(command, "-fsanitize=address");
    for (const char *const *setting = settings; *setting; setting++) {
        strings_add(command, "-mllvm");
        strings_add_format(command, "-asan-%s", *setting);
    }
}

// Comes before the user's own flags, which may overrule it (-g0, -fno-sanitize=thread for one file).
static void add_instrumentation(struct strings *command, const struct driver *d, bool assembler)
{
    strings_add_format(command, "-B%s/", d->scratch);
    if (d->clang)
        strings_add(command, "-no-integrated-as");
    if (d->installation.include_dir[0]) {
        strings_add(command, "-idirafter");
        strings_add(command, d->installation.include_dir);
    }
    if (assembler)
        return;
    if (d->installation.include_dir[0]) { // parallel algorithms of C++ on threads that heddle follows
        strings_add(command, "-isystem");
        strings_add_format(command, "%s/heddle/cxx", d->installation.include_dir);
        strings_add(command, "-D_GLIBCXX_USE_TBB_PAR_BACKEND=0");
    }
    strings_add(command,
                d->clang ? "-fsanitize=thread,array-bounds" : "-fsanitize=thread,bounds"); // clang's would trap
    strings_add(command, "-g");
    strings_add(command, "-fno-omit-frame-pointer");
    add_no_builtins(command, heap_builtins);
    // So the compiler does not rely on std::string's functions in the library, which have no hooks.
    strings_add(command, "-D_GLIBCXX_ASSERTIONS");
    if (d->clang) {
        strings_add(command, "-mllvm");
        strings_add(command, "-tsan-distinguish-volatile");
        // Clang leaves out accesses to local variables that it takes for unknown to others. It asks that of the member that is
        // accessed and not of the whole variable, and is wrong; so it may not look into the matter at all.
        strings_add(command, "-mllvm");
        strings_add(command, "-capture-tracking-max-uses-to-explore=0");
        // Nor may it leave out the read of what is written soon after: where both are steps, others come in between.
        strings_add(command, "-mllvm");
        strings_add(command, "-tsan-instrument-read-before-write");
        if (d->line.memory_errors)
            add_described_frames(command);
        add_no_exemptions(command, true);
        return;
    }
    strings_add(command, "-fno-ipa-reference-addressable"); // keeps variables that are written only: they race, too
    strings_add(command, "-dA"); // names what is for debuggers: assembly_rewrite.c reads the sizes of structs there
    if (d->line.memory_errors) { // target/threads/memory/frame_variables.h
        strings_add(command, "-fstack-protector-strong");
        strings_add(command, "-fno-tree-slp-vectorize"); // leaves room behind arrays
    }
    strings_add(command, "-fno-tree-dce"); // keep reads whose value nobody uses, and writes that are soon overwritten
    strings_add(command, "-fno-tree-dse");
    strings_add(command, "-fno-tree-sink"); // … and reads that only some ways need
    strings_add(command, "-fno-ipa-ra"); // what a function does not name is nobody's: assembly_liveness.c relies on it
    strings_add(command, "--param");
    strings_add(command, "tsan-distinguish-volatile=1");
    add_no_builtins(command, hidden_builtins);
    add_no_exemptions(command, false);
    if (d->line.preprocesses && !d->lasting) // a user wants to see the file's own text, which need not be C
        return;
    strings_add(command, "-include");
    strings_add(command, "heddle/builtins.h"); // as a system's header, which -MMD leaves out
}

// Helpers in headers are inlined, so that the lines of their callers are known; other functions are not, so that a block of lines
// belongs to one function. Loops stay loops, so that their rounds are seen to be such.
static void add_few_inlined(struct strings *command, bool clang)
{
    static const char *const gcc_flags[] = {"-fno-inline-small-functions", "-fno-inline-functions-called-once",
                                            "-fno-inline-functions", "--param=max-completely-peel-times=0", NULL};
    static const char *const clang_flags[] = {"-finline-hint-functions", "-fno-unroll-loops", NULL};
    for (const char *const *flag = clang ? clang_flags : gcc_flags; *flag; flag++)
        strings_add(command, *flag);
}

// Comes after the user's flags. The checked variants (__memcpy_chk) would be written out in place like the plain ones.
static void add_last_word(struct strings *command, const struct driver *d, bool assembler)
{
    if (assembler)
        return;
    strings_add(command, "-U_FORTIFY_SOURCE");
    if (d->line.few_inlined)
        add_few_inlined(command, d->clang);
    if (d->clang)
        return;
    strings_add(command, "-Wno-tsan");                      // gcc's own runtime does not know fences
    strings_add(command, "-Wno-error=maybe-uninitialized"); // as it may find in code that heddle has it keep
    strings_add(command, "-Wno-error=array-bounds");        // and on the way where an index is too large
    strings_add(command, "-Wno-error=stringop-overflow");
}

// Query and compile-only calls.
static struct strings plain_command(const struct driver *d)
{
    struct strings command = command_start(d);
    bool compile = d->line.mode == LINE_COMPILE && d->line.sources;
    if (compile)
        add_instrumentation(&command, d, d->line.all_assembler);
    for (size_t i = 0; i < d->line.parts; i++)
        if (!compile || d->line.part[i].kind != PART_DROPPED)
            add_part(&command, &d->line.part[i]);
    if (compile)
        add_last_word(&command, d, d->line.all_assembler);
    return command;
}

// How much of the name is left without its suffix.
static int stem_length(const char *name)
{
    const char *base = text_file_name(name), *dot = strrchr(base, '.');
    return (int)((dot && dot != base ? dot : base + strlen(base)) - name);
}

// Names the dependency file and its target as the compiler would have, had it not been given a temporary output.
static void add_dependency_names(struct strings *command, const struct line *line, const char *source)
{
    const char *name = line->output ? line->output : text_file_name(source);
    int stem = stem_length(name);
    if (!line->dependencies)
        return;
    if (!line->dependency_file) {
        strings_add(command, "-MF");
        strings_add_format(command, "%.*s.d", stem, name);
    }
    if (line->dependency_target)
        return;
    strings_add(command, "-MQ");
    if (line->output)
        strings_add(command, name);
    else
        strings_add_format(command, "%.*s.o", stem, name);
}

// Files that gcc names after its output (coverage notes, kept temporaries) go where they would have gone.
static void add_auxiliary_place(struct strings *command, const struct driver *d)
{
    if (!d->line.auxiliary_files || d->clang)
        return;
    const char *name = d->line.output ? d->line.output : "a.out";
    strings_add(command, "-dumpdir");
    strings_add_format(command, "%.*s-", d->line.output ? stem_length(name) : 1, name);
}

// Debug information in a file of its own would be lost with the temporary object's directory.
static bool belongs_to_compiling(const struct line_part *part)
{
    return (part->kind == PART_FLAG || part->kind == PART_COMPILE_FLAG) && strcmp(part->text, "-gsplit-dwarf") != 0;
}

// `step` is -c or -E.
static struct strings compile_command(const struct driver *d, const struct line_part *source, const char *step,
                                      const char *object)
{
    struct strings command = command_start(d);
    bool assembler = part_is_assembler(source);
    add_instrumentation(&command, d, assembler);
    for (size_t i = 0; i < d->line.parts; i++)
        if (belongs_to_compiling(&d->line.part[i]))
            add_part(&command, &d->line.part[i]);
    add_dependency_names(&command, &d->line, source->text);
    add_auxiliary_place(&command, d);
    add_last_word(&command, d, assembler);
    if (d->clang)
        strings_add(&command, "-Qunused-arguments");
    if (source->language) {
        strings_add(&command, "-x");
        strings_add(&command, source->language);
    }
    strings_add(&command, step);
    strings_add(&command, source->text);
    strings_add(&command, "-o");
    strings_add(&command, object);
    return command;
}

// The compiler's messages mean that it has to be run again the next time. It would not know a terminal behind a file.
static int compile_told(struct driver *d, struct strings *command)
{
    char path[PATH_MAX];
    struct buffer text = {0};
    snprintf(path, sizeof path, "%s/compiler", d->scratch);
    if (isatty(STDERR_FILENO))
        strings_add(command, "-fdiagnostics-color=always");
    int status = run_wait_told(command, path, &text);
    fputs(buffer_text(&text), stderr);
    d->said |= text.length > 0;
    buffer_free(&text);
    return status;
}

static int compile_source(struct driver *d, const struct line_part *source, size_t number, struct strings *objects)
{
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s/%zu", d->scratch, number);
    if (mkdir(directory, 0700)) {
        fprintf(stderr, "heddle: the temporary directory '%s' cannot be made.\n", directory);
        return 2;
    }
    const char *base = strcmp(source->text, "-") ? text_file_name(source->text) : "stdin";
    const char *object = strings_add_format(objects, "%s/%.*s.o", directory, stem_length(base), base);
    struct strings command = compile_command(d, source, "-c", object);
    int status = d->has_key ? compile_told(d, &command) : run_wait(&command);
    strings_free(&command);
    return status;
}

// Compiles all sources, going on after one that fails as the compiler does; the first bad status counts.
static int compile_sources(struct driver *d, struct strings *objects)
{
    int status = 0;
    for (size_t i = 0; i < d->line.parts; i++) {
        if (d->line.part[i].kind != PART_SOURCE)
            continue;
        int own = compile_source(d, &d->line.part[i], objects->count, objects);
        status = status ? status : own;
        if (own > 128)
            break;
    }
    return status;
}

static unsigned count_foreign(const struct driver *d, const struct strings *objects)
{
    unsigned foreign = 0;
    for (size_t i = 0; i < objects->count; i++)
        foreign += foreign_in_file(objects->item[i]);
    for (size_t i = 0; i < d->line.parts; i++) {
        const struct line_part *part = &d->line.part[i];
        if (part->kind == PART_INPUT)
            foreign += foreign_in_file(part->text);
        else if (part->kind == PART_LINK_FLAG && !strncmp(part->text, "-l", 2))
            foreign += foreign_in_library(&d->line, part->argument ? part->argument : part->text + 2);
    }
    return foreign;
}

static void add_linker_word(struct strings *command, const char *word)
{
    strings_add(command, "-Xlinker");
    strings_add(command, word);
}

// First among the libraries, so that its definitions come before those of the C library and of any other. For the linker there is
// one with the same name that does not define what projects define themselves (the Makefile says which); it need not be there.
static void add_runtime(struct strings *command, const struct driver *d)
{
    char link[PATH_MAX + 32];
    snprintf(link, sizeof link, "%s/link/libheddle.so", d->installation.runtime_dir);
    add_linker_word(command, "--push-state");
    add_linker_word(command, "--no-as-needed");
    if (access(link, R_OK))
        strings_add_format(command, "%s/libheddle.so", d->installation.runtime_dir);
    else
        strings_add(command, link);
    add_linker_word(command, "--pop-state");
    add_linker_word(command, "-rpath");
    add_linker_word(command, d->installation.runtime_dir);
}

// Heddle's own runtime of OpenMP. What it does not have is left to the compiler's, which the runtime then finds and names.
static void add_openmp(struct strings *command, const struct driver *d)
{
    strings_add_format(command, "%s/libheddle-openmp.a", d->installation.runtime_dir);
    add_linker_word(command, "--as-needed"); // only the compiler's own libraries follow
    strings_add(command, "-fopenmp");
}

static bool is_library(const struct line_part *part)
{
    return (part->kind == PART_LINK_FLAG && text_begins(part->text, "-l")) ||
           (part->kind == PART_INPUT && (strstr(part->text, ".so") || text_ends(part->text, ".a")));
}

// The library's name, without what stands around it in a flag or in the name of a file.
static void put_library_name(const struct line_part *part, char *name, size_t room)
{
    bool flag = part->kind == PART_LINK_FLAG;
    const char *slash = strrchr(part->text, '/'), *file = slash ? slash + 1 : part->text;
    const char *start = flag ? (part->argument ? part->argument : part->text + 2) : file;
    start += !flag && text_begins(start, "lib") ? 3 : 0;
    const char *end = flag ? NULL : strstr(start, text_ends(start, ".a") ? ".a" : ".so");
    snprintf(name, room, "%.*s", (int)(end ? (size_t)(end - start) : strlen(start)), start);
}

static bool names_library(const struct driver *d, const char *const *names)
{
    char name[64];
    for (size_t i = 0; i < d->line.parts; i++) {
        if (!is_library(&d->line.part[i]))
            continue;
        put_library_name(&d->line.part[i], name, sizeof name);
        if (text_is_one_of(name, names))
            return true;
    }
    return false;
}

// Test frameworks that heddle has an adaptor for (src/frameworks): their libraries, and the functions that it stands in front of.
static const struct framework_link {
    const char *libraries[4], *wrapped[16];
    bool sources; // the framework is compiled with the suite: what is not called is not wrapped
} framework_links[] = {
    {.libraries = {"unity"}, .wrapped = {"UnityDefaultTestRun"}, .sources = true},
    {.libraries = {"cmocka", "cmocka-static"}, .wrapped = {"_cmocka_run_group_tests"}},
    {.libraries = {"check", "check_pic", "checkShared"},
     .wrapped = {"_tcase_add_test", "srunner_run", "srunner_run_all", "srunner_run_tagged", "_ck_assert_failed",
                 "check_get_clockid", "mkstemp", "unlink"}},
    {.libraries = {"criterion"},
     .wrapped = {"main", "criterion_internal_test_setup", "criterion_internal_test_main",
                 "criterion_internal_test_teardown", "criterion_send_assert", "cri_assert_node_send",
                 "cri_asserts_passed_incr", "criterion_abort_test", "criterion_skip_test", "criterion_continue_test",
                 "criterion_test_die"}},
    {.libraries = {"glib-2.0"},
     .wrapped = {"g_assertion_message", "g_assertion_message_expr", "g_assertion_message_cmpstr",
                 "g_assertion_message_cmpnum", "g_test_fail", "g_test_fail_printf"}},
};

// Adaptors call functions of the frameworks in the place of the program, so the libraries come once more after them.
static void add_frameworks(struct strings *command, const struct driver *d)
{
    bool any = false, archive = false;
    for (size_t i = 0; i < sizeof framework_links / sizeof *framework_links; i++) {
        const struct framework_link *link = &framework_links[i];
        bool used = names_library(d, link->libraries);
        for (size_t k = 0; (used || link->sources) && link->wrapped[k]; k++)
            strings_add_format(command, "-Wl,--wrap=%s", link->wrapped[k]);
        any |= used;
        archive |= used || link->sources;
    }
    if (archive)
        strings_add_format(command, "%s/libheddle-frameworks.a", d->installation.runtime_dir);
    if (!any)
        return;
    for (size_t i = 0; i < d->line.parts; i++)
        if (is_library(&d->line.part[i]))
            add_part(command, &d->line.part[i]);
}

// Fixed addresses, and the number of objects without hooks for the runtime to read.
static void add_executable_flags(struct strings *command, const struct driver *d, const struct strings *objects)
{
    unsigned foreign = count_foreign(d, objects);
    if (foreign)
        strings_add_format(command,
                           "-Wl,--defsym=heddle_foreign_objects=%u,--export-dynamic-symbol=heddle_foreign_objects",
                           foreign); // the runtime looks for it by name
    strings_add(command, "-no-pie");
}

static struct strings link_command(const struct driver *d, const struct strings *objects)
{
    struct strings command = command_start(d);
    size_t compiled = 0;
    if (!d->line.relocatable)
        add_runtime(&command, d);
    for (size_t i = 0; i < d->line.parts; i++) {
        const struct line_part *part = &d->line.part[i];
        if (part->kind == PART_SOURCE) {
            require(compiled < objects->count);
            strings_add(&command, objects->item[compiled++]);
        } else if (part->kind == PART_FLAG || part->kind == PART_LINK_FLAG || part->kind == PART_INPUT ||
                   part->kind == PART_OUTPUT)
            add_part(&command, part);
    }
    if (d->line.openmp && !d->line.relocatable)
        add_openmp(&command, d);
    if (!d->line.relocatable && !d->line.shared) {
        add_frameworks(&command, d);
        add_executable_flags(&command, d, objects);
    }
    if (d->clang)
        strings_add(&command, "-Qunused-arguments");
    return command;
}

static int refuse_link(const struct driver *d)
{
    if (d->line.relocatable)
        return 0;
    if (d->line.is_static) {
        fputs("heddle: static linking hides the C library from heddle; link without -static.\n", stderr);
        return 2;
    }
    if (!d->installation.runtime_dir[0]) {
        fputs("heddle: libheddle.so is neither beside the heddle command nor in ../lib/heddle; build or install it, or "
              "set "
              "HEDDLE_RUNTIME_DIR.\n",
              stderr);
        return 2;
    }
    return 0;
}

static int run_last(const struct driver *d, const struct strings *command)
{
    return d->lasting || d->scratch ? run_wait(command) : run_instead(command);
}

// Makes the directory in which the compiler finds heddle as its assembler (as.c).
// Whether the compiler may optimise: by the last -O of the command line.
static bool optimises(const struct line *line)
{
    bool more = false;
    for (size_t i = 0; i < line->parts; i++)
        if (!strncmp(line->part[i].text, "-O", 2))
            more = strcmp(line->part[i].text, "-O0") != 0;
    return more;
}

static void tell_assembler(const char *variable, bool so) // as.c
{
    if (so)
        setenv(variable, "1", 1);
    else
        unsetenv(variable);
}

static bool make_scratch(struct driver *d)
{
    char self[PATH_MAX], link[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!(d->scratch = run_scratch()))
        return false;
    tell_assembler("HEDDLE_CLEAR_DEAD", d->line.clear_dead);
    tell_assembler("HEDDLE_FLOWS", d->line.flows);
    tell_assembler("HEDDLE_DEFINED", d->line.memory_errors);
    tell_assembler("HEDDLE_READS_GONE", d->clang && optimises(&d->line)); // its hooks come last
    self[length > 0 ? length : 0] = 0;
    snprintf(link, sizeof link, "%s/as", d->scratch);
    if (length > 0 && !symlink(self, link))
        return true;
    fprintf(stderr, "heddle: '%s' cannot be made.\n", link);
    return false;
}

// Preprocesses a source and adds it to the key. Status 1: there is something wrong with it, which the compiler will say.
static int add_to_key(const struct driver *d, struct cc_key *key, const struct line_part *source)
{
    char text[PATH_MAX], path[PATH_MAX];
    struct buffer said = {0};
    snprintf(text, sizeof text, "%s/preprocessed", d->scratch);
    snprintf(path, sizeof path, "%s/preprocessor", d->scratch);
    struct strings command = compile_command(d, source, "-E", text);
    cc_key_add_command(key, &command, d->scratch);
    int status = run_wait_told(&command, path, &said);
    if (status < 128)
        status = status || said.length || !cc_key_add_source(key, source->text, text);
    unlink(text);
    buffer_free(&said);
    strings_free(&command);
    return status;
}

// The key of what is going to be built, if it has one (has_key). Returns the status of somebody who was interrupted, or 0.
static int find_key(struct driver *d, struct program_key *found)
{
    int status = 0;
    struct cc_key *key =
        d->lasting && program_cache_is_there() ? cc_key_new(&d->line, &d->compiler, &d->installation) : NULL;
    if (!key)
        return 0;
    for (size_t i = 0; !status && i < d->line.parts; i++)
        if (d->line.part[i].kind == PART_SOURCE)
            status = add_to_key(d, key, &d->line.part[i]);
    *found = cc_key_end(key);
    d->has_key = !status;
    return status > 128 ? status : 0;
}

static int compile_and_link_anew(struct driver *d)
{
    struct strings objects = {0};
    int status = compile_sources(d, &objects);
    if (!status) {
        struct strings command = link_command(d, &objects);
        status = d->lasting && d->scratch ? link_told(&command, d->scratch, &d->said) : run_last(d, &command);
        strings_free(&command);
    }
    strings_free(&objects);
    return status;
}

static int compile_and_link(struct driver *d)
{
    struct program_key key;
    int status = refuse_link(d);
    if (status)
        return status;
    if (d->line.sources && !make_scratch(d))
        return 2;
    status = find_key(d, &key);
    if (status)
        return status;
    if (d->has_key && program_cache_fetch(&key, d->line.output))
        return 0;
    status = compile_and_link_anew(d);
    if (!status && d->has_key && !d->said)
        program_cache_keep(&key, d->line.output);
    return status;
}

// The GNU assembler, which has to stand in for clang's own, does not read the Intel syntax that clang writes.
static bool asks_for_intel_syntax(const struct line *line)
{
    for (size_t i = 0; i < line->parts; i++)
        if (!strcmp(line->part[i].text, "-masm=intel"))
            return true;
    return false;
}

static int drive(struct driver *d)
{
    if (d->clang && d->line.mode != LINE_QUERY && d->line.sources && asks_for_intel_syntax(&d->line)) {
        fputs("heddle: -masm=intel cannot be combined with clang under heddle; leave it out, or use gcc.\n", stderr);
        return 2;
    }
    if (d->line.mode != LINE_QUERY && d->line.incompatible) {
        fprintf(stderr, "heddle: -fsanitize=%s cannot be combined with heddle; leave it out.\n", d->line.incompatible);
        return 2;
    }
    if (d->line.mode == LINE_LINK)
        return compile_and_link(d);
    if (d->line.mode == LINE_COMPILE && d->line.sources && !make_scratch(d))
        return 2;
    struct strings command = plain_command(d);
    int status = run_last(d, &command);
    strings_free(&command);
    return status;
}

static int drive_line(bool cxx, bool lasting, int argc, char **argv)
{
    struct driver d = {.lasting = lasting};
    int status = installation_find(&d.installation);
    if (status)
        return status;
    d.clang = compiler_find(cxx, &d.compiler);
    line_read(&d.line, argc, argv);
    status = drive(&d);
    if (d.scratch)
        run_remove(d.scratch);
    free(d.scratch);
    line_free(&d.line);
    strings_free(&d.compiler);
    return status;
}

int cc_act_as(bool cxx, int argc, char **argv)
{
    return drive_line(cxx, false, argc, argv);
}

static bool is_cxx(const char *source)
{
    static const char *const suffixes[] = {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii"};
    const char *dot = strrchr(text_file_name(source), '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(dot, suffixes[i]))
            return true;
    return false;
}

int cc_build(const char *const *sources, const char *const *extra_flags, const char *output)
{
    struct strings words = {0};
    bool cxx = false;
    strings_add(&words, "cc");
    for (; *sources; sources++) {
        cxx |= is_cxx(*sources);
        strings_add(&words, *sources);
    }
    strings_add(&words, "-O1");
    strings_add(&words, "-g");
    strings_add(&words, "-pthread");
    for (; extra_flags && *extra_flags; extra_flags++)
        strings_add(&words, *extra_flags);
    strings_add(&words, "-o");
    strings_add(&words, output);
    int status = drive_line(cxx, true, (int)words.count, words.item);
    strings_free(&words);
    return status;
}

int cc_preprocess(const char *source, const char *const *extra_flags, const char *output)
{
    struct strings words = {0};
    strings_add(&words, "cc");
    strings_add(&words, "-E");
    strings_add(&words, source);
    strings_add(&words, "-O1");
    strings_add(&words, "-pthread");
    for (; extra_flags && *extra_flags; extra_flags++)
        strings_add(&words, *extra_flags);
    strings_add(&words, "-o");
    strings_add(&words, output);
    int status = drive_line(is_cxx(source), true, (int)words.count, words.item);
    strings_free(&words);
    return status;
}
