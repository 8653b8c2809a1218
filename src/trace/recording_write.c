#include "trace/recording_write.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"

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

bool recording_writer_close(struct recording_writer *w)
{
    ZSTD_freeCCtx(w->compressor);
    free(w->room);
    if (close(w->fd) && !w->error)
        w->error = errno;
    errno = w->error;
    return !w->error;
}
