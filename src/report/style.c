#include "report/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 110, LEAST_WIDTH = 40, MOST_WIDTH = 400 };

static bool shows_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") || strstr(value, "UTF8");
    }
    return false;
}

static size_t find_width(FILE *out)
{
    struct winsize window;
    long width = 0;
    const char *columns = getenv("COLUMNS");
    if (columns)
        width = strtol(columns, NULL, 10);
    else if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &window) == 0)
        width = window.ws_col;
    if (width <= 0)
        width = DEFAULT_WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : (size_t)width;
}

void style_init(struct style *s, FILE *out, bool colour)
{
    static const struct style utf8 = {
        .utf8 = true,
        .gives = "→",
        .takes = "←",
        .becomes = "→",
        .ellipsis = "…",
        .decisive = "◀ decisive",
        .failure = "✗",
        .line = "─",
        .dots = "╌",
        .bullet = "•",
    };
    static const struct style ascii = {
        .gives = "->",
        .takes = "<-",
        .becomes = "->",
        .ellipsis = "...",
        .decisive = "<== decisive",
        .failure = "!!",
        .line = "-",
        .dots = ".",
        .bullet = "-",
    };
    *s = shows_utf8() ? utf8 : ascii;
    s->colour = colour;
    s->width = find_width(out);
}

const char *style_on(const struct style *s, enum look look)
{
    static const char *const codes[] = {[LOOK_PLAIN] = "",
                                        [LOOK_BOLD] = "\033[1m",
                                        [LOOK_FAINT] = "\033[2m",
                                        [LOOK_DECISIVE] = "\033[1;33m",
                                        [LOOK_FAILURE] = "\033[1;31m"};
    return s->colour ? codes[look] : "";
}

const char *style_off(const struct style *s, enum look look)
{
    return s->colour && look != LOOK_PLAIN ? "\033[0m" : "";
}

size_t style_columns(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

size_t style_bytes(const char *text, size_t columns)
{
    size_t at = 0;
    while (text[at] && columns) {
        at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80)
            at++;
        columns--;
    }
    return at;
}
