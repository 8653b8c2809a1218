#include "build/cc_link.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "build/cc_driver.h"
#include "build/cc_run.h"

// Whether the linker misses main, and nothing else.
static bool misses_main(const struct buffer *said)
{
    size_t missing = 0, main_missing = 0;
    for (const char *at = buffer_text(said); (at = strstr(at, "undefined ")); at++) {
        bool of_main =
            !strncmp(at, "undefined reference to `main'", 29) || !strncmp(at, "undefined symbol: main\n", 23);
        missing++;
        main_missing += of_main;
    }
    return missing && missing == main_missing;
}

int link_told(const struct strings *command, const char *scratch, bool *said)
{
    char *path = alloc_format("%s/linker", scratch);
    struct buffer text = {0};
    int status = run_wait_told(command, path, &text);
    free(path);
    if (status && misses_main(&text))
        status = CC_NO_MAIN;
    else
        fputs(buffer_text(&text), stderr);
    *said |= text.length > 0;
    buffer_free(&text);
    return status;
}
