#include "build/cc_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"

enum { RESPONSE_NESTING = 16 };

// Options whose argument is the next word. Those of one letter may have it attached too.
static const char with_argument[] =
    " -o -x -I -D -U -L -l -u -T -e -z -A -B -MF -MT -MQ -MJ -include -imacros -include-pch "
    "-isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot -imultilib "
    "-cxx-isystem -ivfsoverlay --sysroot --param -Xlinker -Xassembler -Xpreprocessor -Xclang -mllvm "
    "-target -arch -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper -Tbss -Tdata -Ttext "
    "-gcc-toolchain -serialize-diagnostics --serialize-diagnostics -working-directory "
    "--include-directory --define-macro --undefine-macro ";

static const char ends_before_link[] = " -c -S -E -M -MM -fsyntax-only --compile --assemble --preprocess ";

static const char queries[] =
    " --version --help --target-help -dumpspecs -dumpversion -dumpfullversion -dumpmachine -### -V "
    "-qversion ";

static const char source_suffixes[] =
    " c i ii cc cp cxx cpp CPP c++ C ixx cppm m mi mm M mii s S sx f for ftn F FOR fpp f90 f95 f03 f08 "
    "F90 F95 F03 F08 ll ";

static const char header_suffixes[] = " h hh H hp hxx hpp HPP h++ tcc ";

static const char auxiliary_flags[] =
    " --coverage -coverage -ftest-coverage -fprofile-arcs -fstack-usage -save-temps --save-temps ";

// Whether a list, written with a space around every word, has this word.
static bool among(const char *word, const char *list)
{
    size_t length = strlen(word);
    if (strchr(word, ' '))
        return false;
    for (const char *at = list; length && (at = strstr(at, word)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

// Reads a whole regular file; null if there is none, which the compiler takes as a plain word too.
static char *read_response(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    struct buffer text = {0};
    if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode) || !buffer_add_file(&text, file))
        buffer_free(&text);
    fclose(file);
    return text.text;
}

// Takes one word off *text in place, as the compilers do: quotes of both kinds, and a backslash before any character.
static char *next_word(char **text)
{
    char *from = *text + strspn(*text, " \t\r\n\v\f");
    if (!*from)
        return NULL;
    char *word = from, *to = from, quote = 0;
    for (; *from; from++) {
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (quote ? *from == quote : *from == '\'' || *from == '"')
            quote = quote ? 0 : *from;
        else if (!quote && strchr(" \t\r\n\v\f", *from))
            break;
        else
            *to++ = *from;
    }
    *text = *from ? from + 1 : from;
    *to = 0;
    return word;
}

static void add_word(struct line *line, const char *word, int depth)
{
    char *text = word[0] == '@' && depth < RESPONSE_NESTING ? read_response(word + 1) : NULL;
    if (!text) {
        strings_add(&line->words, word);
        return;
    }
    char *rest = text, *inner;
    while ((inner = next_word(&rest)))
        add_word(line, inner, depth + 1);
    free(text);
}

// Keeps what heddle can live with of -fsanitize=LIST; `thread` is what heddle adds itself.
static void read_sanitizers(struct line *line, struct line_part *part)
{
    static const char incompatible[] = " address leak memory hwaddress kernel-address kernel-hwaddress dataflow ";
    char kept[256] = "-fsanitize=";
    size_t start = strlen(kept);
    char *list = alloc_copy(part->text + start), *rest = list, *name;
    while ((name = strsep(&rest, ","))) {
        if (among(name, incompatible))
            line->incompatible = strings_add(&line->words, name);
        if (strcmp(name, "thread") && strlen(kept) + strlen(name) + 2 < sizeof kept) {
            strcat(kept, kept[start] ? "," : "");
            strcat(kept, name);
        }
    }
    free(list);
    if (!kept[start])
        part->kind = PART_DROPPED;
    else
        part->text = strings_add(&line->words, kept);
}

static bool is_link_flag(const char *word)
{
    static const char whole[] = " -s -rdynamic -z -u -e -T -Xlinker -Tbss -Tdata -Ttext ";
    return among(word, whole) || text_begins(word, "-l") || text_begins(word, "-L") || text_begins(word, "-Wl,") ||
           (text_begins(word, "-T") && word[2]);
}

// The runtime of OpenMP is heddle's own (src/openmp), which the driver adds.
static bool is_openmp_library(const struct line_part *part)
{
    static const char libraries[] = " gomp omp omp5 iomp5 :libgomp.so.1 :libomp.so.5 ";
    return text_begins(part->text, "-l") && among(part->argument ? part->argument : part->text + 2, libraries);
}

// The same by its path, as CMake has it.
static bool is_openmp_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return text_begins(name, "libgomp.so") || text_begins(name, "libomp.so") || text_begins(name, "libomp5.so") ||
           text_begins(name, "libiomp5.so") || !strcmp(name, "libgomp.a");
}

static bool is_openmp_flag(const char *word)
{
    return !strcmp(word, "-fopenmp") || text_begins(word, "-fopenmp=");
}

static bool is_compile_flag(const char *word)
{
    return text_begins(word, "-M") || text_begins(word, "-Wp,") || is_openmp_flag(word) || !strcmp(word, "-include") ||
           !strcmp(word, "-imacros");
}

// Position-independent executables would put the program elsewhere in every run; link-time optimisation would inline and
// merge across the hooks, and its objects hold nothing to look at. Profiling and split stacks call libgcc and the C library at
// every function, with memory of their own that no hook tells of. --clear-dead, --few-inlined, --flows and --memory-errors are for
// heddle itself.
static bool is_dropped(const char *word)
{
    static const char whole[] =
        " -pie --pie -Wl,-pie -Wl,--pie -fwhole-program -p -pg -mfentry -fsplit-stack --clear-dead "
        "--few-inlined --flows --memory-errors ";
    return among(word, whole) || text_begins(word, "-flto") || text_begins(word, "-fuse-linker-plugin");
}

static void note_flag(struct line *line, const struct line_part *part)
{
    const char *word = part->text;
    line->shared |= !strcmp(word, "-shared") || !strcmp(word, "--shared");
    line->relocatable |= !strcmp(word, "-r") || !strcmp(word, "-Wl,-r") || !strcmp(word, "-Wl,--relocatable");
    line->is_static |= !strcmp(word, "-static") || !strcmp(word, "--static") || !strcmp(word, "-static-pie");
    line->dependencies |= !strcmp(word, "-MD") || !strcmp(word, "-MMD");
    line->dependency_file |= text_begins(word, "-MF");
    line->dependency_target |= text_begins(word, "-MT") || text_begins(word, "-MQ");
    line->preprocesses |= !strcmp(word, "-E") || !strcmp(word, "--preprocess");
    line->openmp |= is_openmp_flag(word) || is_openmp_library(part);
    line->clear_dead |= !strcmp(word, "--clear-dead");
    line->memory_errors |= !strcmp(word, "--memory-errors");
    line->flows |= !strcmp(word, "--flows");
    line->few_inlined |= !strcmp(word, "--few-inlined");
    line->auxiliary_files |= among(word, auxiliary_flags) || text_begins(word, "-save-temps=");
}

static void read_output(struct line *line, struct line_part *part)
{
    part->kind = PART_OUTPUT;
    line->output = part->argument ? part->argument : part->text + 2;
}

static void read_flag(struct line *line, struct line_part *part)
{
    const char *word = part->text;
    note_flag(line, part);
    if (text_begins(word, "-fsanitize="))
        read_sanitizers(line, part);
    else if (is_dropped(word) || is_openmp_library(part))
        part->kind = PART_DROPPED;
    else if (is_link_flag(word))
        part->kind = PART_LINK_FLAG;
    else if (is_compile_flag(word))
        part->kind = PART_COMPILE_FLAG;
    if (among(word, ends_before_link) && line->mode == LINE_LINK)
        line->mode = LINE_COMPILE;
    if (among(word, queries) || text_begins(word, "--help=") || text_begins(word, "-print-") ||
        text_begins(word, "--print-"))
        line->mode = LINE_QUERY;
}

bool part_is_assembler(const struct line_part *source)
{
    if (source->language)
        return text_begins(source->language, "assembler");
    const char *suffix = suffix_of(source->text);
    return !strcmp(suffix, "s") || !strcmp(suffix, "S") || !strcmp(suffix, "sx");
}

// Returns whether it is a header, which is compiled by itself and never linked.
static bool read_input(struct line *line, struct line_part *part, const char *language)
{
    const char *suffix = suffix_of(part->text);
    bool header = language ? strstr(language, "header") != NULL : among(suffix, header_suffixes);
    if (!language && !header && strcmp(part->text, "-") && !among(suffix, source_suffixes)) {
        bool openmp = is_openmp_file(part->text);
        part->kind = openmp ? PART_DROPPED : PART_INPUT;
        line->openmp |= openmp;
        return false;
    }
    part->kind = PART_SOURCE;
    part->language = language;
    line->sources++;
    line->all_assembler &= part_is_assembler(part);
    return header;
}

// Takes -x LANG into account from here on.
static const char *read_language(struct line_part *part)
{
    part->kind = PART_LANGUAGE;
    const char *language = part->argument ? part->argument : part->text + 2;
    return strcmp(language, "none") ? language : NULL;
}

static void read_parts(struct line *line, size_t count)
{
    const char *language = NULL;
    size_t inputs = 0;
    bool headers = false;
    for (size_t i = 0; i < count; i++) {
        struct line_part *part = &line->part[line->parts++];
        part->text = line->words.item[i];
        if (part->text[0] != '-' || !part->text[1]) {
            headers |= read_input(line, part, language);
            inputs++;
            continue;
        }
        if (among(part->text, with_argument) && i + 1 < count)
            part->argument = line->words.item[++i];
        inputs += text_begins(part->text, "-l");
        if (text_begins(part->text, "-x"))
            language = read_language(part);
        else if (text_begins(part->text, "-o") && !text_begins(part->text, "-objc"))
            read_output(line, part);
        else
            read_flag(line, part);
    }
    if (headers && line->mode == LINE_LINK)
        line->mode = LINE_COMPILE;
    if (!inputs)
        line->mode = LINE_QUERY;
}

void line_read(struct line *line, int argc, char **argv)
{
    *line = (struct line){.mode = LINE_LINK, .all_assembler = true};
    for (int i = 1; i < argc; i++)
        add_word(line, argv[i], 0);
    size_t count = line->words.count;
    line->part = alloc_zeroed(count + 1, sizeof *line->part);
    read_parts(line, count);
    line->all_assembler &= line->sources > 0;
}

void line_free(struct line *line)
{
    free(line->part);
    strings_free(&line->words);
}
