// Events of a quorum tree in lines of text, as docs/qtree.md describes them.
#ifndef CONSENSUS_QTREE_LOG_H
#define CONSENSUS_QTREE_LOG_H

#include "base/table.h"
#include "consensus/quorum_tree.h"
#include "consensus/qtree_words.h"

struct qtree_log {
    const char *after; // an event begins behind this text, and lines without it are none; null: it is the whole line
    uint64_t line;     // the last one that was read; from 1 on
    struct table words;
    bool has_event;
    struct qtree_options *options; // a line of the log may set `values` and `witnesses` before the first event
    char error[200];
};

enum qtree_line { QTREE_LINE_EMPTY, QTREE_LINE_EVENT, QTREE_LINE_WRONG };

// Takes one line, without its end, which nothing is written to. If it is wrong, `error` says why in a sentence.
enum qtree_line qtree_log_take(struct qtree_log *log, const char *line, size_t length, struct qtree_event *event);
void qtree_log_free(struct qtree_log *log);

// As the log has them.
struct qtree_names qtree_log_names(const struct qtree_log *log);

#endif
