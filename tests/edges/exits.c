// Processes that end: main returns, exit, quick_exit, _Exit and pthread_exit in any thread, handlers that register others,
// wait, and exit again, destructors, thread-local variables, with other threads running. Threads and the first
// registrations may be made by a constructor. The program claims of some variables that they never have a certain value at a
// certain place. Whether one has, or nobody can go on, is found by going through all states of a small machine, which runs
// the same code one instruction at a time and ends processes as the C library does.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { VARIABLES = 2, LOCKS = 2, SEMAPHORES = 2, THREADS = 3, HANDLERS = 4, CODE = 16, FRAMES = 10, LISTED = 12 };

// Functions: of main and the threads, handlers, all destructors in a row, the destructor of the thread-local variable.
enum { HANDLER = THREADS, DESTROY = HANDLER + HANDLERS, LOCAL, FUNCTIONS };
// And what the C library does: exit from its beginning, exit after thread-local variables, quick_exit.
enum { EXITING = FUNCTIONS, QUITTING };

enum op {
    END,
    STORE,
    ADD,
    CHECK,
    LOCK,
    UNLOCK,
    POST,
    WAIT,
    CREATE,
    JOIN,
    AT_EXIT,
    AT_QUICK,
    TOUCH,
    EXIT,
    QUICK,
    LEAVE,
    LEAVE_THREAD
};

struct instruction {
    uint8_t op, what, value;
};

static struct function {
    struct instruction code[CODE];
    int length;
} functions[FUNCTIONS];
static int threads, handlers, globals, destructors, split, in_constructor, cxx;
static bool joined[THREADS];

struct state {
    uint8_t variable[VARIABLES], owner[LOCKS], semaphore[SEMAPHORES];
    uint8_t list[2][LISTED], listed[2]; // of exit, of quick_exit
    uint8_t destroyed;
    struct {
        uint8_t begun, ended, local, depth;
        struct {
            uint8_t function, at;
        } frame[FRAMES];
    } thread[THREADS];
};

static bool fails, hangs, too_many;

enum { TABLE = 1 << 20, MOST = 400000 };
static uint64_t table[TABLE];
static int states;

static bool is_new(const struct state *s)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof *s; i++)
        hash = (hash ^ ((const uint8_t *)s)[i]) * 0x100000001b3u;
    hash |= !hash;
    size_t at = (hash ^ hash >> 32) % TABLE;
    for (; table[at]; at = (at + 1) % TABLE)
        if (table[at] == hash)
            return false;
    table[at] = hash;
    too_many |= ++states > MOST;
    return true;
}

static void push(struct state *s, int t, int function)
{
    if (s->thread[t].depth == FRAMES) {
        too_many = true;
        return;
    }
    uint8_t depth = s->thread[t].depth++;
    s->thread[t].frame[depth].function = (uint8_t)function;
    s->thread[t].frame[depth].at = 0;
}

static void pop(struct state *s, int t)
{
    s->thread[t].depth--;
    s->thread[t].frame[s->thread[t].depth].function = s->thread[t].frame[s->thread[t].depth].at = 0;
}

static void list(struct state *s, int which, uint8_t handler)
{
    if (s->listed[which] == LISTED)
        too_many = true;
    else
        s->list[which][s->listed[which]++] = handler;
}

// Takes the newest handler of a list and begins to run it. False if there is none.
static bool run_next(struct state *s, int t, int which)
{
    if (!s->listed[which])
        return false;
    uint8_t handler = s->list[which][--s->listed[which]];
    s->list[which][s->listed[which]] = 0;
    push(s, t, handler);
    return true;
}

static bool run_local(struct state *s, int t)
{
    if (!s->thread[t].local)
        return false;
    s->thread[t].local = 0;
    push(s, t, LOCAL);
    return true;
}

static bool is_last(const struct state *s, int t)
{
    for (int i = 0; i < THREADS; i++)
        if (i != t && s->thread[i].begun && !s->thread[i].ended)
            return false;
    return true;
}

enum outcome { STEPPED, BLOCKED, OVER, FAILED };

static enum outcome step_library(struct state *s, int t, int function)
{
    if (function == QUITTING)
        return run_next(s, t, 1) ? STEPPED : OVER;
    if (run_local(s, t) || run_next(s, t, 0))
        return STEPPED;
    if (s->destroyed)
        return OVER;
    s->destroyed = 1;
    push(s, t, DESTROY);
    return STEPPED;
}

// The end of a function: of main, which exits, of a thread, or of one that somebody called.
static enum outcome step_end(struct state *s, int t, bool of_thread)
{
    if (s->thread[t].depth > 1 && !of_thread) {
        pop(s, t);
        return STEPPED;
    }
    if (t == 0 && !of_thread) {
        push(s, t, EXITING);
        return STEPPED;
    }
    if (run_local(s, t))
        return STEPPED;
    if (is_last(s, t)) {
        push(s, t, EXITING);
        return STEPPED;
    }
    while (s->thread[t].depth)
        pop(s, t);
    s->thread[t].ended = 1;
    return STEPPED;
}

static enum outcome step(struct state *s, int t)
{
    uint8_t depth = s->thread[t].depth, function = s->thread[t].frame[depth - 1].function;
    if (function >= FUNCTIONS)
        return step_library(s, t, function);
    uint8_t *at = &s->thread[t].frame[depth - 1].at;
    const struct instruction *i = &functions[function].code[*at];
    switch ((enum op)i->op) {
    case END:
        return step_end(s, t, false);
    case LEAVE_THREAD:
        return step_end(s, t, true);
    case STORE:
        s->variable[i->what] = i->value;
        break;
    case ADD:
        s->variable[i->what]++;
        break;
    case CHECK:
        if (s->variable[i->what] == i->value)
            return FAILED;
        break;
    case LOCK:
        if (s->owner[i->what])
            return BLOCKED;
        s->owner[i->what] = (uint8_t)(t + 1);
        break;
    case UNLOCK:
        s->owner[i->what] = 0;
        break;
    case POST:
        s->semaphore[i->what]++;
        break;
    case WAIT:
        if (!s->semaphore[i->what])
            return BLOCKED;
        s->semaphore[i->what]--;
        break;
    case CREATE:
        s->thread[i->what].begun = 1;
        push(s, i->what, i->what);
        break;
    case JOIN:
        if (i->what != t && !s->thread[i->what].ended)
            return BLOCKED;
        break;
    case AT_EXIT:
        list(s, 0, i->what);
        break;
    case AT_QUICK:
        list(s, 1, i->what);
        break;
    case TOUCH:
        s->thread[t].local = 1;
        break;
    case EXIT:
        push(s, t, EXITING);
        return STEPPED;
    case QUICK:
        push(s, t, QUITTING);
        return STEPPED;
    case LEAVE:
        return OVER;
    }
    ++*at;
    return STEPPED;
}

static void explore(const struct state *s)
{
    bool some = false, alive = false;
    if (too_many || !is_new(s))
        return;
    for (int t = 0; t < THREADS; t++) {
        if (!s->thread[t].begun || s->thread[t].ended)
            continue;
        struct state next = *s;
        enum outcome outcome = step(&next, t);
        alive = true;
        some |= outcome != BLOCKED;
        fails |= outcome == FAILED;
        if (outcome == STEPPED)
            explore(&next);
    }
    hangs |= alive && !some;
}

// ---- drawing programs ----

static void add(int function, enum op op, unsigned what, unsigned value)
{
    struct function *f = &functions[function];
    if (f->length < CODE - 1)
        f->code[f->length++] = (struct instruction){(uint8_t)op, (uint8_t)what, (uint8_t)value};
}

static void draw_access(int function)
{
    unsigned variable = draw(VARIABLES);
    switch (draw(4)) {
    case 0:
        add(function, STORE, variable, draw(3));
        break;
    case 1:
        add(function, CHECK, variable, draw(4));
        break;
    default:
        add(function, ADD, variable, 0);
        break;
    }
}

// Handlers register only those with higher numbers, or they might never end.
static void draw_registration(int function)
{
    int from = function < HANDLER ? 0 : function - HANDLER + 1;
    if (from < handlers)
        add(function, draw(5) ? AT_EXIT : AT_QUICK,
            (unsigned)HANDLER + (unsigned)from + draw((unsigned)(handlers - from)), 0);
}

static void draw_end(int function)
{
    static const enum op ends[] = {EXIT, EXIT, EXIT, QUICK, LEAVE};
    add(function, ends[draw(5)], 0, 0);
}

static void draw_step(int function)
{
    bool of_thread = function < HANDLER;
    unsigned lock = draw(LOCKS);
    switch (draw(10)) {
    case 0:
    case 1:
        add(function, LOCK, lock, 0);
        draw_access(function);
        if (of_thread && !draw(6))
            draw_end(function);
        add(function, UNLOCK, lock, 0);
        break;
    case 2:
        add(function, POST, draw(SEMAPHORES), 0);
        break;
    case 3:
        add(function, WAIT, draw(SEMAPHORES), 0);
        break;
    case 4:
        if (function < DESTROY)
            draw_registration(function);
        break;
    case 5:
        if (of_thread && cxx)
            add(function, TOUCH, 0, 0);
        break;
    default:
        draw_access(function);
        break;
    }
}

static void draw_body(int function, unsigned most)
{
    for (unsigned i = 1 + draw(most); i > 0; i--)
        draw_step(function);
}

static void draw_program(void)
{
    memset(functions, 0, sizeof functions);
    memset(joined, 0, sizeof joined);
    threads = 1 + (int)draw(2);
    handlers = (int)draw(HANDLERS);
    cxx = (int)draw(2);
    globals = cxx && handlers ? (int)draw(2) : 0;
    destructors = (int)draw(3);
    in_constructor = 0;
    int main_registers = handlers ? 1 + (int)draw(2) : 0;
    for (int i = 0; i < main_registers; i++)
        draw_registration(0);
    if (draw(3))
        draw_step(0);
    for (int t = 1; t <= threads; t++) {
        add(0, CREATE, (unsigned)t, 0);
        if (draw(3) == 0)
            in_constructor = functions[0].length;
    }
    if (draw(2))
        draw_body(0, 2);
    for (int t = 1; t <= threads; t++) {
        draw_body(t, 2);
        if (!draw(4))
            draw_end(t);
        unsigned who = draw(3); // waits for it
        if (who == 0)
            add(0, JOIN, (unsigned)t, 0);
        joined[t] = who == 0;
    }
    if (!draw(3))
        draw_body(0, 1);
    if (!draw(4))
        add(0, LEAVE_THREAD, 0, 0);
    else if (draw(2))
        draw_end(0);
    for (int h = 0; h < handlers; h++) {
        draw_body(HANDLER + h, 2);
        if (!draw(8))
            add(HANDLER + h, EXIT, 0, 0);
    }
    for (int d = 0; d < destructors; d++) {
        draw_access(DESTROY);
        if (!draw(3))
            add(DESTROY, draw(2) ? WAIT : POST, draw(SEMAPHORES), 0);
        if (d == 0)
            split = functions[DESTROY].length;
    }
    draw_access(LOCAL);
    if (!draw(3))
        add(LOCAL, POST, draw(SEMAPHORES), 0);
}

// Whether main may end the process before the first thread is there.
static bool may_end_before(void)
{
    const struct instruction *i = functions[0].code;
    while (i->op != CREATE && i->op != EXIT && i->op != QUICK && i->op != LEAVE)
        i++;
    return i->op != CREATE;
}

// If nobody joins the first thread, one handler may, if that is registered once.
static void draw_late_join(void)
{
    int times[HANDLERS] = {0};
    for (int f = 0; f < DESTROY; f++)
        for (int i = 0; i < functions[f].length; i++)
            if (functions[f].code[i].op == AT_EXIT || functions[f].code[i].op == AT_QUICK)
                times[functions[f].code[i].what - HANDLER] += f < HANDLER ? 1 : 2;
    for (int i = 0; i < globals; i++)
        times[i]++;
    for (int h = 0; h < handlers && !joined[1] && !may_end_before(); h++)
        if (times[h] == 1 && draw(2)) {
            add(HANDLER + h, JOIN, 1, 0);
            joined[1] = true;
        }
}

static void judge(void)
{
    struct state s;
    memset(&s, 0, sizeof s);
    memset(table, 0, sizeof table);
    states = 0;
    fails = hangs = too_many = false;
    s.thread[0].begun = 1;
    push(&s, 0, 0);
    for (int i = 0; i < globals; i++)
        list(&s, 0, (uint8_t)(HANDLER + i));
    explore(&s);
}

// ---- writing them ----

static void write_step(const struct instruction *i, bool of_thread, unsigned number)
{
    switch ((enum op)i->op) {
    case STORE:
        printf("    v[%d] = %d;\n", i->what, i->value);
        break;
    case ADD:
        printf("    v[%d]++;\n", i->what);
        break;
    case CHECK:
        printf("    assert(v[%d] != %d);\n", i->what, i->value);
        break;
    case LOCK:
        printf("    pthread_mutex_lock(&m[%d]);\n", i->what);
        break;
    case UNLOCK:
        printf("    pthread_mutex_unlock(&m[%d]);\n", i->what);
        break;
    case POST:
        printf("    sem_post(&s[%d]);\n", i->what);
        break;
    case WAIT:
        printf("    sem_wait(&s[%d]);\n", i->what);
        break;
    case CREATE:
        printf("    pthread_create(&t[%d], 0, t%d, 0);\n", i->what, i->what);
        break;
    case JOIN:
        printf("    pthread_join(t[%d], 0);\n", i->what);
        break;
    case AT_EXIT:
        printf(number % 3 ? "    atexit(h%d);\n" : "    on_exit(e%d, 0);\n", i->what - HANDLER);
        break;
    case AT_QUICK:
        printf("    at_quick_exit(h%d);\n", i->what - HANDLER);
        break;
    case TOUCH:
        puts("    local.touch();");
        break;
    case EXIT:
        printf("    exit(%u);\n", number % 4);
        break;
    case QUICK:
        puts("    quick_exit(1);");
        break;
    case LEAVE:
        puts(number % 2 ? "    _exit(0);" : "    _Exit(2);");
        break;
    case LEAVE_THREAD:
        puts("    pthread_exit(0);");
        break;
    case END:
        puts(of_thread ? "    return 0;" : "");
        break;
    }
}

static void write_steps(const struct function *f, int from, int until, bool of_thread)
{
    for (int i = from; i < until; i++)
        write_step(&f->code[i], of_thread, (unsigned)i + f->code[i].what);
}

static void write_function(const char *head, const struct function *f, int from, int until)
{
    printf("%s\n{\n", head);
    write_steps(f, from, until, false);
    puts("}");
}

static void write_destructors(void)
{
    const struct function *f = &functions[DESTROY];
    const char *head = "__attribute__((destructor(%d))) static void d%d(void)";
    char text[128];
    if (destructors) {
        snprintf(text, sizeof text, head, 300, 0);
        write_function(text, f, 0, split);
    }
    if (destructors > 1) {
        snprintf(text, sizeof text, head, 200, 1);
        write_function(text, f, split, f->length);
    }
}

static void write_program(void)
{
    char text[128];
    puts("#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <unistd.h>");
    puts(cxx ? "#include <atomic>\nstatic std::atomic<int> v[2];" : "#include <stdatomic.h>\nstatic atomic_int v[2];");
    puts("static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
         "static sem_t s[2];\nstatic pthread_t t[3];");
    for (int h = 0; h < handlers; h++)
        printf("static void h%d(void);\nstatic inline void e%d(int status, void *argument)\n{\n    (void)status;\n"
               "    (void)argument;\n    h%d();\n}\n",
               h, h, h);
    for (int g = 0; g < globals; g++)
        printf("struct global%d { ~global%d() { h%d(); } } global%d\n    __attribute__((init_priority(300)));\n", g, g,
               g, g);
    if (cxx) {
        puts("struct local {\n    int touched = 0;\n    void touch() { touched = 1; }\n    ~local()\n    {");
        write_steps(&functions[LOCAL], 0, functions[LOCAL].length, false);
        puts("    }\n};\nstatic thread_local struct local local;");
    }
    for (int h = 0; h < handlers; h++) {
        snprintf(text, sizeof text, "static void h%d(void)", h);
        write_function(text, &functions[HANDLER + h], 0, functions[HANDLER + h].length);
    }
    write_destructors();
    for (int i = 1; i <= threads; i++) {
        printf("static void *t%d(void *nothing)\n{\n    (void)nothing;\n", i);
        write_steps(&functions[i], 0, functions[i].length, true);
        puts("    return 0;\n}");
    }
    if (in_constructor)
        write_function("__attribute__((constructor(400))) static void construct(void)", &functions[0], 0,
                       in_constructor);
    puts("int main(void)\n{");
    write_steps(&functions[0], in_constructor, functions[0].length, false);
    puts("    return 0;\n}");
}

int main(int argc, char **argv)
{
    uint64_t number = draw_begin(argc, argv);
    bool want_right = draw(2);
    int tries = 0;
    do {
        draw_program();
        draw_late_join();
        judge();
    } while (too_many || (tries++ < 60 && (fails || hangs) == want_right));
    const char *answer = !fails && !hangs ? "verified"
                         : fails && hangs ? "bug"
                         : fails          ? "bug assertion"
                                          : "bug deadlock";
    const char *options = draw(2)
                              ? ""
                              : draw_of("--strategy dpor", "--strategy dfs", "--strategy bounded", "--restart replay",
                                        "--restart fork", "--restart checkpoint", "--restart verify");
    printf("// expect: %s%s%s%s\n// number %llu, %d states\n", answer, cxx ? " c++" : "", *options ? " options: " : "",
           options, (unsigned long long)number, states);
    write_program();
    return 0;
}
