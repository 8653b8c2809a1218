// Gives the command heddle bad inputs: schedules, baselines, suppressions, programs and JSON that are cut off, have flipped
// bits or are otherwise damaged, and options that make no sense.
//
//     HEDDLE=…/heddle fuzz_inputs [count [first seed]]
//
// Each must end in time, without a signal and without a word of a sanitizer: refused in one sentence with status 2, or, if
// it still makes sense, with a verdict. An input that does otherwise is kept, and the command line printed.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"

enum { SECONDS = 60, MOST_WORDS = 16, TEXT = 1 << 16 };

struct bytes {
    uint8_t *at;
    size_t size;
};

enum input { SCHEDULE, BASELINE, SUPPRESSIONS, PROGRAM, REPORT, OPTIONS, INPUTS };

static const char *const input_names[INPUTS] = {"schedule", "baseline", "suppressions", "program", "report", "options"};

static struct bytes good[OPTIONS];
static const char *heddle;
static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

static struct bytes read_file(const char *path)
{
    struct stat st;
    FILE *file = fopen(path, "r");
    require(file && !fstat(fileno(file), &st));
    struct bytes b = {malloc((size_t)st.st_size + 1), (size_t)st.st_size};
    require(b.at && fread(b.at, 1, b.size, file) == b.size);
    fclose(file);
    return b;
}

static void write_file(const char *path, struct bytes b)
{
    FILE *file = fopen(path, "w");
    require(file && fwrite(b.at, 1, b.size, file) == b.size && !fclose(file) && !chmod(path, 0700));
}

// Other machine code would be another program, not a bad input.
static bool is_code(const struct bytes *b, size_t at)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)good[PROGRAM].at;
    if (b->size != good[PROGRAM].size)
        return false;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const Elf64_Phdr *p = (const Elf64_Phdr *)(const void *)(good[PROGRAM].at + header->e_phoff) + i;
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && at >= p->p_offset && at < p->p_offset + p->p_filesz)
            return true;
    }
    return false;
}

static void flip_bits(struct bytes *b)
{
    for (uint64_t n = 1 + draw(4); n-- > 0 && b->size;) {
        size_t at = draw(b->size);
        if (!is_code(b, at))
            b->at[at] ^= (uint8_t)(1u << draw(8));
    }
}

static void overwrite(struct bytes *b)
{
    size_t from = b->size ? draw(b->size) : 0;
    for (uint64_t n = 1 + draw(16); n-- > 0 && from < b->size; from++)
        if (!is_code(b, from))
            b->at[from] = (uint8_t)draw(256);
}

static void take_out(struct bytes *b)
{
    size_t from = b->size ? draw(b->size) : 0, count = b->size ? draw(b->size - from) : 0;
    memmove(b->at + from, b->at + from + count, b->size - from - count);
    b->size -= count;
}

static void put_in(struct bytes *b)
{
    // clang-format off
    static const char *const words[] = {"99999999999999999999999", "-1", "%s%n", "\n", "*", ":", "\xff\xfe", " 0 ", "0:99999",
                                        "1*4000000000", "race:", "source x.c\n", "heddle"};
    // clang-format on
    const char *word = words[draw(sizeof words / sizeof *words)];
    size_t at = draw(b->size + 1), length = strlen(word);
    b->at = realloc(b->at, b->size + length + 1);
    require(b->at);
    memmove(b->at + at + length, b->at + at, b->size - at);
    memcpy(b->at + at, word, length);
    b->size += length;
}

static struct bytes damaged(enum input which)
{
    struct bytes b = {malloc(good[which].size + 1), good[which].size};
    require(b.at);
    memcpy(b.at, good[which].at, b.size);
    switch (draw(which == PROGRAM ? 4 : 6)) {
    case 0:
        b.size = draw(b.size + 1);
        break;
    case 1:
    case 2:
        flip_bits(&b);
        break;
    case 3:
        overwrite(&b);
        break;
    case 4:
        take_out(&b);
        break;
    default:
        put_in(&b);
        break;
    }
    return b;
}

static const char *odd_value(void)
{
    static char random[64];
    // clang-format off
    static const char *const values[] = {"", "-1", "0", "1", "2", "x", "1e400", "nan", "0x10", "1e3", "99999999999999999999",
                                         "60000", "5q", "%s%n%n", "optimal", "dfs", "random", "report", "explore", "undo",
                                         "replay", "-", "--", "*", "known", "odd", "report.json", ".", "a b"};
    // clang-format on
    if (draw(4))
        return values[draw(sizeof values / sizeof *values)];
    size_t length = 1 + draw(sizeof random - 2);
    for (size_t i = 0; i < length; i++) {
        random[i] = (char)(1 + draw(255));
        if (random[i] == '/')
            random[i] = '_';
    }
    random[length] = 0;
    return random;
}

// --bare is left out: it does as many executions as it is told.
static void add_options(char **word, size_t *n)
{
    static const char *const options[] = {"strategy", "max-executions", "max-steps",    "time",         "preemptions",
                                          "seed",     "keep-going",     "races",        "reuse",        "leaks",
                                          "restart",  "output",         "directory",    "allow-writes", "trust",
                                          "schedule", "json",           "sarif",        "junit",        "annotations",
                                          "baseline", "write-baseline", "suppressions", "list",         "test",
                                          "names",    "explain",        "cflags",       "help",         "nonsense"};
    for (uint64_t count = 1 + draw(3); count-- > 0;) {
        char *text = NULL;
        const char *option = options[draw(sizeof options / sizeof *options)];
        require(asprintf(&text, draw(3) ? "--%s=%s" : "--%s", option, odd_value()) > 0);
        word[(*n)++] = text;
        if (!draw(3))
            word[(*n)++] = strdup(odd_value());
    }
}

static void make_command(enum input which, enum input as, char **word)
{
    size_t n = 0;
    word[n++] = strdup(heddle);
    word[n++] = strdup(as == SCHEDULE ? "replay" : "check");
    if (as != SCHEDULE) {
        word[n++] = strdup("--explain=0");
        word[n++] = strdup("--time=3");
    }
    if (as == BASELINE)
        word[n++] = strdup("--baseline");
    if (as == SUPPRESSIONS)
        word[n++] = strdup("--suppressions");
    if (which == OPTIONS)
        add_options(word, &n);
    else
        word[n++] = strdup(as == PROGRAM ? "./input" : "input");
    if (as == BASELINE || as == SUPPRESSIONS || (which == OPTIONS && draw(8)))
        word[n++] = strdup("./program");
    word[n] = NULL;
}

// Runs it with what it says in the files out and err; -1 if it did not end in time.
static int run(char *const *word)
{
    pid_t child = fork();
    require(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (dup2(null, 0) || dup2(out, 1) != 1 || dup2(err, 2) != 2)
            _exit(125);
        alarm(SECONDS); // stays over execve, and ends what hangs
        execv(word[0], word);
        _exit(126);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child)
        require(errno == EINTR);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? -1 : 128 + WTERMSIG(status);
    return WEXITSTATUS(status);
}

static size_t lines(const struct bytes *b)
{
    size_t count = 0;
    for (size_t i = 0; i < b->size; i++)
        count += b->at[i] == '\n';
    return count;
}

// What is wrong with how it ended; null if nothing is.
static const char *judge(int status, enum input which)
{
    static char reason[64];
    struct bytes out = read_file("out"), err = read_file("err");
    const char *wrong = NULL;
    out.at[out.size] = err.at[err.size] = 0;
    const char *said = (const char *)err.at;
    if (status == -1)
        wrong = "it did not end";
    else if (strstr(said, "Sanitizer") || strstr(said, "runtime error") || strstr(said, "internal error"))
        wrong = "a sanitizer or an invariant complains";
    else if (status > 3) {
        snprintf(reason, sizeof reason, "status %d", status);
        wrong = reason;
    } else if (status == 2 && !out.size &&
               (lines(&err) != 1 || (strncmp(said, "heddle", 6) && strncmp(said, "usage", 5))))
        wrong = "it was not refused in one sentence";
    else if (status != 2 && !out.size)
        wrong = "neither refused nor answered";
    else if (status != 2 && which != OPTIONS && err.size)
        wrong = "answered, and complained as well";
    free(out.at);
    free(err.at);
    return wrong;
}

static void complain(uint64_t seed, enum input which, char *const *word, const char *wrong)
{
    char kept[64];
    printf("seed %llu, %s: %s:", (unsigned long long)seed, input_names[which], wrong);
    for (; *word; word++)
        printf(" '%s'", *word);
    printf("\n");
    snprintf(kept, sizeof kept, "/tmp/fuzz_inputs.%llu", (unsigned long long)seed);
    if (which != OPTIONS) {
        write_file(kept, read_file("input"));
        printf("    input kept in %s\n", kept);
    }
    struct bytes err = read_file("err");
    printf("    %.*s\n", (int)(err.size < 2000 ? err.size : 2000), (const char *)err.at);
    free(err.at);
}

// One input. Returns whether heddle did right; *refused whether it said no.
static bool try(uint64_t seed, bool *refused)
{
    char *word[MOST_WORDS];
    state = seed * 0xd1342543de82ef95u + 1;
    enum input which = (enum input)(seed % INPUTS), as = which == REPORT ? (enum input)draw(REPORT) : which;
    if (which != OPTIONS) {
        struct bytes b = damaged(which);
        write_file("input", b);
        free(b.at);
    }
    make_command(which, as, word);
    int status = run(word);
    const char *wrong = judge(status, which);
    if (wrong)
        complain(seed, which, word, wrong);
    for (size_t i = 0; word[i]; i++)
        free(word[i]);
    *refused = status == 2;
    return !wrong;
}

static void prepare(const char *root)
{
    char source[4096];
    snprintf(source, sizeof source, "%s/tests/programs/deadlock_abba.c", root);
    char *const cc[] = {(char *)(uintptr_t)heddle, "cc", "-O1", "-g", "-pthread", source, "-o", "program", NULL};
    char *const check[] = {
        (char *)(uintptr_t)heddle, "check", "--explain", "0", "--json", "report.json", "--schedule", "good.hd",
        "--write-baseline",        "known", "./program", NULL};
    require(run(cc) == 0);
    require(run(check) == 1);
    good[SCHEDULE] = read_file("good.hd");
    good[BASELINE] = read_file("known");
    good[PROGRAM] = read_file("program");
    good[REPORT] = read_file("report.json");
    static const char rules[] = "# rules\nrace:counter_*\ndeadlock:*lock*\n\nleak:make_node\n*:third_party_*\n";
    good[SUPPRESSIONS] = (struct bytes){(uint8_t *)strdup(rules), sizeof rules - 1};
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type, (void)place;
    return remove(path);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t refused = 0, answered = 0, wrong = 0;
    char folder[] = "/tmp/fuzz_inputs.XXXXXX";
    const char *root = getenv("ROOT");
    heddle = getenv("HEDDLE");
    if (!heddle || !root) {
        fputs("fuzz_inputs: HEDDLE (the command) and ROOT (the source tree) must be set\n", stderr);
        return 2;
    }
    require(mkdtemp(folder) && !chdir(folder));
    prepare(root);
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool no;
        if (!try(seed, &no))
            wrong++;
        else if (no)
            refused++;
        else
            answered++;
    }
    for (int i = 0; i < OPTIONS; i++)
        free(good[i].at);
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    printf("%llu refused, %llu with a verdict, %llu wrong\n", (unsigned long long)refused, (unsigned long long)answered,
           (unsigned long long)wrong);
    return wrong != 0;
}
