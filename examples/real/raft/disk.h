// The library's log, term, vote and snapshot on heddle's disk. Each function is through, and synced, when it returns: what is
// under way is kept elsewhere (io.c), and lost at a crash.
#ifndef DISK_H
#define DISK_H

#include <raft.h>
#include <stdbool.h>

bool disk_is_new(void);
void disk_bootstrap(const struct raft_configuration *configuration);
void disk_load(raft_term *term, raft_id *vote, struct raft_snapshot **snapshot, raft_index *first,
               struct raft_entry **entries, size_t *n);

void disk_set_term(raft_term term);
void disk_set_vote(raft_id vote);
void disk_append(const struct raft_entry *entries, size_t n);
void disk_truncate(raft_index index); // this entry and all behind it go

// Takes the place of the last snapshot. Of the log, `trailing` entries in front of its index stay and everything behind it;
// with 0 nothing stays.
void disk_put_snapshot(const struct raft_snapshot *snapshot, unsigned trailing);
struct raft_snapshot *disk_get_snapshot(void); // or null

#endif
