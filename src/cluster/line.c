#include "cluster/line.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    double last; // when it was shown
    bool shown;
} line;

void line_show(uint64_t executions, double seconds, const struct policy_counts *counts)
{
    const double often = 0.25;
    if (seconds < often || seconds - line.last < often)
        return;
    line.last = seconds;
    line.shown = true;
    fprintf(stderr, "\r\033[K%" PRIu64 " executions, %.0f/s", executions, (double)executions / seconds);
    if (counts->states)
        fprintf(stderr, ", %" PRIu64 " states, %" PRIu64 " places left to go on at", counts->states, counts->open);
    fprintf(stderr, ", %zu MiB, %.0f s", line_memory() >> 20, seconds);
    fflush(stderr);
}

void line_clear(void)
{
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
    line.last = 0;
}

size_t line_memory(void)
{
    unsigned long all, resident = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in)
        return 0;
    if (fscanf(in, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    fclose(in);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

// A number of bytes in a file of the system; 0 if there is none.
static size_t read_bytes(const char *path)
{
    unsigned long long bytes = 0;
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    if (fscanf(in, "%llu", &bytes) != 1)
        bytes = 0;
    fclose(in);
    return bytes;
}

size_t line_spare_memory(void)
{
    char word[64];
    unsigned long kibibytes;
    size_t spare = 0, limit = read_bytes("/sys/fs/cgroup/memory.max");
    FILE *in = fopen("/proc/meminfo", "r");
    while (in && fscanf(in, "%63s %lu kB", word, &kibibytes) == 2)
        if (!strcmp(word, "MemAvailable:"))
            spare = (size_t)kibibytes << 10;
    if (in)
        fclose(in);
    if (limit && limit < spare)
        spare = limit;
    return spare / 8 * 7;
}
