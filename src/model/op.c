#include "model/op.h"

#include <string.h>

const struct op_info op_table[OP_KINDS] = {
    [OP_NONE] = {"none", EFFECT_NONE, false, false},
    [OP_LOAD] = {"load", EFFECT_READ, false, false},
    [OP_STORE] = {"store", EFFECT_WRITE, false, false},
    [OP_RMW] = {"rmw", EFFECT_WRITE, false, true},
    [OP_CAS] = {"cas", EFFECT_WRITE, false, true},
    [OP_VOLATILE_READ] = {"volatile-read", EFFECT_READ, false, false},
    [OP_VOLATILE_WRITE] = {"volatile-write", EFFECT_WRITE, false, false},
    [OP_PLAIN_READ] = {"read", EFFECT_READ, false, false},
    [OP_PLAIN_WRITE] = {"write", EFFECT_WRITE, false, false},
    [OP_LOCK] = {"lock", EFFECT_WRITE, true, false},
    [OP_TRYLOCK] = {"trylock", EFFECT_WRITE, false, true},
    [OP_UNLOCK] = {"unlock", EFFECT_WRITE, false, false},
    [OP_WAIT] = {"wait", EFFECT_ADD, false, false},
    [OP_SIGNAL] = {"signal", EFFECT_WRITE, false, true},
    [OP_BROADCAST] = {"broadcast", EFFECT_WRITE, false, true},
    [OP_ONCE] = {"once", EFFECT_WRITE, true, true},
    [OP_JOIN] = {"join", EFFECT_NONE, false, false},
    [OP_CHOOSE] = {"choose", EFFECT_NONE, false, false},
    [OP_YIELD] = {"yield", EFFECT_NONE, false, false},
    [OP_EXIT] = {"exit", EFFECT_ALL, false, false},
};

enum op_kind op_by_name(const char *name)
{
    for (int kind = 1; kind < OP_KINDS; kind++)
        if (!strcmp(op_table[kind].name, name))
            return (enum op_kind)kind;
    return OP_NONE;
}
