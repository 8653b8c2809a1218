// What is made before main: locks of all kinds, semaphores, barriers, keys, routines that run once, pipes, handlers of signals
// and of the end, threads, memory, by constructors of C or by global objects of C++. A thread, main and the end of the
// process use it. Each thing has a right use and some wrong ones; a program has a few things and at most one fault, so
// what is true of it is known. Main and the thread come to the things in the same order, so that none waits for another.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

// The code of a thing: its variables, what the constructor does, main beside the thread, the thread, main after it, the end.
enum part { VARIABLES, CONSTRUCT, BESIDE, THREAD, AFTER, FINISH, PARTS };

struct fault {
    const char *kind;
    enum part part;      // which is …
    const char *instead; // … replaced
};

// `@` stands for the thing's number.
static const struct thing {
    const char *parts[PARTS];
    struct fault faults[3];
} things[] = {
    {{"static pthread_mutex_t m@ = PTHREAD_MUTEX_INITIALIZER;", "pthread_mutex_lock(&m@);",
      "pthread_mutex_unlock(&m@);", "pthread_mutex_lock(&m@); pthread_mutex_unlock(&m@);",
      "pthread_mutex_destroy(&m@);", ""},
     {{"deadlock", BESIDE, ""}, {"lock-misuse", AFTER, "pthread_mutex_destroy(&m@); pthread_mutex_lock(&m@);"}}},
    {{"static pthread_mutex_t r@;",
      "pthread_mutexattr_t a@; pthread_mutexattr_init(&a@); pthread_mutexattr_settype(&a@, PTHREAD_MUTEX_RECURSIVE); "
      "pthread_mutex_init(&r@, &a@); pthread_mutex_lock(&r@); pthread_mutex_lock(&r@);",
      "pthread_mutex_unlock(&r@); pthread_mutex_unlock(&r@);", "pthread_mutex_lock(&r@); pthread_mutex_unlock(&r@);",
      "assert(!pthread_mutex_lock(&r@));", "assert(!pthread_mutex_unlock(&r@));"},
     {{"deadlock", BESIDE, "pthread_mutex_unlock(&r@);"}, {"assertion", FINISH, "assert(pthread_mutex_unlock(&r@));"}}},
    {{"static pthread_rwlock_t w@ = PTHREAD_RWLOCK_INITIALIZER;", "pthread_rwlock_rdlock(&w@);",
      "pthread_rwlock_unlock(&w@);", "pthread_rwlock_wrlock(&w@); pthread_rwlock_unlock(&w@);", "",
      "pthread_rwlock_rdlock(&w@); pthread_rwlock_unlock(&w@);"},
     {{"deadlock", BESIDE, ""}, {"deadlock", FINISH, "pthread_rwlock_rdlock(&w@); pthread_rwlock_wrlock(&w@);"}}},
    {{"static pthread_spinlock_t k@; static int c@;", "pthread_spin_init(&k@, 0);",
      "pthread_spin_lock(&k@); c@++; pthread_spin_unlock(&k@);",
      "pthread_spin_lock(&k@); c@++; pthread_spin_unlock(&k@);", "assert(c@ == 2);", "assert(c@ == 2);"},
     {{"race", THREAD, "c@++;"}, {"assertion", FINISH, "assert(c@ == 1);"}}},
    {{"static sem_t s@;", "sem_init(&s@, 0, 1);", "sem_post(&s@);", "sem_wait(&s@); sem_wait(&s@);",
      "int v@; sem_getvalue(&s@, &v@); assert(v@ == 0);", "sem_post(&s@); sem_wait(&s@);"},
     {{"deadlock", CONSTRUCT, "sem_init(&s@, 0, 0);"}, {"deadlock", FINISH, "sem_wait(&s@);"}}},
    {{"static pthread_barrier_t b@;", "pthread_barrier_init(&b@, 0, 2);", "pthread_barrier_wait(&b@);",
      "pthread_barrier_wait(&b@);", "", "pthread_barrier_destroy(&b@);"},
     {{"deadlock", CONSTRUCT, "pthread_barrier_init(&b@, 0, 3);"}, {"deadlock", FINISH, "pthread_barrier_wait(&b@);"}}},
    {{"static pthread_key_t k@; static int d@; static void z@(void *value) { *(int *)value += 1; }",
      "pthread_key_create(&k@, z@); pthread_setspecific(k@, &k@);", "assert(pthread_getspecific(k@) == &k@);",
      "assert(!pthread_getspecific(k@)); pthread_setspecific(k@, &d@);", "assert(d@ == 1);",
      "assert(pthread_getspecific(k@) == &k@);"},
     {{"assertion", THREAD, "assert(pthread_getspecific(k@));"}, {"assertion", FINISH, "assert(d@ == 2);"}}},
    {{"static pthread_once_t o@ = PTHREAD_ONCE_INIT; static int c@; static void f@(void) { c@++; }",
      "pthread_once(&o@, f@);", "pthread_once(&o@, f@);", "pthread_once(&o@, f@);", "assert(c@ == 1);",
      "pthread_once(&o@, f@); assert(c@ == 1);"},
     {{"assertion", THREAD, "pthread_once(&o@, f@); assert(c@ == 2);"}, {"assertion", FINISH, "assert(c@ == 0);"}}},
    {{"static int p@[2];", "assert(!pipe(p@)); assert(write(p@[1], \"x\", 1) == 1);",
      "assert(write(p@[1], \"y\", 1) == 1);", "char a@; assert(read(p@[0], &a@, 1) == 1 && a@ == 'x');",
      "char e@; assert(read(p@[0], &e@, 1) == 1 && e@ == 'y');",
      "close(p@[1]); char g@; assert(!read(p@[0], &g@, 1));"},
     {{"deadlock", AFTER, "char e@; read(p@[0], &e@, 1); read(p@[0], &e@, 1);"},
      {"assertion", CONSTRUCT, "assert(!pipe(p@)); assert(write(p@[1], \"z\", 1) == 1);"}}},
    {{"static int e@;", "e@ = eventfd(2, 0);", "uint64_t i@ = 1; assert(write(e@, &i@, 8) == 8);", "", "",
      "uint64_t n@; assert(read(e@, &n@, 8) == 8 && n@ == 3);"},
     {{"deadlock", FINISH, "uint64_t n@; read(e@, &n@, 8); read(e@, &n@, 8);"}}},
    {{"static volatile int h@; static void f@(int number) { h@ = number; }",
      "struct sigaction a@; memset(&a@, 0, sizeof a@); a@.sa_handler = f@; sigaction(SIGUSR1, &a@, 0);", "", "",
      "raise(SIGUSR1); assert(h@ == SIGUSR1);", "h@ = 0; raise(SIGUSR1); assert(h@ == SIGUSR1);"},
     {{"signal", CONSTRUCT, "(void)f@;"}, {"assertion", FINISH, "assert(!h@);"}}},
    {{"static __thread int l@;", "l@ = 4 + (getpid() > 0);", "assert(l@ == 5);", "assert(l@ == 0); l@ = 6;",
      "assert(l@ == 5);", "assert(l@ == 5);"},
     {{"assertion", THREAD, "assert(l@ == 5);"}, {"assertion", FINISH, "assert(l@ == 6);"}}},
    {{"static int *q@;", "q@ = (int *)calloc(4, sizeof(int)); q@[1] = 7;", "", "assert(q@[1] == 7); q@[2] = 1;",
      "assert(q@[2] == 1);", "free(q@);"},
     {{"race", BESIDE, "q@[2] = 3;"},
      {"use-after-free", FINISH, "free(q@); q@[0]++;"},
      {"double-free", FINISH, "free(q@); free(q@);"}}},
    {{"static pthread_t t@; static pthread_mutex_t n@ = PTHREAD_MUTEX_INITIALIZER; static int c@;\n"
      "static void *f@(void *nothing) { pthread_mutex_lock(&n@); c@++; pthread_mutex_unlock(&n@); return nothing; }",
      "pthread_create(&t@, 0, f@, 0);", "pthread_mutex_lock(&n@); c@++; pthread_mutex_unlock(&n@);", "", "",
      "pthread_join(t@, 0); assert(c@ == 2);"},
     {{"race", BESIDE, "c@++;"}, {"assertion", FINISH, "pthread_join(t@, 0); assert(c@ == 1);"}}},
    {{"static pthread_t t@; static pthread_mutex_t n@ = PTHREAD_MUTEX_INITIALIZER;\n"
      "static pthread_cond_t g@ = PTHREAD_COND_INITIALIZER; static int stop@;\n"
      "static void *f@(void *nothing) { pthread_mutex_lock(&n@); while (!stop@) pthread_cond_wait(&g@, &n@); "
      "pthread_mutex_unlock(&n@); return nothing; }",
      "pthread_create(&t@, 0, f@, 0);", "", "", "",
      "pthread_mutex_lock(&n@); stop@ = 1; pthread_cond_signal(&g@); pthread_mutex_unlock(&n@); pthread_join(t@, 0);"},
     {{"deadlock", FINISH, "pthread_mutex_lock(&n@); stop@ = 1; pthread_mutex_unlock(&n@); pthread_join(t@, 0);"},
      {"race", FINISH,
       "stop@ = 1; pthread_cond_signal(&g@); pthread_mutex_lock(&n@); pthread_cond_signal(&g@); "
       "pthread_mutex_unlock(&n@);"}}},
    {{"static int x@; static void f@(void) { assert(x@ == 2); }", "atexit(f@);", "", "x@ = 1;", "x@++;", ""},
     {{"assertion", AFTER, ""}, {"assertion", THREAD, ""}}},
    {{"static pthread_mutex_t e@;",
      "pthread_mutexattr_t i@; pthread_mutexattr_init(&i@); pthread_mutexattr_settype(&i@, PTHREAD_MUTEX_ERRORCHECK); "
      "pthread_mutex_init(&e@, &i@); pthread_mutex_lock(&e@);",
      "assert(pthread_mutex_trylock(&e@) == EBUSY); pthread_mutex_unlock(&e@);",
      "pthread_mutex_lock(&e@); pthread_mutex_unlock(&e@);", "", "assert(!pthread_mutex_trylock(&e@));"},
     {{"deadlock", BESIDE, "assert(pthread_mutex_trylock(&e@) == EBUSY);"},
      {"assertion", FINISH, "assert(!pthread_mutex_trylock(&e@)); assert(!pthread_mutex_trylock(&e@));"}}},
    {{"static mtx_t m@; static tss_t t@; static once_flag o@ = ONCE_FLAG_INIT; static int c@; static void f@(void) { "
      "c@++; }",
      "mtx_init(&m@, mtx_plain); tss_create(&t@, 0); tss_set(t@, &c@); call_once(&o@, f@);",
      "mtx_lock(&m@); c@++; mtx_unlock(&m@);",
      "call_once(&o@, f@); assert(!tss_get(t@)); mtx_lock(&m@); c@++; mtx_unlock(&m@);",
      "assert(c@ == 3 && tss_get(t@) == &c@);", "mtx_destroy(&m@); tss_delete(t@);"},
     {{"race", THREAD, "c@++;"},
      {"assertion", AFTER, "assert(c@ == 2);"},
      {"deadlock", FINISH, "mtx_lock(&m@); mtx_lock(&m@);"}}},
    {{"static pthread_mutex_t u@ = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t v@; static int c@;",
      "pthread_condattr_t a@; pthread_condattr_init(&a@); pthread_condattr_setclock(&a@, CLOCK_MONOTONIC); "
      "pthread_cond_init(&v@, &a@);",
      "pthread_mutex_lock(&u@); c@ = 1; pthread_cond_signal(&v@); pthread_mutex_unlock(&u@);",
      "pthread_mutex_lock(&u@); while (!c@) pthread_cond_wait(&v@, &u@); pthread_mutex_unlock(&u@);",
      "pthread_cond_destroy(&v@);", "assert(c@ == 1);"},
     {{"deadlock", BESIDE, "pthread_mutex_lock(&u@); c@ = 1; pthread_mutex_unlock(&u@);"},
      {"race", THREAD, "c@ = 1;"},
      {"assertion", FINISH, "assert(!c@);"}}},
    {{"static int y@[2];", "assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, y@));", "assert(write(y@[0], \"ab\", 2) == 2);",
      "char a@[2]; assert(read(y@[1], a@, 2) == 2 && a@[1] == 'b'); assert(write(y@[1], \"c\", 1) == 1);",
      "char e@; assert(read(y@[0], &e@, 1) == 1 && e@ == 'c');",
      "close(y@[0]); char g@; assert(!read(y@[1], &g@, 1));"},
     {{"deadlock", BESIDE, ""}, {"assertion", BESIDE, "assert(write(y@[0], \"ba\", 2) == 2);"}}},
    {{"static sem_t *s@;", "s@ = sem_open(\"/edges@\", O_CREAT, 0600, 0); assert(s@ != SEM_FAILED);", "sem_post(s@);",
      "sem_wait(s@);", "", "sem_close(s@); sem_unlink(\"/edges@\");"},
     {{"deadlock", BESIDE, ""}, {"deadlock", AFTER, "sem_wait(s@);"}}},
    {{"static int p@[2], q@;",
      "struct epoll_event v@; memset(&v@, 0, sizeof v@); v@.events = EPOLLIN; assert(!pipe(p@)); q@ = "
      "epoll_create1(0); "
      "assert(!epoll_ctl(q@, EPOLL_CTL_ADD, p@[0], &v@));",
      "assert(write(p@[1], \"x\", 1) == 1);",
      "struct epoll_event w@; char a@; assert(epoll_wait(q@, &w@, 1, -1) == 1 && read(p@[0], &a@, 1) == 1);", "",
      "struct epoll_event z@; assert(!epoll_wait(q@, &z@, 1, 0)); close(q@);"},
     {{"deadlock", BESIDE, ""}, {"deadlock", AFTER, "struct epoll_event z@; epoll_wait(q@, &z@, 1, -1);"}}},
    {{"static pthread_t t@; static int f@;\n"
      "static void *g@(void *nothing) { while (!__atomic_load_n(&f@, __ATOMIC_SEQ_CST)) ; return nothing; }",
      "pthread_create(&t@, 0, g@, 0);", "", "", "__atomic_store_n(&f@, 1, __ATOMIC_SEQ_CST);", "pthread_join(t@, 0);"},
     {{"livelock", AFTER, ""}}},
    {{"static pthread_mutex_t b@; static int c@;",
      "pthread_mutexattr_t i@; pthread_mutexattr_init(&i@); pthread_mutexattr_setrobust(&i@, PTHREAD_MUTEX_ROBUST); "
      "pthread_mutex_init(&b@, &i@);",
      "", "pthread_mutex_lock(&b@); c@ = 1;",
      "assert(pthread_mutex_lock(&b@) == EOWNERDEAD && c@ == 1); pthread_mutex_consistent(&b@); "
      "pthread_mutex_unlock(&b@);",
      "assert(!pthread_mutex_lock(&b@));"},
     {{"assertion", AFTER, "assert(!pthread_mutex_lock(&b@));"}, {"race", BESIDE, "c@ = 2;"}}},
};

enum { THINGS = sizeof things / sizeof *things, MOST = 4 };

static struct {
    const struct thing *thing;
    const struct fault *fault;
} chosen[MOST];
static int count;

static void write_text(const char *text, int number)
{
    for (; *text; text++)
        if (*text == '@')
            printf("%d", number);
        else
            putchar(*text);
}

static const char *text_of(int number, enum part part)
{
    const struct fault *fault = chosen[number].fault;
    return fault && fault->part == part ? fault->instead : chosen[number].thing->parts[part];
}

static void write_part(enum part part)
{
    for (int i = 0; i < count; i++) {
        const char *text = text_of(i, part);
        if (!*text)
            continue;
        printf("%s", part == VARIABLES ? "" : "    ");
        write_text(text, i);
        puts("");
    }
}

static void write_function(const char *head, enum part part, const char *more)
{
    printf("%s\n{\n", head);
    write_part(part);
    printf("%s}\n", more);
}

// How the constructor and the end are found: by attributes, in a global object, or by a handler.
static void write_life(bool cxx, unsigned how)
{
    if (cxx && how % 2) {
        write_function("static void construct(void)", CONSTRUCT, "");
        write_function("static void finish(void)", FINISH, "");
        puts("struct life { life() { construct(); } ~life() { finish(); } };");
        puts(how == 1 ? "static life life;"
                      : "static life *made = new life;\nstruct end { ~end() { delete made; } } end;");
        return;
    }
    write_function("__attribute__((constructor)) static void construct(void)", CONSTRUCT,
                   how == 2 ? "    void finish(void);\n    atexit(finish);\n" : "");
    write_function(how == 2 ? "void finish(void)" : "__attribute__((destructor)) static void finish(void)", FINISH, "");
}

static void draw_things(bool wrong)
{
    bool taken[THINGS] = {false};
    count = 1 + (int)draw(MOST);
    for (int i = 0; i < count; i++) {
        unsigned which = draw(THINGS);
        while (taken[which])
            which = (which + 1) % THINGS;
        taken[which] = true;
        chosen[i].thing = &things[which];
    }
    int faulty = wrong ? (int)draw((unsigned)count) : -1;
    for (int i = 0; i < count; i++) {
        unsigned faults = 0;
        while (faults < 3 && chosen[i].thing->faults[faults].kind)
            faults++;
        chosen[i].fault = i == faulty ? &chosen[i].thing->faults[draw(faults)] : NULL;
    }
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    bool wrong = draw(2), cxx = draw(2);
    const char *kind = "";
    draw_things(wrong);
    bool spins = false;
    for (int i = 0; i < count; i++) {
        if (chosen[i].fault)
            kind = chosen[i].fault->kind;
        spins |= !strcmp(chosen[i].thing->faults[0].kind, "livelock");
    }
    if (spins && !strcmp(kind, "deadlock")) // whether that thread has been told to end by then is another matter
        kind = "";
    const char *options = draw(2) ? ""
                                  : draw_of("--strategy dpor", "--strategy bounded", "--restart replay",
                                            "--restart fork", "--restart checkpoint", "--restart verify");
    printf("// expect: %s %s%s%s%s\n", wrong ? "bug" : "verified", kind, cxx ? " c++" : "",
           *options ? " options: " : "", options);
    puts("#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
         "#include <signal.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/epoll.h>\n"
         "#include <sys/eventfd.h>\n#include <sys/socket.h>\n#include <threads.h>\n#include <time.h>\n#include "
         "<unistd.h>");
    write_part(VARIABLES);
    write_life(cxx, draw(4));
    write_function("static void *work(void *nothing)", THREAD, "    return nothing;\n");
    puts("int main(void)\n{\n    pthread_t thread;\n    pthread_create(&thread, 0, work, 0);");
    write_part(BESIDE);
    puts("    pthread_join(thread, 0);");
    write_part(AFTER);
    puts(draw(2) ? "    return 0;\n}" : "    exit(0);\n}");
    return 0;
}
