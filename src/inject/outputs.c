#include "inject/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

// Reads the whole file; false with errno set if that cannot be done.
static bool keep_file(struct output_file *f, const struct stat *about)
{
    int fd = open(f->path, O_RDONLY | O_CLOEXEC);
    size_t room = (size_t)about->st_size;
    if (fd < 0)
        return false;
    f->bytes = alloc_zeroed(room + 1, 1);
    f->mode = about->st_mode & 07777;
    ssize_t n = 1;
    while (f->size < room && (n = read(fd, f->bytes + f->size, room - f->size)) > 0)
        f->size += (size_t)n;
    int error = errno;
    close(fd);
    errno = error;
    return n >= 0;
}

const char *outputs_keep(struct outputs *o, char **paths)
{
    memset(o, 0, sizeof *o);
    while (paths && paths[o->count])
        o->count++;
    o->files = alloc_zeroed(o->count + 1, sizeof *o->files);
    for (size_t i = 0; i < o->count; i++) {
        struct stat about;
        o->files[i].path = paths[i];
        if (stat(paths[i], &about))
            continue;
        if (!S_ISREG(about.st_mode))
            o->files[i].path = NULL;
        else if (!keep_file(&o->files[i], &about))
            return strerror(errno);
    }
    return NULL;
}

static bool write_back(const struct output_file *f)
{
    int fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, f->mode);
    size_t done = 0;
    ssize_t n = 1;
    if (fd < 0)
        return false;
    while (done < f->size && (n = write(fd, f->bytes + done, f->size - done)) > 0)
        done += (size_t)n;
    return !close(fd) && done == f->size;
}

const char *outputs_restore(const struct outputs *o)
{
    for (size_t i = 0; i < o->count; i++) {
        const struct output_file *f = &o->files[i];
        if (!f->path)
            continue;
        bool good = f->bytes ? write_back(f) : !unlink(f->path) || errno == ENOENT || errno == ENOTDIR;
        if (!good)
            return "a file given by --output cannot be put back as it was";
    }
    return NULL;
}

void outputs_free(struct outputs *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->files[i].bytes);
    free(o->files);
    memset(o, 0, sizeof *o);
}
