#define _GNU_SOURCE
#include "model/fault.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct fault_info fault_table[FAULT_FAMILIES] = {
    [FAULT_MALLOC] = {"malloc", "allocation", {ENOMEM}},
    [FAULT_CREATE] = {"create", "pthread_create", {EAGAIN}},
    [FAULT_READ] = {"read", "read", {EIO, EINTR, FAULT_SHORT}},
    [FAULT_WRITE] = {"write", "write", {ENOSPC, EINTR, FAULT_SHORT}},
    [FAULT_CONNECT] = {"connect", "connect", {ECONNREFUSED, ETIMEDOUT}},
    [FAULT_ACCEPT] = {"accept", "accept", {ECONNABORTED, EMFILE, EINTR}},
    [FAULT_DATAGRAM] = {"datagram", "UDP datagram", {FAULT_LOST}},
};

static const struct {
    int way;
    const char *name;
} way_names[] = {{ENOMEM, "ENOMEM"},
                 {EAGAIN, "EAGAIN"},
                 {EIO, "EIO"},
                 {EINTR, "EINTR"},
                 {ENOSPC, "ENOSPC"},
                 {ECONNREFUSED, "ECONNREFUSED"},
                 {ETIMEDOUT, "ETIMEDOUT"},
                 {ECONNABORTED, "ECONNABORTED"},
                 {EMFILE, "EMFILE"},
                 {FAULT_SHORT, "short"},
                 {FAULT_LOST, "lost"}};

const char *fault_way_name(int way)
{
    for (size_t i = 0; i < sizeof way_names / sizeof *way_names; i++)
        if (way_names[i].way == way)
            return way_names[i].name;
    return "?";
}

int fault_way(enum fault_family family, uint8_t ways, uint32_t outcome)
{
    for (int k = 0; k < FAULT_WAYS; k++)
        if (ways >> k & 1 && !--outcome)
            return fault_table[family].way[k];
    return 0;
}

static uint8_t all_ways(enum fault_family family)
{
    uint8_t ways = 0;
    for (int k = 0; k < FAULT_WAYS && fault_table[family].way[k]; k++)
        ways |= (uint8_t)(1 << k);
    return ways;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && !strncmp(text, word, length);
}

// "EINTR"; 0 if the family has no such way.
static uint8_t read_way(enum fault_family family, const char *text, size_t length)
{
    for (int k = 0; k < FAULT_WAYS && fault_table[family].way[k]; k++)
        if (is_word(text, length, fault_way_name(fault_table[family].way[k])))
            return (uint8_t)(1 << k);
    return 0;
}

// ":12"
static bool read_most(const char *text, size_t length, uint8_t *most)
{
    uint32_t n = 0;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || n > UINT8_MAX)
            return false;
        n = n * 10 + (uint32_t)(text[i] - '0');
    }
    *most = (uint8_t)n;
    return n >= 1 && n <= UINT8_MAX;
}

// "read=EINTR:2", as one of the list.
static const char *read_one(const char *text, size_t length, struct fault_budget budget[FAULT_FAMILIES])
{
    size_t name = strcspn(text, "=:,"), rest = name;
    uint8_t most = 1, ways = 0;
    for (int i = 0; i < FAULT_FAMILIES; i++) {
        if (!is_word(text, name, fault_table[i].name))
            continue;
        ways = all_ways((enum fault_family)i);
        if (text[rest] == '=') {
            size_t word = strcspn(text + rest + 1, ":,");
            ways = read_way((enum fault_family)i, text + rest + 1, word);
            rest += 1 + word;
        }
        if (!ways)
            return "such a call does not fail in this way";
        if (rest < length && !read_most(text + rest, length - rest, &most))
            return "behind the colon is a number of faults from 1 to 255";
        budget[i].ways |= ways;
        if (most > budget[i].most)
            budget[i].most = most;
        return NULL;
    }
    return "these can fail: malloc, create, read, write, connect, accept, datagram";
}

const char *fault_read(const char *text, struct fault_budget budget[FAULT_FAMILIES])
{
    for (;;) {
        size_t length = strcspn(text, ",");
        const char *wrong = read_one(text, length, budget);
        if (wrong)
            return wrong;
        if (!text[length])
            return NULL;
        text += length + 1;
    }
}

bool fault_any(const struct fault_budget budget[FAULT_FAMILIES])
{
    bool any = false;
    for (int i = 0; i < FAULT_FAMILIES; i++)
        any |= budget[i].most > 0;
    return any;
}

bool fault_write(const struct fault_budget budget[FAULT_FAMILIES], char *text, unsigned long room)
{
    size_t at = 0;
    *text = 0;
    for (int i = 0; i < FAULT_FAMILIES; i++) {
        bool all = budget[i].ways == all_ways((enum fault_family)i);
        for (int k = 0; budget[i].most && k < FAULT_WAYS && at < room; k++) {
            if (all ? k > 0 : !(budget[i].ways >> k & 1))
                continue;
            at += (size_t)snprintf(text + at, room - at, "%s%s%s%s:%u", at ? "," : "", fault_table[i].name,
                                   all ? "" : "=", all ? "" : fault_way_name(fault_table[i].way[k]), budget[i].most);
        }
    }
    return at > 0;
}
