// A mutex that only its holder may release.
#include <heddle/model.h>

enum { ACQUIRE, RELEASE };

struct mutex {
    int64_t holder, held;
};

static const struct heddle_call calls[] = {{"acquire", 0, 0, 0, 0}, {"release", 0, 0, 0, 0}, {NULL, 0, 0, 0, 0}};

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    struct mutex *mutex = state;
    (void)result;
    if (nth || mutex->held == (op->call == ACQUIRE) || (op->call == RELEASE && mutex->holder != op->process))
        return 0;
    mutex->held = op->call == ACQUIRE;
    mutex->holder = op->call == ACQUIRE ? op->process : 0;
    return 1;
}

const struct heddle_model heddle_model = {
    .name = "owned mutex", .state_size = sizeof(struct mutex), .calls = calls, .uses_process = 1, .step = step};
