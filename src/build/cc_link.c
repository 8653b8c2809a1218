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

int link_told(const struct strings *command, const char *scratch)
{
    char *path = alloc_format("%s/linker", scratch);
    int status = run_wait_aside(command, path);
    struct buffer said = {0};
    FILE *file = fopen(path, "r");
    if (file) {
        buffer_add_file(&said, file);
        fclose(file);
    }
    free(path);
    if (status && misses_main(&said))
        status = CC_NO_MAIN;
    else
        fputs(buffer_text(&said), stderr);
    buffer_free(&said);
    return status;
}
