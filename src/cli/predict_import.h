// heddle predict --import: what requests of a log would do in other orders.
#ifndef CLI_PREDICT_IMPORT_H
#define CLI_PREDICT_IMPORT_H

#include <stdint.h>

struct import_request {
    const char *log;
    const char *rules, *server, *petri, *json; // null: none
    uint64_t support;
};

// The exit status.
int predict_import(const struct import_request *request);

#endif
