#include "build/assembly/assembly_as.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "build/assembly/assembly_remains.h"
#include "build/assembly/assembly_rewrite.h"
#include "build/assembly/assembly_unread.h"

static int trouble(const char *what, const char *name)
{
    fprintf(stderr, "heddle: the assembler%s %s: %s.\n", what, name, strerror(errno));
    return 2;
}

// The input among the arguments: the last one that is no option; 0 if there is none, which is standard input.
static int find_input(int argc, char **argv)
{
    static const char with_argument[] = " -o -I --defsym --MD -T ";
    int input = 0;
    for (int i = 1; i < argc; i++) {
        char spaced[16];
        snprintf(spaced, sizeof spaced, " %s ", argv[i]);
        if (argv[i][0] == '-' && strstr(with_argument, spaced))
            i++;
        else if (argv[i][0] != '-' || !strcmp(argv[i], "-") || !strcmp(argv[i], "--"))
            input = i;
    }
    return input;
}

// Makes the text standard input.
static bool feed(const char *text, size_t size)
{
    int fd = memfd_create("heddle-assembly", 0);
    if (fd < 0)
        return false;
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, text + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO && !close(fd);
}

static bool is_this(const char *path)
{
    struct stat own, other;
    return !stat("/proc/self/exe", &own) && !stat(path, &other) && own.st_dev == other.st_dev &&
           own.st_ino == other.st_ino;
}

// Becomes the first `as` of these directories that is not heddle itself.
static void become(const char *directories, char **argv)
{
    char path[PATH_MAX];
    while (directories && *directories) {
        size_t length = strcspn(directories, ":");
        snprintf(path, sizeof path, "%.*s/as", (int)length, directories);
        if (length && !access(path, X_OK) && !is_this(path)) {
            argv[0] = path;
            execv(path, argv);
        }
        directories += length + (directories[length] == ':');
    }
}

// Clang writes the prefixes of a call for thread-local storage in lines of their own, of which the assembler warns.
static bool spell_prefixes(struct buffer *text)
{
    static const char prefix[] = "\tdata16\n", same[] = "\t.byte\t0x66\n";
    const char *from = buffer_text(text), *found;
    struct buffer spelled = {0};
    if (!strstr(from, prefix))
        return false;
    for (; (found = strstr(from, prefix)); from = found + strlen(prefix)) {
        buffer_append(&spelled, from, (size_t)(found - from));
        buffer_add(&spelled, "%s", same);
    }
    buffer_add(&spelled, "%s", from);
    buffer_free(text);
    *text = spelled;
    return true;
}

int assembly_as(int argc, char **argv)
{
    int input = find_input(argc, argv);
    bool standard = !input || argv[input][0] == '-';
    FILE *file = standard ? stdin : fopen(argv[input], "r");
    if (!file)
        return trouble(" cannot read", argv[input]);
    struct buffer input_text = {0};
    if (!buffer_add_file(&input_text, file))
        return trouble(" cannot read", standard ? "standard input" : argv[input]);
    bool spelled = spell_prefixes(&input_text);
    const char *text = buffer_text(&input_text);
    size_t size = input_text.length, new_size;
    const char *rewritten = getenv("HEDDLE_UNREAD") ? unread_append(text, size, &new_size) // cluster_source.c
                                                    : assembly_rewrite(text, size, &new_size);
    const char *cleared = getenv("HEDDLE_CLEAR_DEAD")
                              ? remains_clear(rewritten ? rewritten : text, rewritten ? new_size : size, &size)
                              : NULL;
    if (cleared) {
        rewritten = cleared;
        new_size = size;
    }
    if ((rewritten || standard || spelled) && !feed(rewritten ? rewritten : text, rewritten ? new_size : size))
        return trouble(" cannot be given", "its input");
    static char from_standard_input[] = "--";
    if ((rewritten || spelled) && input)
        argv[input] = from_standard_input;
    become(getenv("COMPILER_PATH"), argv); // set by gcc: where its own assembler is
    become(getenv("PATH"), argv);
    return trouble("", "'as' cannot be run");
}
