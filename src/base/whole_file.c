#include "base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// A file with one name can be replaced, and so can none. What is written into by others keeps its place: links, devices, pipes.
static bool can_be_replaced(const char *path, mode_t *mode)
{
    struct stat old;
    *mode = usual_mode();
    if (lstat(path, &old))
        return errno == ENOENT;
    *mode = old.st_mode & 07777;
    return S_ISREG(old.st_mode) && old.st_nlink == 1 && !access(path, W_OK) && old.st_uid == geteuid();
}

// Beside the file, so that it can take its place at once.
static FILE *open_part(struct whole_file *f, const char *path, mode_t mode)
{
    f->part = alloc_format("%s.XXXXXX", path);
    int fd = mkstemp(f->part);
    if (fd >= 0 && !fchmod(fd, mode) && (f->out = fdopen(fd, "w")))
        return f->out;
    if (fd >= 0) {
        unlink(f->part);
        close(fd);
    }
    free(f->part);
    f->part = NULL;
    return NULL;
}

FILE *whole_file_open(struct whole_file *f, const char *path)
{
    mode_t mode;
    *f = (struct whole_file){.path = alloc_copy(path)};
    bool part = can_be_replaced(path, &mode);
    // In a folder in which no file can be made, a file that is there can still be written.
    if (!part || (!open_part(f, path, mode) && (errno == EACCES || errno == EPERM || errno == ENAMETOOLONG)))
        f->out = fopen(path, "w");
    if (!f->out) {
        int error = errno;
        free(f->path);
        errno = error;
    }
    return f->out;
}

FILE *whole_file_or_output(struct whole_file *f, const char *path)
{
    if (strcmp(path, "-"))
        return whole_file_open(f, path);
    *f = (struct whole_file){.out = stdout};
    return stdout;
}

int whole_file_close(struct whole_file *f, bool good)
{
    int error = errno;
    if (f->out != stdout && fclose(f->out) && good) {
        error = errno;
        good = false;
    }
    if (f->part && good && rename(f->part, f->path)) {
        error = errno;
        good = false;
    }
    if (f->part && !good)
        unlink(f->part);
    free(f->part);
    free(f->path);
    errno = error;
    return good ? 0 : -1;
}
