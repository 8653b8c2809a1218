// Histories from files: events in the manner of Jepsen (EDN or JSON), or whole operations in the manner of Porcupine
// (JSON). docs/history.md has the fields.
#ifndef HISTORY_INPUT_H
#define HISTORY_INPUT_H

#include "history/space.h"

enum input_keys { KEYS_AUTO, KEYS_YES, KEYS_NO };
enum input_format { INPUT_AUTO, INPUT_EDN, INPUT_JSON };

struct input {
    struct operation *ops;
    uint32_t count;
    size_t room;
    struct values values;
    int64_t *processes; // by the number in an operation: what the file calls it
    uint32_t process_count;
    bool keyed; // values are [key value]: each key is an object of its own

    char error[256]; // one sentence, if the file is wrong
    uint32_t line;   // where
};

// Reads the text, which is changed and has to live as long as this takes. False: error and line.
bool input_read(struct input *input, const struct spec *spec, char *text, size_t length, enum input_format format,
                enum input_keys keys);

// Where a process begins an operation before its last one has returned: then two share its number. 0: nowhere.
uint32_t input_overlap(const struct input *input);

void input_free(struct input *input);

#endif
