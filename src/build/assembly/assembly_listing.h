// A compiler's output as a list: functions, labels, directives and instructions in their order, and what leads to each label.
#ifndef BUILD_ASSEMBLY_LISTING_H
#define BUILD_ASSEMBLY_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum listing_kind { ITEM_FUNCTION, ITEM_LABEL, ITEM_DIRECTIVE, ITEM_INSTRUCTION, ITEM_ASSEMBLY };

struct listing_item {
    enum listing_kind kind;
    char *text;
};

struct listing_label {
    const char *name;
    uint32_t jumps;   // that lead here
    uint32_t returns; // of these, from where a bad index was told of
    bool addressed;   // indirect jumps may lead here
    bool anywhere;    // what handles exceptions may lead here
    bool constant;    // names data that does not change
    size_t item;
    struct label_state *state; // assembly_unseen.c's; freed with the label
};

struct listing {
    struct listing_item *item;
    size_t items, item_room;
    size_t *instruction; // their items
    size_t instructions, instruction_room;
    struct listing_label *label; // by name, once listing_link was called
    size_t labels, label_room;
};

// An instruction that cannot be read has null for its text, and counts as inline assembly.
void listing_add(struct listing *listing, enum listing_kind kind, const char *text, size_t length);
void listing_free(struct listing *listing);

// Finds the labels and what leads to them, when all is there.
void listing_link(struct listing *listing);

struct listing_label *listing_find_label(const struct listing *listing, const char *name);

// Whether the instruction, without its prefixes, is a jump.
bool listing_is_jump(const char *text);

// Whether the instruction, without its prefixes, tells of an index that is too large (target/threads/memory/bounds.c).
bool listing_tells_of_bad_index(const char *text);

// Whether control may get to the label other than from the instruction before it.
static inline bool listing_is_target(const struct listing_label *label)
{
    return label->jumps || label->addressed || label->anywhere;
}

#endif
