// Streams that write to memory of the program instead of a file.
//
// open_memstream: where the text is, and how long, is written whenever the stream is flushed and when it is closed.
// fmemopen: the text itself is written then, and how much of it is the C library's affair: nobody sees it.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/outside/outside_room.h"

enum { STREAMS = 256 };

static PROGRAM_STATE struct memory_stream {
    FILE *stream;
    void *text;   // where the address of the text is written
    size_t *size; // and how long it is; null: a stream of fmemopen
} streams[STREAMS] = {{0}};
static PROGRAM_STATE uint64_t stream_count = 0;

void memory_streams_flush(const FILE *stream, const void *pc)
{
    for (uint64_t i = 0; i < stream_count; i++) {
        if (!streams[i].stream || (stream && streams[i].stream != stream))
            continue;
        if (!streams[i].size) {
            library_call_missed("fmemopen", pc);
            continue;
        }
        access_write(streams[i].text, sizeof(void *), pc);
        access_write(streams[i].size, sizeof(size_t), pc);
    }
}

void memory_streams_close(const FILE *stream, const void *pc)
{
    memory_streams_flush(stream, pc);
    for (uint64_t i = 0; i < stream_count; i++)
        if (streams[i].stream == stream) {
            undo_save_word(&engine.undo, &streams[i].stream);
            streams[i].stream = NULL;
        }
}

static void memory_streams_announce(const char *name, void *text, size_t *size, const void *pc)
{
    if (!engine.running)
        return;
    outside(engine.running, name, OUTSIDE_USES, pc);
    access_write(text, sizeof(void *), pc);
    access_write(size, sizeof *size, pc);
}

static void memory_streams_add(const char *name, FILE *stream, void *text, size_t *size, const void *pc)
{
    if (!engine.running || !stream)
        return;
    if (stream_count == STREAMS) {
        library_call_missed(name, pc);
        return;
    }
    undo_save_word(&engine.undo, &stream_count);
    undo_save(&engine.undo, &streams[stream_count], sizeof *streams);
    streams[stream_count++] = (struct memory_stream){stream, text, size};
}

PUBLIC FILE *open_memstream(char **text, size_t *size)
{
    memory_streams_announce("open_memstream", text, size, HERE);
    FILE *stream = NATIVE(open_memstream)(text, size);
    memory_streams_add("open_memstream", stream, text, size, HERE);
    return stream;
}

PUBLIC FILE *open_wmemstream(wchar_t **text, size_t *size)
{
    memory_streams_announce("open_wmemstream", text, size, HERE);
    FILE *stream = NATIVE(open_wmemstream)(text, size);
    memory_streams_add("open_wmemstream", stream, text, size, HERE);
    return stream;
}

PUBLIC FILE *fmemopen(void *buffer, size_t size, const char *mode)
{
    if (engine.running) {
        outside(engine.running, "fmemopen", OUTSIDE_USES, HERE);
        if (buffer)
            access_read(buffer, size, HERE);
    }
    FILE *stream = NATIVE(fmemopen)(buffer, size, mode);
    if (buffer && strpbrk(mode, "wa+"))
        memory_streams_add("fmemopen", stream, buffer, NULL, HERE);
    return stream;
}
