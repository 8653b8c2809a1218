#include "cli/misuse.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

static struct buffer safe(const char *text)
{
    struct buffer out = {0};
    buffer_add_safe(&out, text, strlen(text), false);
    return out;
}

int misuse_of(const char *command, const char *format, const char *what)
{
    struct buffer word = safe(what), text = {0};
    buffer_add(&text, format, buffer_text(&word));
    fprintf(stderr, "heddle %s: %s (heddle %s --help)\n", command, buffer_text(&text), command);
    buffer_free(&word);
    buffer_free(&text);
    return 2;
}

int misuse_of_check(const char *format, const char *what)
{
    return misuse_of("check", format, what);
}

static int say(const char *command, const char *file, const char *between, const char *why)
{
    struct buffer name = safe(file), reason = safe(why);
    fprintf(stderr, "heddle %s: %s%s%s\n", command, buffer_text(&name), between, buffer_text(&reason));
    buffer_free(&name);
    buffer_free(&reason);
    return 2;
}

int misuse_of_file(const char *command, const char *file, const char *why)
{
    return say(command, file, ": ", why);
}

int misuse_file_is(const char *command, const char *file, const char *why)
{
    return say(command, file, " ", why);
}

int misuse_in_words(const char *command, const char *sentence)
{
    return say(command, sentence, "", "");
}

int misuse_of_command(const char *command)
{
    struct buffer name = safe(command);
    fprintf(stderr, "heddle: there is no command '%s'; heddle --help lists them.\n", buffer_text(&name));
    buffer_free(&name);
    return 2;
}
