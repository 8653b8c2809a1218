// A compiler's output as a list: functions, labels, directives and instructions in their order, and what leads to each label.
#ifndef CLI_ASSEMBLY_CODE_H
#define CLI_ASSEMBLY_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum item_kind { ITEM_FUNCTION, ITEM_LABEL, ITEM_DIRECTIVE, ITEM_INSTRUCTION, ITEM_ASSEMBLY };

struct item {
    enum item_kind kind;
    char *text;
};

struct label {
    const char *name;
    uint32_t jumps; // that lead here
    bool addressed; // indirect jumps may lead here
    bool anywhere;  // what handles exceptions may lead here
    bool constant;  // names data that does not change
    size_t item;
    struct label_state *state; // assembly_unseen.c's; freed with the label
};

struct code {
    struct item *item;
    size_t items, item_room;
    size_t *instruction; // their items
    size_t instructions, instruction_room;
    struct label *label; // by name, once code_link was called
    size_t labels, label_room;
};

// An instruction that cannot be read has null for its text, and counts as inline assembly.
void code_add(struct code *code, enum item_kind kind, const char *text, size_t length);
void code_free(struct code *code);

// Finds the labels and what leads to them, when all is there.
void code_link(struct code *code);

struct label *code_find_label(const struct code *code, const char *name);

// Whether the instruction, without its prefixes, is a jump.
bool code_is_jump(const char *text);

// Whether control may get to the label other than from the instruction before it.
static inline bool label_is_target(const struct label *label)
{
    return label->jumps || label->addressed || label->anywhere;
}

#endif
