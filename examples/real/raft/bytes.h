// Bytes one after the other, for messages and for what is on disk. Everything is written member by member: the padding of
// the library's structures holds whatever was on the stack, and would make equal messages differ.
#ifndef BYTES_H
#define BYTES_H

#include <raft.h>
#include <stdbool.h>

enum { BYTES_MOST = 4096 }; // a message of heddle's; a disk could hold more

struct bytes {
    unsigned char at[BYTES_MOST];
    size_t used; // of those written
    size_t read;
};

void put_number(struct bytes *b, unsigned long long number);
unsigned long long get_number(struct bytes *b);

void put_data(struct bytes *b, const void *data, size_t size);
struct raft_buffer get_data(struct bytes *b); // the library's, by raft_malloc

void put_configuration(struct bytes *b, const struct raft_configuration *c);
void get_configuration(struct bytes *b, struct raft_configuration *c);

// Entries that are read share one block of memory, as the library expects of what comes from outside.
void put_entries(struct bytes *b, const struct raft_entry *entries, size_t n);
void get_entries(struct bytes *b, struct raft_entry **entries, size_t *n);

#endif
