#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "model/fill.h"

#include "cli/misuse.h"
#include "spread/ledger.h"
#include "supervise/schedule.h"

// getopt_long leaves the letter in `optopt`, or the number of an option that was given a value and takes none, or 0.
static int unknown(const char *command, const char *word)
{
    char letter[] = {'-', (char)optopt, 0};
    if (optopt >= OPTION_HELP)
        return misuse_of(command, "%s: this option takes no value", word);
    return misuse_of(command, "there is no option %s", optopt ? letter : word);
}

int options_read(const struct option_reader *reader, void *request, int argc, char **argv)
{
    char letters[16];
    int option, status = 0;
    snprintf(letters, sizeof letters, ":h%s", reader->letters ? reader->letters : "");
    opterr = 0;
    optind = 1;
    while (!status && (option = getopt_long(argc, argv, letters, reader->table, NULL)) != -1) {
        if (option == OPTION_HELP || option == 'h') {
            fputs(reader->usage, stdout);
            return -1;
        }
        if (option == ':')
            status = misuse_of(reader->command, "%s needs a value", argv[optind - 1]);
        else if (option == '?')
            status = unknown(reader->command, argv[optind - 1]);
        else
            status = reader->take(request, option, optarg);
    }
    return status;
}

bool option_number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *value >= least && *value <= most;
}

bool option_small(const char *text, uint32_t least, uint32_t most, uint32_t *value)
{
    uint64_t number;
    if (!option_number(text, least, most, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool option_scaled(const char *text, const char *suffixes, const double *factors, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (suffix) {
        *value *= factors[suffix - suffixes];
        end++;
    }
    return end != text && !*end && !errno && *value >= 0 && *value < 1e15;
}

static uint32_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > WORKERS ? WORKERS : (uint32_t)n;
}

bool option_workers(const char *text, uint32_t *workers)
{
    if (!option_small(text, 0, WORKERS, workers))
        return false;
    if (!*workers)
        *workers = processors();
    return true;
}

bool option_seconds(const char *text, double *seconds)
{
    return option_scaled(text, "smh", (const double[]){1, 60, 3600}, seconds) && *seconds < 1e9;
}

bool option_bytes(const char *text, uint64_t *bytes)
{
    double value;
    if (!option_scaled(text, "KMGT", (const double[]){0x1p10, 0x1p20, 0x1p30, 0x1p40}, &value) || value < 1e6 ||
        value > 1e15)
        return false;
    *bytes = (uint64_t)value;
    return true;
}

bool option_word(const char *text, const char *const *words, uint32_t *value)
{
    for (uint32_t i = 0; words[i]; i++) {
        if (!strcmp(text, words[i])) {
            *value = i;
            return true;
        }
    }
    return false;
}

bool option_fill(const char *text, uint32_t *fill)
{
    char *end;
    unsigned long byte = strtoul(text, &end, 0);
    bool zero = !strcmp(text, "zero"), random = !strcmp(text, "random");
    *fill = random ? FILL_RANDOM : zero ? FILL_BYTES : FILL_BYTES + (uint32_t)(byte & UINT8_MAX);
    return zero || random || (*text >= '0' && *text <= '9' && !*end && byte <= UINT8_MAX);
}

bool option_flags(const char *text, struct schedule *origin)
{
    size_t n = 0;
    while (origin->flags[n])
        n++;
    while (*text) {
        size_t length = strcspn(text, " \t");
        if (length && n + 1 == SCHEDULE_WORDS)
            return false;
        if (length)
            origin->flags[n++] = alloc_copy_part(text, length);
        text += length + strspn(text + length, " \t");
    }
    return true;
}
