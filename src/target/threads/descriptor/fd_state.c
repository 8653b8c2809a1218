// Descriptors in states of the program: what is in them and what they are ready for, by numbers of files and channels, not by how
// that came about. What nobody can reach any more is left out.
//
// Numbers are given out in the order of calls, so the same number may stand for another file where threads make descriptors at
// the same time: then equal states may count as different. Which number a thread has made says which thread it is, so threads that
// make descriptors are told apart.
#include "target/threads/descriptor/endpoints.h"
#include "target/threads/descriptor/timers.h"
#include "target/threads/engine/engine_room.h"

enum { MOST_CHANNELS = 2048 };

bool descriptors_own(uint64_t address)
{
    return numbers_hold(address) || channels_hold(address) || epolls_hold(address) || endpoints_hold(address) ||
           timers_hold(address);
}

static bool is_open(const struct file *f)
{
    return f->references > 0;
}

// Channels of which an end is open.
static void find_open(uint64_t *open)
{
    for (uint32_t number = 1; number <= file_count(); number++) {
        const struct file *f = file_at(number);
        for (int end = 0; is_open(f) && end < 2; end++) {
            uint32_t channel = end ? f->out : f->in;
            if (channel)
                open[(channel - 1) / 64] |= 1ull << ((channel - 1) % 64);
        }
    }
}

static bool is_among(const uint64_t *open, uint32_t channel)
{
    return open[(channel - 1) / 64] >> ((channel - 1) % 64) & 1;
}

void descriptors_mix(struct fingerprint *f)
{
    uint64_t open[MOST_CHANNELS / 64] = {0};
    if (!file_count())
        return;
    numbers_mix(f);
    find_open(open);
    for (uint32_t number = 1; number <= channel_count(); number++)
        if (is_among(open, number))
            channel_mix(f, channel_at(number));
    for (uint32_t number = 1; number <= file_count(); number++)
        if (file_at(number)->epoll)
            epoll_mix(f, file_at(number));
}

void descriptors_each_passed(passed_on *each)
{
    enum { EVENT_COUNTERS = 1 << 28 };
    uint64_t open[MOST_CHANNELS / 64] = {0};
    find_open(open);
    for (uint32_t number = 1; number <= channel_count(); number++)
        if (is_among(open, number))
            channel_each_passed(channel_at(number), each);
    for (uint32_t number = 1; number <= file_count(); number++)
        if (is_open(file_at(number)))
            each(EVENT_COUNTERS + number, &file_at(number)->release);
}

static void pin_pointed_to(uint64_t data, uint64_t *pinned)
{
    uint64_t offset;
    uint32_t owner = spelling_owner(data, &offset);
    if (owner != OWNER_NONE)
        pinned[owner / 64] |= 1ull << (owner % 64);
    if (arguments_meant(data))
        arguments_named();
}

void descriptors_pin(uint64_t *pinned)
{
    if (!file_count())
        return;
    timers_pin(pinned);
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        if (has_made_descriptors(actor))
            pinned[actor / 64] |= 1ull << (actor % 64);
    for (uint32_t number = 1; number <= file_count(); number++)
        if (is_open(file_at(number)) && file_at(number)->epoll)
            epoll_each_data(file_at(number), pin_pointed_to, pinned);
    for (uint32_t number = 1; number <= channel_count(); number++)
        channel_each_word(channel_at(number), pin_pointed_to, pinned);
}
