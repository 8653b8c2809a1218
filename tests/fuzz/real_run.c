#include "fuzz/real_run.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "supervise/run.h"

#define TABLE_VARIABLE "REAL_OUTCOMES"

enum { TABLE_BYTES = REAL_SLOTS * 8 };

static const char head[] =
    "#include <assert.h>\n"
    "#include <heddle/heddle.h>\n"
    "#include <poll.h>\n"
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "#include <stdint.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/epoll.h>\n"
    "#include <sys/eventfd.h>\n"
    "#include <sys/socket.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "static uint64_t *table;\n"
    "#undef no_sanitize\n" // heddle cc defines it away
    "#define UNSEEN __attribute__((no_sanitize(\"thread\"), noinline))\n"
    "#define BARRIER __asm__ volatile(\"\" ::: \"memory\")\n"
    "\n"
    "// By number: calls of functions that heddle does not know would make it restart by replay.\n"
    "UNSEEN static long kernel(long number, long a, long b, long c, long d, long e)\n"
    "{\n"
    "    register long r10 __asm__(\"r10\") = d, r8 __asm__(\"r8\") = e, r9 __asm__(\"r9\") = 0;\n"
    "    long result;\n"
    "    __asm__ volatile(\"syscall\" : \"=a\"(result) : \"a\"(number), \"D\"(a), \"S\"(b), \"d\"(c), \"r\"(r10), "
    "\"r\"(r8), \"r\"(r9)\n"
    "                     : \"rcx\", \"r11\", \"memory\");\n"
    "    return result;\n"
    "}\n"
    "\n"
    "UNSEEN static void note(const uint8_t *bytes, int n)\n"
    "{\n"
    "    uint64_t h = 0xcbf29ce484222325u;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        h = (h ^ bytes[i]) * 0x100000001b3u;\n"
    "    h ^= h >> 29;\n"
    "    h += !h;\n"
    "    if (!table)\n"
    "        return;\n"
    "    uint64_t at = h % (SLOTS - 1);\n"
    "    for (int i = 0; i < SLOTS && table[1 + at] && table[1 + at] != h; i++)\n"
    "        at = (at + 1) % (SLOTS - 1);\n"
    "    table[1 + at] = h;\n"
    "}\n"
    "\n"
    "// Semaphores that are descriptors: each piece of the size counts for one.\n"
    "__attribute__((unused)) static void post(int fd, int size)\n"
    "{\n"
    "    uint64_t one = 1;\n"
    "    if (write(fd, &one, size) != size) abort();\n"
    "}\n"
    "__attribute__((unused)) static void take(int fd, int size)\n"
    "{\n"
    "    uint64_t one;\n"
    "    if (read(fd, &one, size) != size) abort();\n"
    "}\n"
    "__attribute__((unused)) static _Bool try(int fd)\n"
    "{\n"
    "    char one;\n"
    "    return recv(fd, &one, 1, MSG_DONTWAIT) == 1;\n"
    "}\n"
    "\n";

static const char ending[] = "__attribute__((constructor)) UNSEEN static void open_table(void)\n"
                             "{\n"
                             "    const char *path = getenv(\"" TABLE_VARIABLE "\");\n"
                             "    if (!path)\n"
                             "        return;\n"
                             "    long fd = kernel(2, (long)path, 2, 0, 0, 0);\n"
                             "    if (fd >= 0)\n"
                             "        table = (uint64_t *)kernel(9, 0x7e0000000000, SLOTS * 8, 3, 0x11, fd);\n"
                             "    kernel(3, fd, 0, 0, 0, 0);\n"
                             "    table[0] = (uint64_t)MEMORY;\n"
                             "}\n"
                             "\n"
                             "static void at_end(int status, void *unused)\n"
                             "{\n"
                             "    end[which](status);\n"
                             "}\n"
                             "\n"
                             "int main(int argc, char **argv)\n"
                             "{\n"
                             "    which = argc > 1 ? atoi(argv[1]) : 0;\n"
                             "    on_exit(at_end, NULL);\n"
                             "    begin[which]();\n"
                             "    return 0;\n"
                             "}\n";

uint64_t real_hash(const uint8_t *bytes, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ bytes[i]) * 0x100000001b3u;
    h ^= h >> 29;
    return h + !h;
}

void real_print_head(FILE *out)
{
    fprintf(out, "#define SLOTS %d\n%s", REAL_SLOTS, head);
}

void real_print_main(FILE *out, uint32_t programs)
{
    fprintf(out, "static void (*const begin[])(void) = {");
    for (uint32_t i = 0; i < programs; i++)
        fprintf(out, "begin%u, ", i);
    fprintf(out, "};\nstatic void (*const end[])(int) = {");
    for (uint32_t i = 0; i < programs; i++)
        fprintf(out, "end%u, ", i);
    fprintf(out, "};\nstatic int which;\n\n%s", ending);
}

bool real_install(const char *folder)
{
    char build[256], command[2048];
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);
    require(n > 0);
    build[n] = 0;
    for (int up = 0; up < 3; up++) // BUILD/tests/fuzz/fuzz_real
        *strrchr(build, '/') = 0;
    snprintf(command, sizeof command,
             "mkdir %s/bin && cp %s/heddle %s/libheddle.so %s/libheddle-frameworks.a %s/bin && "
             "ln -s %s/../include %s/include && %s/bin/heddle --version >/dev/null",
             folder, build, build, build, folder, build, folder, folder);
    return system(command) == 0;
}

void real_uninstall(const char *folder)
{
    char command[1024];
    snprintf(command, sizeof command, "rm -rf %s/bin %s/include", folder, folder);
    require(system(command) == 0);
}

void real_begin(struct real_place *place, const char *folder, const char *name)
{
    snprintf(place->heddle, sizeof place->heddle, "%s/bin/heddle", folder);
    snprintf(place->source, sizeof place->source, "%s/%s.c", folder, name);
    snprintf(place->program, sizeof place->program, "%s/%s", folder, name);
    snprintf(place->table, sizeof place->table, "%s/%s.table", folder, name);
    snprintf(place->log, sizeof place->log, "%s/%s.log", folder, name);
    int fd = open(place->table, O_RDWR | O_CREAT | O_TRUNC, 0600);
    require(fd >= 0 && !ftruncate(fd, TABLE_BYTES));
    place->slots = mmap(NULL, TABLE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    require(place->slots != MAP_FAILED);
    close(fd);
    setenv(TABLE_VARIABLE, place->table, 1);
}

void real_end(struct real_place *place, bool keep_source)
{
    munmap(place->slots, TABLE_BYTES);
    unlink(place->table);
    unlink(place->program);
    unlink(place->log);
    if (!keep_source)
        unlink(place->source);
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        require(errno == EINTR);
    return status;
}

// How a process ended that should have ended with status 0.
static void describe_end(int status, char *text, size_t room)
{
    if (WIFSIGNALED(status))
        snprintf(text, room, "it died of signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, room, "it ended with status %d", WEXITSTATUS(status));
}

char *real_compile(const struct real_place *place, const char *flags)
{
    char command[2048], line[512] = "";
    snprintf(command, sizeof command, "HEDDLE_LEAVE_UNSEEN=1 %s cc -g -w -fno-strict-aliasing %s %s -o %s >%s 2>&1",
             place->heddle, flags, place->source, place->program, place->log);
    int status = system(command);
    if (status == 0)
        return NULL;
    FILE *log = fopen(place->log, "r");
    if (!log || !fgets(line, sizeof line, log))
        describe_end(status, line, sizeof line);
    if (log)
        fclose(log);
    line[strcspn(line, "\n")] = 0;
    char *said = strdup(line);
    require(said);
    return said;
}

static struct set collect(const struct real_place *place)
{
    struct set set = {0};
    for (uint32_t i = 1; i < REAL_SLOTS; i++)
        if (place->slots[i])
            set_add(&set, place->slots[i]);
    return set;
}

// enum audit_mode
static uint32_t undo_check(void)
{
    const char *when = getenv("REAL_UNDO_CHECK");
    return when && !strcmp(when, "off") ? 1 : when && !strcmp(when, "always") ? 2 : 0;
}

// In a process of its own: what waits for a worker sleeps longer from run to run.
struct real_answer real_explore(const struct real_place *place, struct real_task task)
{
    char number[16];
    snprintf(number, sizeof number, "%u", task.number);
    char *arguments[] = {number, NULL};
    struct real_answer answer = {.job = job_new()};
    struct job *job = answer.job;
    job->task.strategy = task.strategy;
    job->task.rules.restart = task.restart;
    job->task.rules.races = task.races;
    job->task.rules.faults[FAULT_WRITE] = (struct fault_budget){task.faults, task.faults ? 1 : 0};
    job->task.only_races = task.only_races;
    if (task.more) {
        const struct rules given = job->task.rules;
        job->task.rules = task.more->rules;
        job->task.rules.restart = given.restart;
        job->task.symmetry = task.more->symmetry;
        job->task.memory = task.more->memory;
        job->task.audit_states = task.more->audit_states;
        job->task.tail = task.more->tail;
    }
    job->task.keep_going = 1;
    job->task.seed = 1;
    job->task.undo_check = task.more ? task.more->undo_check : undo_check();
    if (task.max_executions)
        job->task.max_executions = task.max_executions;
    job->task.seconds = 20;
    memset(place->slots, 0, TABLE_BYTES);
    pid_t child = fork();
    require(child >= 0);
    if (!child)
        _exit(run_job(&(struct subject){.program = place->program, .arguments = arguments}, job, -1));
    int status = wait_for(child);
    if (status) { // what it had to say is on standard error
        char end[128];
        describe_end(status, end, sizeof end);
        snprintf(job->answer.reason, sizeof job->answer.reason, "the search could not be run: %s", end);
        job->answer.end = JOB_UNSUPPORTED;
    }
    answer.memory = place->slots[0];
    answer.outcomes = collect(place);
    return answer;
}

void real_forget(struct real_answer *answer)
{
    job_free(answer->job);
    set_free(&answer->outcomes);
}

cJSON *real_command(const struct real_place *place, struct real_task task)
{
    static const char *const restarts[] = {"auto", "undo", "replay", "verify"};
    static const char *const races[] = {"report", "explore", "off"};
    char command[2048], faults[64] = ""; // in a folder of its own, which the schedules are left in
    if (task.faults)
        snprintf(faults, sizeof faults, "--fault write=ENOSPC:%u", task.faults);
    snprintf(
        command, sizeof command,
        "mkdir %s.d && cd %s.d && %s check --keep-going --explain 0.01 --strategy %s --restart %s --races %s --json - "
        "%s %s -- %u; rm -rf %s.d",
        place->program, place->program, place->heddle, strategy_table[task.strategy].name, restarts[task.restart],
        races[task.races], faults, place->program, task.number, place->program);
    FILE *pipe = popen(command, "r");
    require(pipe);
    size_t length = 0, room = 1 << 20;
    char *text = malloc(room + 1);
    require(text);
    for (size_t n; (n = fread(text + length, 1, room - length, pipe)) > 0;) {
        length += n;
        if (length == room) {
            text = realloc(text, (room *= 2) + 1);
            require(text);
        }
    }
    text[length] = 0;
    pclose(pipe);
    cJSON *json = cJSON_Parse(text);
    free(text);
    return json;
}
