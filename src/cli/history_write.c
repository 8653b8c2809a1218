#include "cli/history_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"

static int write_json(const struct history_writer *writer, const char *path)
{
    struct whole_file file;
    if (whole_file_or_output(&file, path) && !whole_file_close(&file, !writer->json(file.out, writer->report)))
        return 0;
    fprintf(stderr, "heddle history: %s cannot be written: %s\n", path, strerror(errno));
    return 2;
}

int history_write(const struct history_writer *writer, const char *json)
{
    const char *no = getenv("NO_COLOR");
    bool to_stdout = json && !strcmp(json, "-");
    if (!to_stdout)
        writer->text(stdout, writer->report, isatty(STDOUT_FILENO) && !(no && *no));
    int status = json ? write_json(writer, json) : 0;
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) {
        fprintf(stderr, "heddle history: the report cannot be written: %s\n", strerror(errno));
        status = 2;
    }
    return status;
}
