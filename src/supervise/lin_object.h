// An object and its clients: inventing them, exploring each, making the one that fails small, explaining it.
//
// check_run explains the failing client as a program of its own; its schedule has a line `client`.
#ifndef SUPERVISE_LIN_OBJECT_H
#define SUPERVISE_LIN_OBJECT_H

#include "lin/growth.h"
#include "supervise/check_program.h"
#include "supervise/repair.h"

struct lin {
    struct check check; // how to run the program; its job has the options of the search and the judgement
    struct client_bounds bounds;
    const char *given;          // the only client, as text; null: all within the bounds
    const char *before, *after; // calls around those of the threads, or null
    bool judge_given;           // by the user; otherwise the object says how it is judged
    const char *may_fail;       // names of operations, separated by commas, or null
    uint64_t samples, seed;     // random clients beyond the bounds
    uint32_t sample_threads, sample_calls;
    uint64_t sample_executions; // of each of them, at most
    double seconds;             // for everything; 0: no bound
    double grow_seconds;        // for clients beyond the bounds; 0: none
    bool grow_given;            // by the user; otherwise all the time that there is
    double shrink_seconds;
    bool progress;
    uint32_t workers;     // explore clients beside each other
    struct repair repair; // what would have to be atomic; its `seconds` are for that

    // The answer.
    uint64_t clients, executions, events, histories, stuck, outcomes;
    uint64_t matched, states, most_states; // clients whose states were matched, how many those had, and most in one
    uint64_t left;                         // random clients that were not explored to their end
    uint32_t open_calls; // calls of the smallest client within the bounds that was not explored to its end; 0: none
    bool grew;           // clients beyond the bounds were tried: `growth` says which
    struct growth growth;
    double grow_took;
    const char *grow_stopped; // by the user, in words, or null
    bool beyond;              // the client that failed is one of them
    double took;
    char client[1024]; // the one that failed, made smaller
    bool shrunk;       // it was made smaller …
    bool smallest;     // … and no smaller one fails, or it is the first of all in order of size
    uint64_t watched;  // clients in which it was looked who blocks whom
    uint32_t blockings;
    struct client_blocking blocking[CLIENT_BLOCKINGS];
    const struct client_blocking
        *broken;     // one that an operation promises not to happen to it, if no client failed; or null
    struct job *job; // of the failing client, for `outcome`
    struct outcome outcome;
    bool failed;
    char notes[JOB_NOTES][JOB_NOTE_TEXT]; // of the workers
    uint32_t note_count;
    const char *assumptions[JOB_NOTES + 8];
    size_t assumption_count;
    const char *reason; // why not everything was covered, or null
    char reason_text[512];
};

// A job with the options of the search and what is known of the program, and no clients yet.
struct job *lin_job(const struct lin *lin);

// What is known of the program now.
void lin_known(const struct lin *lin, struct lessons *known);

// What a run taught about the program holds for later ones.
void lin_keep_lessons(struct job *to, const struct job *from);

// Asks the program what its object is like, into job->client. Null, or a sentence that says what is wrong.
const char *lin_describe(const struct subject *subject, struct job *job, char *why, size_t room);

// Makes the job run one client, given as "JUDGEMENT: CLIENT" (as a schedule has it). Null, or what is wrong.
const char *lin_choose(const struct subject *subject, struct job *job, const char *text, char *why, size_t room);

extern const char *const lin_judgements[]; // by enum client_judgement; ends with null

// Where a blocking call stands: "file:line", or nothing if that is not known.
void lin_place(const struct lin *lin, uint64_t pc, struct buffer *place);

// Returns the exit status: 0 every client is right, 1 one is not, 3 incomplete, 2 after one sentence.
int lin_run(struct lin *lin);
void lin_free(struct lin *lin);

#endif
