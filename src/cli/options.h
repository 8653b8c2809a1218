// Options of the command line: what all commands' have in common. A command gives the table of its options and a function
// that takes one; the values that options take are read by option_…, which say whether the text was such a value.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

struct schedule;

enum { OPTION_HELP = 256, OPTION_FIRST }; // a command numbers its own from OPTION_FIRST

struct option_reader {
    const char *command, *usage;
    const struct option *table;
    int (*take)(void *request, int option, const char *text); // 0, or the exit status after a word on what is wrong
    const char *letters;                                      // of short options, as getopt has them; null: only -h
};

// Up to the first error; `optind` is the first of the other words. -1: help was asked for and given.
int options_read(const struct option_reader *reader, void *request, int argc, char **argv);

bool option_number(const char *text, uint64_t least, uint64_t most, uint64_t *value);
bool option_small(const char *text, uint32_t least, uint32_t most, uint32_t *value);

// How many workers are wanted; 0 stands for all processors.
bool option_workers(const char *text, uint32_t *workers);

// "90", "90s", "1.5m", "2h"
bool option_seconds(const char *text, double *seconds);

// A number of bytes from a million on, with K, M, G or T behind it or none.
bool option_bytes(const char *text, uint64_t *bytes);

// A number with one of the suffixes, which stand for the factors.
bool option_scaled(const char *text, const char *suffixes, const double *factors, double *value);

// Which of the words, which end with a null.
bool option_word(const char *text, const char *const *words, uint32_t *value);

// "zero", "random" or a byte, as an enum fill.
bool option_fill(const char *text, uint32_t *fill);

// Adds compiler flags, which blanks part. False: there are too many.
bool option_flags(const char *text, struct schedule *origin);

#endif
