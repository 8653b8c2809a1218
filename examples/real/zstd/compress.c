// zstd's multi-threaded compression (lib/compress/zstdmt_compress.c): whatever the workers do first, the frame is the same and
// decompresses to the input.
#define ZSTD_STATIC_LINKING_ONLY
#include <heddle/heddle.h>
#include <stddef.h>
#include <string.h>

#include "zstd.h"

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif
#define JOB 1024 // the library is built with this as the least size of a job

static char input[JOBS * JOB], frame[2 * JOBS * JOB], output[sizeof input];

static void must(size_t result)
{
    heddle_assert(!ZSTD_isError(result));
}

static void fill(void)
{
    for (size_t i = 0; i < sizeof input; i++)
        input[i] = (char)('a' + i * i / 64 % 7);
}

static ZSTD_CCtx *begin(void)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, WORKERS));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_jobSize, JOB));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_overlapLog, 1));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, ZSTD_WINDOWLOG_MIN));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, ZSTD_HASHLOG_MIN));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, ZSTD_CHAINLOG_MIN));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_strategy, ZSTD_fast));
    must(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
    return context;
}

// Returns when all of the input has been taken and the frame is complete; gives its size.
static size_t compress(ZSTD_CCtx *context)
{
    ZSTD_inBuffer in = {input, sizeof input, 0};
    ZSTD_outBuffer out = {frame, sizeof frame, 0};
    size_t left;
    do {
        left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
        must(left);
    } while (left > 0);
    heddle_assert(in.pos == in.size);
    return out.pos;
}

static void decompresses(size_t size)
{
    heddle_assert(ZSTD_decompress(output, sizeof output, frame, size) == sizeof input);
    heddle_assert(memcmp(input, output, sizeof input) == 0);
}

heddle_test("a frame decompresses to its input")
{
    fill();
    ZSTD_CCtx *context = begin();
    size_t size = compress(context);
    ZSTD_freeCCtx(context);
    decompresses(size);
}

// What runs in the background may still be at work when its context goes.
heddle_test("a context is freed in the middle of a frame")
{
    fill();
    ZSTD_CCtx *context = begin();
    ZSTD_inBuffer in = {input, sizeof input, 0};
    ZSTD_outBuffer out = {frame, sizeof frame, 0};
    must(ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue));
    ZSTD_freeCCtx(context);
}
