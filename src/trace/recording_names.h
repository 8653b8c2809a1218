// What addresses of a recorded run are called: variables by their symbols, code by function, file and line. Both are looked up in
// the files that were loaded then, if they are still the same: each module has a build id.
#ifndef TRACE_RECORDING_NAMES_H
#define TRACE_RECORDING_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "trace/recording.h"

struct recording_names;

struct recording_names *recording_names_new(struct recording *r);
void recording_names_free(struct recording_names *n);

// A module as the file tells of it ("BUILD-ID PATH"), loaded at `base`. All of them come before the first question.
void recording_names_module(struct recording_names *n, uint64_t base, const char *text, uint64_t length);

// Appends that text for a file as it is now.
void recording_names_of_module(const char *path, struct buffer *text);

// Lines of text with all names that were asked for, to be taken later in place of modules.
//
//     p PC OFFSET LINE FUNCTION FILE MODULE      a place
//     g ADDRESS SIZE NAME MODULE                 a global variable
//     m LOW HIGH MODULE                          what of a module has no name
//
// Numbers are hexadecimal. A tab stands between words; "" is a name that is not known.
void recording_names_give(const struct recording_names *n, struct buffer *lines);
void recording_names_take(struct recording_names *n, const char *lines);

// Says which modules are not what they were, one sentence each.
void recording_names_doubts(const struct recording_names *n, struct buffer *words);

// The place that a hook returns to. NOT_RECORDED for 0.
uint32_t recording_names_place(struct recording_names *n, uint64_t pc);

// The block of a global variable; *offset becomes where in it the address is. False: it is no global.
bool recording_names_global(struct recording_names *n, uint64_t address, uint32_t *block, uint64_t *offset);

#endif
