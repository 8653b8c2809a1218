// Two accounts of 100 each. transfer [from to amount] gives true, or false if the money does not suffice; total gives the
// sum; and a transfer may also be refused for no reason, which makes the model nondeterministic.
#include <heddle/model.h>
#include <stdio.h>

enum { TRANSFER, TOTAL, BALANCE, ACCOUNTS = 2 };

struct bank {
    int64_t balance[ACCOUNTS];
};

static const struct heddle_call calls[] = {
    {"transfer", 3, 1, 1, HEDDLE_FALSE}, {"total", 0, 1, 0, 0}, {"balance", 1, 1, 0, 0}, {NULL, 0, 0, 0, 0}};

static void init(void *state)
{
    struct bank *bank = state;
    for (int i = 0; i < ACCOUNTS; i++)
        bank->balance[i] = 100;
}

static int is_account(int64_t number)
{
    return number >= 0 && number < ACCOUNTS;
}

static int transfer(struct bank *bank, const int64_t *argument, int nth, int64_t *result)
{
    int possible = is_account(argument[0]) && is_account(argument[1]) && bank->balance[argument[0]] >= argument[2];
    *result = HEDDLE_FALSE;
    if (nth == 0 || !possible)
        return nth == 0;
    bank->balance[argument[0]] -= argument[2];
    bank->balance[argument[1]] += argument[2];
    *result = HEDDLE_TRUE;
    return nth == 1;
}

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    struct bank *bank = state;
    if (op->call == TRANSFER)
        return transfer(bank, op->argument, nth, result);
    if (op->call == TOTAL)
        *result = bank->balance[0] + bank->balance[1];
    else if (is_account(op->argument[0]))
        *result = bank->balance[op->argument[0]];
    return nth == 0;
}

static int only_reads(const struct heddle_operation *op, int64_t result)
{
    return op->call != TRANSFER || result == HEDDLE_FALSE;
}

static void show(const void *state, char *text, size_t room)
{
    const struct bank *bank = state;
    snprintf(text, room, "balances %lld and %lld", (long long)bank->balance[0], (long long)bank->balance[1]);
}

const struct heddle_model heddle_model = {
    .name = "bank",
    .state_size = sizeof(struct bank),
    .calls = calls,
    .init = init,
    .step = step,
    .only_reads = only_reads,
    .show = show,
};
