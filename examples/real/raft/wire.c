#include "wire.h"

#include <stdio.h>
#include <string.h>

// cowsql's library has other names for messages, and says in some what it can do and how much room it has.
#ifdef RAFT_VERSION_NUMBER
#define RAFT_IO_REQUEST_VOTE RAFT_REQUEST_VOTE
#define RAFT_IO_REQUEST_VOTE_RESULT RAFT_REQUEST_VOTE_RESULT
#define RAFT_IO_APPEND_ENTRIES RAFT_APPEND_ENTRIES
#define RAFT_IO_APPEND_ENTRIES_RESULT RAFT_APPEND_ENTRIES_RESULT
#define RAFT_IO_INSTALL_SNAPSHOT RAFT_INSTALL_SNAPSHOT
#define RAFT_IO_TIMEOUT_NOW RAFT_TIMEOUT_NOW
#define PUT_MORE(b, of) put_more(b, (of).version, (of).features, (of).capacity)
#define GET_MORE(b, of) get_more(b, &(of).version, &(of).features, &(of).capacity)

static void put_more(struct bytes *b, unsigned version, unsigned features, unsigned capacity)
{
    put_number(b, version);
    put_number(b, features);
    put_number(b, capacity);
}

static void get_more(struct bytes *b, unsigned char *version, unsigned short *features, unsigned short *capacity)
{
    *version = (unsigned char)get_number(b);
    *features = (unsigned short)get_number(b);
    *capacity = (unsigned short)get_number(b);
}
#else
#define PUT_MORE(b, of)
#define GET_MORE(b, of)
#endif

void wire_put(struct bytes *b, const struct raft_message *m)
{
    put_number(b, m->type);
    switch (m->type) {
    case RAFT_IO_REQUEST_VOTE:
        put_number(b, m->request_vote.term);
        put_number(b, m->request_vote.candidate_id);
        put_number(b, m->request_vote.last_log_index);
        put_number(b, m->request_vote.last_log_term);
        put_number(b, m->request_vote.disrupt_leader);
        put_number(b, m->request_vote.pre_vote);
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        put_number(b, m->request_vote_result.term);
        put_number(b, m->request_vote_result.vote_granted);
        put_number(b, m->request_vote_result.pre_vote);
        PUT_MORE(b, m->request_vote_result);
        break;
    case RAFT_IO_APPEND_ENTRIES:
        put_number(b, m->append_entries.term);
        put_number(b, m->append_entries.prev_log_index);
        put_number(b, m->append_entries.prev_log_term);
        put_number(b, m->append_entries.leader_commit);
        put_entries(b, m->append_entries.entries, m->append_entries.n_entries);
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        put_number(b, m->append_entries_result.term);
        put_number(b, m->append_entries_result.rejected);
        put_number(b, m->append_entries_result.last_log_index);
        PUT_MORE(b, m->append_entries_result);
        break;
    case RAFT_IO_INSTALL_SNAPSHOT:
        put_number(b, m->install_snapshot.term);
        put_number(b, m->install_snapshot.last_index);
        put_number(b, m->install_snapshot.last_term);
        put_number(b, m->install_snapshot.conf_index);
        put_configuration(b, &m->install_snapshot.conf);
        put_data(b, m->install_snapshot.data.base, m->install_snapshot.data.len);
        break;
    case RAFT_IO_TIMEOUT_NOW:
        put_number(b, m->timeout_now.term);
        put_number(b, m->timeout_now.last_log_index);
        put_number(b, m->timeout_now.last_log_term);
        break;
    }
}

void wire_get(struct bytes *b, struct raft_message *m)
{
    size_t n;
    m->type = (unsigned)get_number(b) & 0xff;
    switch (m->type) {
    case RAFT_IO_REQUEST_VOTE:
        m->request_vote.term = get_number(b);
        m->request_vote.candidate_id = get_number(b);
        m->request_vote.last_log_index = get_number(b);
        m->request_vote.last_log_term = get_number(b);
        m->request_vote.disrupt_leader = get_number(b);
        m->request_vote.pre_vote = get_number(b);
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        m->request_vote_result.term = get_number(b);
        m->request_vote_result.vote_granted = get_number(b);
        m->request_vote_result.pre_vote = get_number(b) & 3;
        GET_MORE(b, m->request_vote_result);
        break;
    case RAFT_IO_APPEND_ENTRIES:
        m->append_entries.term = get_number(b);
        m->append_entries.prev_log_index = get_number(b);
        m->append_entries.prev_log_term = get_number(b);
        m->append_entries.leader_commit = get_number(b);
        get_entries(b, &m->append_entries.entries, &n);
        m->append_entries.n_entries = (unsigned)n;
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        m->append_entries_result.term = get_number(b);
        m->append_entries_result.rejected = get_number(b);
        m->append_entries_result.last_log_index = get_number(b);
        GET_MORE(b, m->append_entries_result);
        break;
    case RAFT_IO_INSTALL_SNAPSHOT:
        m->install_snapshot.term = get_number(b);
        m->install_snapshot.last_index = get_number(b);
        m->install_snapshot.last_term = get_number(b);
        m->install_snapshot.conf_index = get_number(b);
        get_configuration(b, &m->install_snapshot.conf);
        m->install_snapshot.data = get_data(b);
        break;
    case RAFT_IO_TIMEOUT_NOW:
        m->timeout_now.term = get_number(b);
        m->timeout_now.last_log_index = get_number(b);
        m->timeout_now.last_log_term = get_number(b);
        break;
    }
}

// All messages are numbers at first.
static unsigned long long number_at(const void *data, size_t size, size_t i)
{
    unsigned long long number = 0;
    if ((i + 1) * sizeof number <= size)
        memcpy(&number, (const unsigned char *)data + i * sizeof number, sizeof number);
    return number;
}

void wire_show(const void *data, size_t size, char *text, size_t room)
{
#define N(i) number_at(data, size, i)
    switch (N(0)) {
    case RAFT_IO_REQUEST_VOTE:
        snprintf(text, room, "term %llu: asks for %s, has %llu of term %llu%s", N(1), N(6) ? "a promise" : "votes",
                 N(3), N(4), N(5) ? ", whoever leads" : "");
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        snprintf(text, room, "term %llu: %s", N(1), N(2) ? "yes" : "no");
        break;
    case RAFT_IO_APPEND_ENTRIES:
        snprintf(text, room, "term %llu: %llu entr%s behind %llu of term %llu, commit %llu", N(1), N(5),
                 N(5) == 1 ? "y" : "ies", N(2), N(3), N(4));
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        if (N(2))
            snprintf(text, room, "term %llu: refuses %llu, has %llu", N(1), N(2), N(3));
        else
            snprintf(text, room, "term %llu: has %llu", N(1), N(3));
        break;
    case RAFT_IO_INSTALL_SNAPSHOT:
        snprintf(text, room, "term %llu: snapshot at %llu of term %llu", N(1), N(2), N(3));
        break;
    case RAFT_IO_TIMEOUT_NOW:
        snprintf(text, room, "term %llu: stand for election", N(1));
        break;
    default:
        snprintf(text, room, "?");
    }
#undef N
}
