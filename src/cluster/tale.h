// A failing execution as a story: what happened at which node, in order, as text, JSON or a picture.
#ifndef CLUSTER_TALE_H
#define CLUSTER_TALE_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "cluster/cluster_run.h"

struct tale_row {
    char kind
        [16]; // deliver, lost, drop, duplicate, timer, request, crash, reboot, isolate, heal, down, start; say, draw
    int node, from; // from: of messages, or -1
    char text[160];
    char before[160], after[160]; // the node's state, if the protocol shows it
    bool later;                   // one of the fair events at the end
    uint32_t entries;             // put before this event
    int sent;                     // of a message: the row in which it was sent; -1: before the first, or no message
    uint32_t message;             // which one it is, from 1; 0: the row is about no message
};

struct tale {
    struct tale_row *rows;
    size_t count, room;
    int nodes;
    bool settling; // the schedule is over
};

// Runs the schedule of the result once more and records it. The world is where it ended afterwards.
void tale_record(struct tale *tale, const struct cluster_result *result, uint32_t patience);
void tale_free(struct tale *tale);

// Whether the row is an event, and not what a node said or drew in the course of one.
bool tale_is_event(const struct tale_row *row);

// Whether a message comes to the end of its way in this row, and whether nobody takes it there.
bool tale_is_passage(const struct tale_row *row);
bool tale_is_lost(const struct tale_row *row);

// The head of tale_text.c says how it is drawn.
void tale_text(const struct tale *tale, FILE *out);
cJSON *tale_json(const struct tale *tale);

// A picture, with something else below it or null. tale_svg_height says where that begins.
struct tale_annex {
    const char *style;
    char *body; // of SVG
    int height;
};
void tale_svg(const struct tale *tale, const char *title, const struct tale_annex *annex, FILE *out);
int tale_svg_height(const struct tale *tale);

#endif
