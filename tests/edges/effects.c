// What functions of the C library read and write: one thread calls one of them, and main reads or writes one byte meanwhile.
// Whether that is a race follows from what the standards say of the function. Of bytes that it may use or leave alone, such as
// those behind the first difference of two texts, nothing is claimed.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

struct part {
    int from, to;
};

// In the memory `m` of 256 bytes. `may`: what it possibly reads or writes besides.
struct effect {
    const char *prepare, *call;
    struct part reads[2], writes[2], may;
};

#define HELLO "strcpy(m, \"hello\");"
static const struct effect effects[] = {
    {HELLO, "memcpy(m + 64, m, n + 10)", {{0, 10}}, {{64, 74}}, {0}},
    {HELLO, "memmove(m + 5, m + 3, n + 7)", {{3, 10}}, {{5, 12}}, {0}},
    {HELLO, "mempcpy(m + 64, m, n + 10)", {{0, 10}}, {{64, 74}}, {0}},
    {HELLO, "memccpy(m + 64, m, 'l', 6)", {{0, 3}}, {{64, 67}}, {0}},
    {"", "memset(m + 5, 1, n + 9)", {{0}}, {{5, 14}}, {0}},
    {"", "bzero(m + 5, n + 9)", {{0}}, {{5, 14}}, {0}},
    {"", "explicit_bzero(m + 5, n + 9)", {{0}}, {{5, 14}}, {0}},
    {HELLO, "bcopy(m, m + 64, n + 9)", {{0, 9}}, {{64, 73}}, {0}},
    {HELLO, "swab(m, m + 64, (ssize_t)n + 6)", {{0, 6}}, {{64, 70}}, {0}},
    {HELLO, "strcpy(m + 64, m)", {{0, 6}}, {{64, 70}}, {0}},
    {HELLO, "stpcpy(m + 64, m)", {{0, 6}}, {{64, 70}}, {0}},
    {HELLO, "strncpy(m + 64, m, n + 4)", {{0, 4}}, {{64, 68}}, {0}},
    {HELLO, "strncpy(m + 64, m, n + 12)", {{0, 6}}, {{64, 76}}, {0}},
    {HELLO, "stpncpy(m + 64, m, n + 12)", {{0, 6}}, {{64, 76}}, {0}},
    {HELLO "strcpy(m + 64, \"ab\");", "strcat(m + 64, m)", {{0, 6}, {64, 67}}, {{66, 72}}, {0}},
    {HELLO "strcpy(m + 64, \"ab\");", "strncat(m + 64, m, n + 3)", {{0, 3}, {64, 67}}, {{66, 70}}, {0}},
    {HELLO, "sink = (long)strlen(m)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)strnlen(m, n + 3)", {{0, 3}}, {{0}}, {0}},
    {HELLO "strcpy(m + 64, \"help\");", "sink = strcmp(m, m + 64)", {{0, 4}, {64, 68}}, {{0}}, {0, 69}},
    {HELLO "strcpy(m + 64, \"help\");", "sink = strncmp(m, m + 64, n + 3)", {{0, 3}, {64, 67}}, {{0}}, {0}},
    {HELLO "strcpy(m + 64, \"HELLO\");", "sink = strcasecmp(m, m + 64)", {{0, 6}, {64, 70}}, {{0}}, {0}},
    {HELLO "strcpy(m + 64, \"hello\");", "sink = strcoll(m, m + 64)", {{0, 6}, {64, 70}}, {{0}}, {0}},
    {HELLO "strcpy(m + 64, \"hello\");", "sink = memcmp(m, m + 64, n + 8)", {{0, 8}, {64, 72}}, {{0}}, {0}},
    {HELLO, "sink = (long)strchr(m, 'l')", {{0, 3}}, {{0}}, {0, 6}},
    {HELLO, "sink = (long)strchr(m, 'z')", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)strrchr(m, 'e')", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)memchr(m, 'l', n + 5)", {{0, 3}}, {{0}}, {0, 5}},
    {HELLO, "sink = (long)memrchr(m, 'z', n + 5)", {{0, 5}}, {{0}}, {0}},
    {HELLO, "sink = (long)strstr(m, \"zz\")", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)memmem(m, n + 6, \"zz\", 2)", {{0, 5}}, {{0}}, {0, 6}},
    {HELLO, "sink = (long)strspn(m, \"helo\")", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)strcspn(m, \"zy\")", {{0, 6}}, {{0}}, {0}},
    {HELLO, "sink = (long)strpbrk(m, \"zy\")", {{0, 6}}, {{0}}, {0}},
    {HELLO, "free(strdup(m))", {{0, 6}}, {{0}}, {0}},
    {HELLO, "free(strndup(m, n + 3))", {{0, 3}}, {{0}}, {0}},
    {"strcpy(m, \"ab,c\");", "strtok_r(m, \",\", (char **)(m + 64))", {{0, 3}}, {{2, 3}, {64, 72}}, {0, 5}},
    {"strcpy(m, \"ab,c\"); *(char **)(m + 64) = m;", "strsep((char **)(m + 64), \",\")", {{0, 3}, {64, 72}}, {{2, 3}, {64, 72}}, {0, 5}},
    {HELLO, "sprintf(m + 64, \"%s-%d\", m, 42)", {{0, 6}}, {{64, 73}}, {0}},
    {HELLO, "snprintf(m + 64, n + 4, \"%s-%d\", m, 42)", {{0, 6}}, {{64, 68}}, {0}},
    {HELLO, "snprintf(m + 64, 20, \"%.3s\", m)", {{0, 3}}, {{64, 68}}, {0}},
    {"", "snprintf(0, 0, \"ab%n\", (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {HELLO, "char *p = 0; if (asprintf((char **)(m + 64), \"%s\", m) > 0) free(*(char **)(m + 64)); sink = (long)p", {{0, 6}}, {{64, 72}}, {0}},
    {HELLO, "printf(\"%s\", m)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "puts(m)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "fputs(m, stdout)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "fwrite(m, 1, n + 5, stdout)", {{0, 5}}, {{0}}, {0}},
    {HELLO, "sink = sscanf(m, \"%4s\", m + 64)", {{0, 4}}, {{64, 69}}, {0, 6}},
    {"strcpy(m, \"7 8\");", "sink = sscanf(m, \"%d %hd\", (int *)(m + 64), (short *)(m + 80))", {{0, 4}}, {{64, 68}, {80, 82}}, {0}},
    {"strcpy(m, \"123x\");", "sink = strtol(m, (char **)(m + 64), 10)", {{0, 4}}, {{64, 72}}, {0, 5}},
    {"strcpy(m, \"0x1fz\");", "sink = (long)strtoull(m, (char **)(m + 64), 0)", {{0, 5}}, {{64, 72}}, {0, 6}},
    {"strcpy(m, \"1.5e1z\");", "sink = (long)strtod(m, (char **)(m + 64))", {{0, 6}}, {{64, 72}}, {0, 7}},
    {"strcpy(m, \"15\");", "sink = atoi(m) + atol(m)", {{0, 3}}, {{0}}, {0}},
    {"((int *)m)[0] = 3, ((int *)m)[1] = 2, ((int *)m)[2] = 1;", "qsort(m, n + 3, sizeof(int), compare)", {{0, 12}}, {{0, 4}, {8, 12}}, {0, 12}},
    {"((int *)m)[0] = 1, ((int *)m)[1] = 2, ((int *)m)[2] = 3;", "sink = (long)bsearch(&(int){2}, m, n + 3, sizeof(int), compare)", {{4, 8}}, {{0}}, {0, 12}},
    {"", "time((time_t *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(m + 64))", {{0}}, {{64, 80}}, {0}},
    {"", "gettimeofday((struct timeval *)(m + 64), 0)", {{0}}, {{64, 80}}, {0}},
    {"", "timespec_get((struct timespec *)(m + 64), TIME_UTC)", {{0}}, {{64, 80}}, {0}},
    {"", "gmtime_r((time_t *)m, (struct tm *)(m + 64))", {{0, 8}}, {{64, 100}}, {64, 120}},
    {"", "localtime_r((time_t *)m, (struct tm *)(m + 64))", {{0, 8}}, {{64, 100}}, {64, 120}},
    {"", "ctime_r((time_t *)m, m + 64)", {{0, 8}}, {{64, 89}}, {64, 90}},
    {"gmtime_r(&(time_t){0}, (struct tm *)m);", "asctime_r((struct tm *)m, m + 64)", {{0, 28}}, {{64, 89}}, {0, 90}},
    {"gmtime_r(&(time_t){0}, (struct tm *)m);", "sink = mktime((struct tm *)m)", {{0, 24}}, {{24, 36}}, {0, 56}},
    {"gmtime_r(&(time_t){0}, (struct tm *)m);", "sink = (long)strftime(m + 64, 20, \"%Y\", (struct tm *)m)", {{20, 24}}, {{64, 69}}, {0, 84}},
    {"assert(write(fds[1], \"abcde\", 5) == 5);", "sink = read(fds[0], m + 64, n + 9)", {{0}}, {{64, 69}}, {64, 73}},
    {"", "sink = write(fds[1], m, n + 5)", {{0, 5}}, {{0}}, {0}},
    {"assert(write(fds[1], \"abcde\", 5) == 5);", "sink = readv(fds[0], (struct iovec[]){{m + 64, 2}, {m + 80, 3}}, 2)", {{0}}, {{64, 66}, {80, 83}}, {0}},
    {"", "sink = writev(fds[1], (struct iovec[]){{m, 2}, {m + 16, 3}}, 2)", {{0, 2}, {16, 19}}, {{0}}, {0}},
    {"assert(write(pair[1], \"abcde\", 5) == 5);", "sink = recv(pair[0], m + 64, n + 3, 0)", {{0}}, {{64, 67}}, {0}},
    {"", "sink = send(pair[1], m, n + 5, 0)", {{0, 5}}, {{0}}, {0}},
    {"", "ioctl(fds[0], FIONREAD, (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {"*(struct pollfd *)m = (struct pollfd){fds[1], POLLOUT, 0};", "sink = poll((struct pollfd *)m, n + 1, 0)", {{0, 6}}, {{6, 8}}, {0}},
    {"", "pipe((int *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"eventfd_write(event, 3);", "eventfd_read(event, (eventfd_t *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "getrlimit(RLIMIT_NOFILE, (struct rlimit *)(m + 64))", {{0}}, {{64, 80}}, {0}},
    {"strcpy(m, \"1.2.3.4\");", "inet_pton(AF_INET, m, m + 64)", {{0, 8}}, {{64, 68}}, {0}},
    {"strcpy(m, \"1.2.3.4\");", "inet_aton(m, (struct in_addr *)(m + 64))", {{0, 8}}, {{64, 68}}, {0}},
    {"memcpy(m, \"\\1\\2\\3\\4\", 4);", "inet_ntop(AF_INET, m, m + 64, 16)", {{0, 4}}, {{64, 72}}, {64, 80}},
    {"", "sink = (long)frexp(seven, (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {"", "sink = (long)modf(seven, (double *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "sincos(seven, (double *)(m + 64), (double *)(m + 80))", {{0}}, {{64, 72}, {80, 88}}, {0}},
    {"", "sink = (long)remquo(seven, 2, (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {"", "sink = (long)lgamma_r(seven, (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {"", "sink = rand_r((unsigned *)m)", {{0, 4}}, {{0, 4}}, {0}},
    {"", "sink = (long)erand48((unsigned short *)m)", {{0, 6}}, {{0, 6}}, {0}},
    {"", "sink = getrandom(m + 64, n + 8, 0)", {{0}}, {{64, 72}}, {0}},
    {"", "sink = posix_memalign((void **)(m + 64), 16, 8)", {{0}}, {{64, 72}}, {0}},
    {"", "sem_getvalue(&semaphore, (int *)(m + 64))", {{0}}, {{64, 68}}, {0}},
    {"", "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_getstacksize(&a, (size_t *)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "pthread_sigmask(SIG_BLOCK, 0, (sigset_t *)(m + 64))", {{0}}, {{64, 72}}, {64, 192}},
    {"", "sigemptyset((sigset_t *)(m + 64))", {{0}}, {{64, 72}}, {64, 192}},
    {"", "nanosleep((struct timespec *)m, 0)", {{0, 16}}, {{0}}, {0}},
    {"", "uname((struct utsname *)(char[390]){0}); gethostname(m + 64, 60)", {{0}}, {{64, 65}}, {64, 124}},
    {"wcscpy((wchar_t *)m, L\"abc\");", "wcscpy((wchar_t *)(m + 64), (wchar_t *)m)", {{0, 16}}, {{64, 80}}, {0}},
    {"wcscpy((wchar_t *)m, L\"abc\");", "sink = (long)wcslen((wchar_t *)m)", {{0, 16}}, {{0}}, {0}},
    {"", "wmemset((wchar_t *)(m + 64), L'x', n + 3)", {{0}}, {{64, 76}}, {0}},
    {HELLO, "sink = (long)mbstowcs((wchar_t *)(m + 64), m, n + 6)", {{0, 6}}, {{64, 88}}, {0}},
    {"wcscpy((wchar_t *)m, L\"abc\");", "sink = (long)wcstombs(m + 64, (wchar_t *)m, n + 4)", {{0, 16}}, {{64, 68}}, {0}},
    {HELLO, "sink = (long)strxfrm(m + 64, m, n + 20)", {{0, 6}}, {{64, 70}}, {64, 84}},
    {"", "pthread_t t; pthread_create(&t, 0, nothing, 0); pthread_join(t, (void **)(m + 64))", {{0}}, {{64, 72}}, {0}},
    {"", "pthread_create((pthread_t *)(m + 64), &detached, nothing, 0)", {{0}}, {{64, 72}}, {0}},
    {"", "pthread_key_create((pthread_key_t *)(m + 64), 0)", {{0}}, {{64, 68}}, {0}},
    {"", "pthread_mutex_init((pthread_mutex_t *)(m + 64), 0)", {{0}}, {{64, 72}}, {64, 104}},
    {HELLO, "FILE *f = tmpfile(); fwrite(m, 1, n + 5, f); rewind(f); sink = (long)fread(m + 64, 1, n + 5, f); fclose(f)", {{0, 5}}, {{64, 69}}, {0}},
    {"", "FILE *f = tmpfile(); fputs(\"abc\\n\", f); rewind(f); sink = (long)fgets(m + 64, 10, f); fclose(f)", {{0}}, {{64, 69}}, {64, 74}},
    {"", "FILE *f = tmpfile(); fputs(\"12\", f); rewind(f); sink = fscanf(f, \"%d\", (int *)(m + 64)); fclose(f)", {{0}}, {{64, 68}}, {0}},
    {HELLO, "FILE *f = tmpfile(); fputs(m, f); fclose(f)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); fprintf(f, \"%s\", m); fclose(f)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); fwrite_unlocked(m, 1, n + 5, f); fclose(f)", {{0, 5}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); dprintf(fileno(f), \"%s\", m); fclose(f)", {{0, 6}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); sink = write(fileno(f), m, n + 5); fclose(f)", {{0, 5}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); sink = pwrite(fileno(f), m, n + 5, 0); sink = pread(fileno(f), m + 64, n + 5, 0); fclose(f)", {{0, 5}}, {{64, 69}}, {0}},
    {HELLO, "FILE *f = tmpfile(); sink = writev(fileno(f), (struct iovec[]){{m, 2}, {m + 16, 3}}, 2); fclose(f)", {{0, 2}, {16, 19}}, {{0}}, {0}},
    {HELLO, "FILE *f = tmpfile(); fputs(\"ab\\n\", f); rewind(f); *(char **)(m + 64) = 0; sink = getline((char **)(m + 64), (size_t *)(m + 80), f); fclose(f)", {{0}}, {{64, 72}, {80, 88}}, {0}},
    {HELLO, "FILE *f = open_memstream((char **)(m + 64), (size_t *)(m + 80)); fputs(m, f); fclose(f)", {{0, 6}}, {{64, 72}, {80, 88}}, {0}},
    {HELLO, "FILE *f = tmpfile(); fgetpos(f, (fpos_t *)(m + 64)); fclose(f)", {{0}}, {{64, 80}}, {0}},
    {"", "struct stat *s = (struct stat *)(m + 64); sink = stat(\".\", s)", {{0}}, {{64, 96}}, {64, 208}},
    {"", "sink = (long)getcwd(m + 64, 180)", {{0}}, {{64, 66}}, {64, 244}},
};
enum { EFFECTS = sizeof effects / sizeof *effects, ROOM = 256 };

static bool holds(struct part p, int at)
{
    return at >= p.from && at < p.to;
}

static bool either(const struct part p[2], int at)
{
    return holds(p[0], at) || holds(p[1], at);
}

// A byte inside of a part, or at its edges.
static int draw_near(struct part p)
{
    int at = (int)draw(2) ? p.from - 1 + (int)draw((unsigned)(p.to - p.from) + 2) : draw(2) ? p.from : p.to - (int)draw(2);
    return at < 0 ? 0 : at;
}

static int draw_byte(const struct effect *e)
{
    const struct part *used[] = {&e->reads[0], &e->reads[1], &e->writes[0], &e->writes[1]};
    for (;;) {
        const struct part *p = used[draw(4)];
        if (p->to == 0)
            continue;
        int at = draw_near(*p);
        if (either(e->reads, at) || either(e->writes, at) || !holds(e->may, at))
            return at;
    }
}

int main(int argc, char **argv)
{
    uint64_t number = draw_begin(argc, argv);
    const struct effect *e = &effects[number % EFFECTS];
    int at = draw_byte(e);
    bool write = draw(2);
    // what it reads for certain it may write perhaps, and the other way round
    while (!write && either(e->reads, at) && !either(e->writes, at) && holds(e->may, at))
        at = draw_byte(e), write = draw(2);
    bool race = either(e->writes, at) || (write && either(e->reads, at));
    bool files = strstr(e->call, "FILE") || strstr(e->call, "stat") || strstr(e->call, "getcwd");
    bool fortified = draw(3) == 0;
    printf("// expect: %s %s options: --time 20 --cflags=-lm %s\n", race ? "bug race" : files ? "right" : "verified", fortified ? "O=2" : "",
           fortified ? "--cflags=-D_FORTIFY_SOURCE=2" : "");
    printf("#define _GNU_SOURCE\n#include <arpa/inet.h>\n#include <assert.h>\n#include <math.h>\n#include <poll.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <signal.h>\n"
           "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n#include <sys/eventfd.h>\n#include <sys/ioctl.h>\n#include <sys/random.h>\n"
           "#include <sys/resource.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n#include <sys/uio.h>\n#include <sys/utsname.h>\n#include <time.h>\n"
           "#include <unistd.h>\n#include <wchar.h>\n\n");
    printf("char m[%d] __attribute__((aligned(16)));\nstatic int fds[2], pair[2], event;\nstatic sem_t semaphore;\nstatic pthread_attr_t detached;\n"
           "static volatile size_t n; // 0, which the compiler does not know\nstatic volatile double seven = 7.5;\nstatic volatile long sink;\n\n", ROOM);
    printf("int compare(const void *a, const void *b)\n{\n    return *(const int *)a - *(const int *)b;\n}\n\nvoid *nothing(void *unused)\n{\n    return unused;\n}\n\n");
    printf("static void *call(void *unused)\n{\n    %s;\n    return unused;\n}\n\n", e->call);
    printf("int main(void)\n{\n    pthread_t thread;\n    assert(!pipe(fds) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && (event = eventfd(0, 0)) >= 0);\n"
           "    sem_init(&semaphore, 0, 1);\n    pthread_attr_init(&detached);\n    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);\n"
           "    memset(m, 0, sizeof m);\n    %s\n    pthread_create(&thread, 0, call, 0);\n",
           e->prepare);
    if (write)
        printf("    m[%d] = 1;\n", at);
    else
        printf("    sink = m[%d];\n", at);
    printf("    pthread_join(thread, 0);\n    return 0;\n}\n");
    return 0;
}
