#include "trace/recording_write.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/version.h"
#include "trace/code_identity.h"

enum { LEVEL = 1 }; // of compression: what keeps up with a program

static void write_all(struct recording_writer *w, const void *from, size_t size)
{
    const char *at = from;
    while (size && !w->error) {
        ssize_t done = write(w->fd, at, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            w->error = done < 0 ? errno : EIO;
            return;
        }
        at += done;
        size -= (size_t)done;
        w->written += (uint64_t)done;
    }
}

uint64_t recording_checksum(struct recording_frame frame, const void *stored)
{
    frame.checksum = 0;
    return XXH3_64bits(&frame, sizeof frame) + XXH3_64bits(stored, frame.stored);
}

bool recording_writer_open(struct recording_writer *w, const char *path)
{
    struct recording_file_header header = {.magic = RECORDING_FILE_MAGIC};
    *w = (struct recording_writer){.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (w->fd < 0)
        return false;
    w->compressor = alloc_checked(ZSTD_createCCtx());
    write_all(w, &header, sizeof header);
    return true;
}

void recording_writer_frame(struct recording_writer *w, enum recording_frame_kind kind, uint32_t thread, uint32_t order,
                            const void *contents, uint32_t size)
{
    struct recording_frame frame = {RECORDING_FRAME_MAGIC, kind, thread, order, size, size, 0};
    size_t bound = ZSTD_compressBound(size);
    if (w->room_size < bound) {
        w->room = alloc_resize(w->room, bound, 1);
        w->room_size = bound;
    }
    size_t stored = ZSTD_compressCCtx(w->compressor, w->room, bound, contents, size, LEVEL);
    const void *from = contents;
    if (!ZSTD_isError(stored) && stored < size) {
        frame.stored = (uint32_t)stored;
        from = w->room;
    }
    frame.checksum = recording_checksum(frame, from);
    write_all(w, &frame, sizeof frame);
    write_all(w, from, frame.stored);
}

static void add_words(struct buffer *words, const char *what, const char *const *list)
{
    for (; list && *list; list++) {
        buffer_add(words, "%s %s", what, *list);
        buffer_append(words, "", 1);
    }
}

void recording_writer_run(struct recording_writer *w, const struct recording_origin *o)
{
    struct buffer words = {0};
    char directory[PATH_MAX] = "", code[32];
    if (!getcwd(directory, sizeof directory))
        directory[0] = 0;
    snprintf(code, sizeof code, "%016llx", (unsigned long long)code_identity(o->program));
    add_words(&words, "heddle", (const char *const[]){HEDDLE_VERSION, NULL});
    add_words(&words, "directory", (const char *const[]){directory, NULL});
    add_words(&words, "source", o->sources);
    add_words(&words, "flag", o->flags);
    add_words(&words, "program", (const char *const[]){o->sources ? NULL : o->program, NULL});
    add_words(&words, "code", (const char *const[]){code, NULL});
    add_words(&words, "argument", o->arguments);
    add_words(&words, "without", (const char *const[]){o->without_hooks ? "hooks" : NULL, NULL});
    recording_writer_frame(w, FRAME_RUN, 0, 0, words.text, (uint32_t)words.length);
    buffer_free(&words);
}

void recording_writer_names(struct recording_writer *w, const struct buffer *names)
{
    for (size_t at = 0; at < names->length;) {
        size_t size = names->length - at < RECORDING_NAMES_BYTES ? names->length - at : RECORDING_NAMES_BYTES;
        while (at + size < names->length && names->text[at + size - 1] != '\n')
            size--;
        recording_writer_frame(w, FRAME_NAMES, 0, 0, names->text + at, (uint32_t)size);
        at += size;
    }
}

bool recording_writer_close(struct recording_writer *w)
{
    ZSTD_freeCCtx(w->compressor);
    free(w->room);
    if (close(w->fd) && !w->error)
        w->error = errno;
    errno = w->error;
    return !w->error;
}
