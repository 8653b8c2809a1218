#define _GNU_SOURCE
#include "spread/save_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/version.h"

enum { FORMAT = 1 };

static const char mark[16] = "heddle search\n";

struct header {
    char mark[sizeof mark];
    uint32_t format;
    char version[20];  // of heddle
    uint64_t engine;   // what else is to be the same
    uint64_t length;   // of what follows …
    uint64_t checksum; // … and of that
};

static const char *path_of(const char *directory, const char *name, char *path)
{
    snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 32, directory, name);
    return path;
}

// The process that has a lock on the file; 0 if nobody has.
static pid_t user_of(int lock)
{
    struct flock how = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (lock < 0 || fcntl(lock, F_GETLK, &how) || how.l_type == F_UNLCK)
        return 0;
    return how.l_pid;
}

static const char *take_lock(struct save_file *save, const char *directory, int flags)
{
    static char why[128];
    char path[PATH_MAX];
    struct flock how = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    save->directory = directory;
    save->lock = open(path_of(directory, "lock", path), O_RDWR | O_CLOEXEC | flags, 0666);
    if (save->lock < 0) {
        snprintf(why, sizeof why, "cannot be written: %s", strerror(errno));
        return why;
    }
    if (!fcntl(save->lock, F_SETLK, &how))
        return NULL;
    snprintf(why, sizeof why, "is in use by a search that is still running (process %d)", (int)user_of(save->lock));
    save_file_close(save);
    return why;
}

static bool exists(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return !access(path_of(directory, name, path), F_OK);
}

const char *save_file_create(struct save_file *save, const char *directory)
{
    static char why[128];
    save->lock = -1;
    if (mkdir(directory, 0777) && errno != EEXIST) {
        snprintf(why, sizeof why, "cannot be made: %s", strerror(errno));
        return why;
    }
    const char *trouble = take_lock(save, directory, O_CREAT);
    if (trouble)
        return trouble;
    if (!exists(directory, "search"))
        return NULL;
    save_file_close(save);
    return "holds a search already: go on with `heddle resume`, or remove it";
}

const char *save_file_open(struct save_file *save, const char *directory)
{
    struct stat st;
    save->lock = -1;
    if (stat(directory, &st))
        return errno == ENOENT ? "does not exist" : "cannot be read";
    if (!S_ISDIR(st.st_mode))
        return "is not a directory";
    if (!exists(directory, "search"))
        return "holds no search";
    return take_lock(save, directory, O_CREAT);
}

void save_file_close(struct save_file *save)
{
    if (save->lock >= 0)
        close(save->lock);
    save->lock = -1;
}

static bool write_all(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

static bool sync_directory(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && !fsync(fd);
    if (fd >= 0)
        close(fd);
    return good;
}

static void on_signal(int number)
{
    (void)number; // the call that was too much says so
}

const char *save_file_write(const struct save_file *save, uint64_t engine, const struct buffer *body)
{
    char new[PATH_MAX], path[PATH_MAX];
    struct header header = {
        .format = FORMAT, .engine = engine, .length = body->length, .checksum = XXH3_64bits(body->text, body->length)};
    memcpy(header.mark, mark, sizeof mark);
    snprintf(header.version, sizeof header.version, "%s", HEDDLE_VERSION);
    signal(SIGXFSZ, on_signal); // a handler is not inherited by programs
    int fd = open(path_of(save->directory, "search.new", new), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good =
        fd >= 0 && write_all(fd, &header, sizeof header) && write_all(fd, body->text, body->length) && !fsync(fd);
    int error = errno;
    if (fd >= 0 && close(fd) && good) {
        good = false;
        error = errno;
    }
    if (good && !rename(new, path_of(save->directory, "search", path)) && sync_directory(save->directory))
        return NULL;
    error = good ? errno : error;
    if (fd >= 0)
        unlink(new);
    return strerror(error);
}

static const char *why_not_ours(const struct header *header, uint64_t engine)
{
    static char why[128];
    if (memcmp(header->mark, mark, sizeof mark) != 0)
        return "holds no search: the file `search` is something else";
    if (header->format != FORMAT || strncmp(header->version, HEDDLE_VERSION, sizeof header->version) != 0) {
        snprintf(why, sizeof why, "was saved by another version of heddle (%.*s; this is %s)",
                 (int)strnlen(header->version, sizeof header->version), header->version, HEDDLE_VERSION);
        return why;
    }
    return header->engine == engine ? NULL : "was saved by another build of heddle";
}

// Null for what is no file, such as a pipe that nobody writes to.
static FILE *open_file(const char *path, size_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);
    FILE *file = good ? fdopen(fd, "r") : NULL;
    *size = good ? (size_t)st.st_size : 0;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

// The length is compared before anything is read, since it may be any.
const char *save_file_read(const char *directory, uint64_t engine, struct buffer *body)
{
    struct header header;
    char path[PATH_MAX];
    size_t size;
    errno = 0;
    FILE *file = open_file(path_of(directory, "search", path), &size);
    if (!file)
        return errno != ENOENT ? "cannot be read" : access(directory, F_OK) ? "does not exist" : "holds no search";
    const char *wrong = fread(&header, sizeof header, 1, file) != 1 ? "is damaged: the file `search` ends too early"
                                                                    : why_not_ours(&header, engine);
    if (!wrong && size - sizeof header != header.length)
        wrong = "is damaged: the file `search` has the wrong length";
    else if (!wrong && !buffer_add_file(body, file))
        wrong = "cannot be read";
    fclose(file);
    if (!wrong && body->length != header.length)
        wrong = "is damaged: the file `search` has the wrong length";
    else if (!wrong && XXH3_64bits(body->text, body->length) != header.checksum)
        wrong = "is damaged: the checksum of the file `search` is wrong";
    return wrong;
}

pid_t save_file_user(const char *directory)
{
    char path[PATH_MAX];
    int lock = open(path_of(directory, "lock", path), O_RDWR | O_CLOEXEC);
    pid_t user = user_of(lock);
    if (lock >= 0)
        close(lock);
    return user;
}

double save_file_time(const char *directory)
{
    char path[PATH_MAX];
    struct stat st;
    if (stat(path_of(directory, "search", path), &st))
        return -1;
    return (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec * 1e-9;
}

bool save_file_hash(const char *path, uint64_t *hash)
{
    struct buffer text = {0};
    FILE *file = fopen(path, "r");
    bool good = file && buffer_add_file(&text, file);
    if (file)
        fclose(file);
    *hash = good ? XXH3_64bits(buffer_text(&text), text.length) : 0;
    buffer_free(&text);
    return good;
}
