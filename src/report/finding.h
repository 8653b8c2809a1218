// One bug with all that its recorded run tells about it; what text and JSON reports are made from.
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "report/names.h"
#include "report/report.h"
#include "report/story.h"

// A thread that cannot go on.
struct finding_wait {
    uint32_t actor;
    enum op_kind kind; // what it cannot do
    bool spins;        // it could, but to no avail
    uint64_t address;  // of its object, or 0
    uint32_t holder;   // who holds the lock or is to be joined; MAX_ACTORS if nobody
    size_t taken;      // where the holder took it, or NO_ENTRY
    size_t entry;      // the record that says so
    uint64_t pc;       // 0: unknown
};

struct finding {
    const struct report_bug *report;
    const struct bug *bug;
    struct trace *trace; // null without a recorded run; then `error` may say why
    char error[512];
    struct names names;
    struct story_focus focus;
    struct story story;
    uint64_t address, size;     // what the failure is about; 0 if nothing in memory
    bool second_writes;         // race
    struct finding_wait *waits; // deadlock and livelock
    size_t wait_count, wait_room;
    bool whole_stacks; // the way through libraries is shown as well
    bool brief;        // sentences leave out where a block of the heap comes from
};

// Always succeeds; without a readable trace only the bug itself is known.
void finding_open(struct finding *f, const struct report_summary *summary, const struct report_bug *bug);
void finding_close(struct finding *f);

// What happened, in one sentence without a full stop.
void finding_sentence(struct finding *f, struct buffer *out);

// The same of another failure of the same recorded run, or of another run; blocks of the heap have the same names as in `f`
// in the former case.
void finding_other_sentence(struct finding *f, const struct report_summary *summary, const struct report_bug *other,
                            struct buffer *out);

// What one thread waits for: "T1 waits to lock b at a.c:9, held by main since a.c:4".
void finding_wait_text(struct finding *f, const struct finding_wait *w, struct buffer *out);

// The name of the memory it is about, long for the heap; nothing if there is none.
void finding_subject(struct finding *f, struct buffer *out);

// Whether the block it is about had been released by then.
bool finding_was_freed(const struct finding *f);

// Whether the second access of a race is the release of the block.
bool finding_releases(const struct finding *f);

// The failing place as a return address, and the entry whose call stack shows it (or NO_ENTRY).
uint64_t finding_pc(const struct finding *f);
size_t finding_entry(const struct finding *f);

// Where to point at in a source: the first thread that waits, the failing place, or where the block comes from.
// False if no source is known.
bool finding_place(struct finding *f, struct symbols_place *place);

#endif
