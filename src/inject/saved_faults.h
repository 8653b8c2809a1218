// The file of `heddle inject --save`: what the command was, and what became of each fault so far. A campaign goes on with it,
// and `heddle replay` repeats one of its runs.
//
// Text. A first line with the version; a line "word" for each word of the command, "way" for how the program ran, "list" for
// what the faults were drawn from; then a line for each outcome: number in the list, class, status, name, how its trace deviated, what was said,
// with tabs between them.
#ifndef INJECT_SAVED_FAULTS_H
#define INJECT_SAVED_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SAVED_FIRST_LINE "heddle inject 2"

struct saved_outcome {
    size_t number; // from 0 on
    int class, status;
    char *name, *trace, *said; // `trace`: in words of whoever saves it. It and `said` may be null
};

struct saved_faults {
    char **words; // ended by null
    size_t word_count;
    char *way, *list;
    struct saved_outcome *outcomes;
    size_t count, room;
};

// Reads all of it; a last line that was cut off is left out, and *end is where it begins. Null, or what is wrong with it.
const char *saved_faults_read(FILE *file, struct saved_faults *saved, long *end);
void saved_faults_free(struct saved_faults *saved);

// The outcome that `which` means: a number from 1 on, or the name of a fault. Null: there is none.
const struct saved_outcome *saved_faults_find(const struct saved_faults *saved, const char *which);

void saved_faults_write_header(FILE *file, char *const *words, const char *way, const char *list);
void saved_faults_write_outcome(FILE *file, const struct saved_outcome *o);

#endif
