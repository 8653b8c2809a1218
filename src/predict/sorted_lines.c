#include "predict/sorted_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/strings.h"
#include "base/text.h"

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *sorted_lines(int fd)
{
    struct strings lines = {0};
    struct buffer line = {0}, all = {0};
    FILE *file = lseek(fd, 0, SEEK_SET) ? NULL : fdopen(dup(fd), "r");
    while (file && buffer_read_line(&line, file))
        if (!text_begins(line.text, "--- execution ")) // what heddle puts in front
            strings_add_part(&lines, line.text, strcspn(line.text, "\n"));
    if (file)
        fclose(file);
    if (lines.count)
        qsort(lines.item, lines.count, sizeof *lines.item, by_text);
    for (size_t i = 0; i < lines.count; i++) {
        buffer_add(&all, "%s", i ? " / " : "");
        buffer_add_safe(&all, lines.item[i], strlen(lines.item[i]), false);
    }
    strings_free(&lines);
    buffer_free(&line);
    return all.text ? all.text : alloc_copy("");
}
