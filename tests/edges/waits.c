// Waits on condition variables with recursive mutexes that are held several
// times, beside threads that signal with or without the mutex. Whether all can
// wait for ever is found by going through all states: a wait lets go of one
// level.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, CODE = 24 };
enum op { LOCK, UNLOCK, WAIT_UNLESS_SET, SET, SIGNAL, BROADCAST, END };

static struct program {
  uint8_t code[CODE];
  uint32_t length;
  char text[2048];
} programs[THREADS];
static uint32_t threads;

static void add(struct program *p, enum op op, const char *text) {
  if (p->length == CODE)
    exit(1);
  p->code[p->length++] = (uint8_t)op;
  strcat(p->text, "    ");
  strcat(p->text, text);
  strcat(p->text, "\n");
}

static void write_waiter(struct program *p) {
  uint32_t levels = 1 + draw(3);
  for (uint32_t i = 0; i < levels; i++)
    add(p, LOCK, "pthread_mutex_lock(&mutex);");
  add(p, WAIT_UNLESS_SET, "while (!set) pthread_cond_wait(&changed, &mutex);");
  for (uint32_t i = 0; i < levels; i++)
    add(p, UNLOCK, "assert(pthread_mutex_unlock(&mutex) == 0);");
}

static void write_setter(struct program *p) {
  uint32_t levels = draw(3);
  bool late = draw(2);
  for (uint32_t i = 0; i < levels; i++)
    add(p, LOCK, "pthread_mutex_lock(&mutex);");
  add(p, SET, "set = 1;");
  if (!late)
    add(p, draw(2) ? SIGNAL : BROADCAST, "");
  for (uint32_t i = 0; i < levels; i++)
    add(p, UNLOCK, "pthread_mutex_unlock(&mutex);");
  if (late)
    add(p, draw(2) ? SIGNAL : BROADCAST, "");
}

struct state {
  uint8_t at[THREADS], phase[THREADS]; // 0: runs, 1: waits, 2: woken, takes the
                                       // mutex, 3: is about to wait

  uint8_t owner, levels, set;
};

enum { STATES = 1 << 16 };
static struct state states[STATES];
static uint32_t state_count;
static bool moved;

static void visit(const struct state *s) {
  moved = true;
  for (uint32_t i = 0; i < state_count; i++)
    if (!memcmp(&states[i], s, sizeof *s))
      return;
  if (state_count == STATES)
    exit(1);
  states[state_count++] = *s;
}

static void unlock(struct state *s) {
  if (!--s->levels)
    s->owner = 0;
}

// A signal wakes one of those that wait, a broadcast all; a signal that nobody
// waits for is lost.
static void wake(struct state s, uint32_t thread, bool all) {
  bool some = false;
  s.at[thread]++;
  for (uint32_t i = 0; i < threads; i++) {
    if (s.phase[i] != 1)
      continue;
    some = true;
    struct state woken = s;
    woken.phase[i] = 2;
    if (all)
      s = woken;
    else
      visit(&woken);
  }
  if (all || !some)
    visit(&s);
}

static void step(struct state s, uint32_t thread) {
  uint8_t me = (uint8_t)(thread + 1);
  if (s.phase[thread] == 1)
    return;
  if (s.phase[thread] == 2) {
    if (s.owner && s.owner != me)
      return;
    s.owner = me;
    s.levels++;
    s.phase[thread] = 0;
    visit(&s);
    return;
  }
  if (s.phase[thread] == 3) {
    unlock(&s);
    s.phase[thread] = 1;
    visit(&s);
    return;
  }
  switch ((enum op)programs[thread].code[s.at[thread]]) {
  case LOCK:
    if (s.owner && s.owner != me)
      return;
    s.owner = me;
    s.levels++;
    break;
  case UNLOCK:
    unlock(&s);
    break;
  case WAIT_UNLESS_SET:
    if (!s.set) {
      s.phase[thread] = 3;
      visit(&s);
      return;
    }
    break;
  case SET:
    s.set = 1;
    break;
  case SIGNAL:
    wake(s, thread, false);
    return;
  case BROADCAST:
    wake(s, thread, true);
    return;
  default:
    return;
  }
  s.at[thread]++;
  visit(&s);
}

static bool can_be_stuck(void) {
  struct state begin = {0};
  bool stuck = false;
  visit(&begin);
  for (uint32_t n = 0; n < state_count; n++) {
    const struct state s = states[n];
    bool over = true;
    moved = false;
    for (uint32_t thread = 0; thread < threads; thread++) {
      over &= programs[thread].code[s.at[thread]] == END;
      step(s, thread);
    }
    stuck |= !over && !moved;
  }
  return stuck;
}

int main(int argc, char **argv) {
  draw_begin(argc, argv);
  threads = 2 + draw(2);
  for (uint32_t i = 0; i < threads; i++) {
    if (i == 0 || (i == 2 && draw(2)))
      write_waiter(&programs[i]);
    else
      write_setter(&programs[i]);
    add(&programs[i], END, "");
  }
  bool stuck = can_be_stuck();
  printf("// expect: %s options: --strategy %s\n#include <assert.h>\n#include "
         "<pthread.h>\n#include <stdatomic.h>\n\n",
         stuck ? "bug deadlock" : "verified",
         draw_of("optimal", "dpor", "dfs", "bounded"));
  printf("static pthread_mutex_t mutex;\nstatic pthread_cond_t changed = "
         "PTHREAD_COND_INITIALIZER;\nstatic atomic_int set;\n\n");
  for (uint32_t i = 0; i < threads; i++) {
    printf("static void *thread%u(void *argument)\n{\n", i);
    uint32_t at = 0;
    for (char *line = strtok(programs[i].text, "\n"); line;
         line = strtok(NULL, "\n"), at++)
      printf("%s\n", programs[i].code[at] == SIGNAL
                         ? "    pthread_cond_signal(&changed);"
                     : programs[i].code[at] == BROADCAST
                         ? "    pthread_cond_broadcast(&changed);"
                         : line);
    printf("    return argument;\n}\n\n");
  }
  printf("int main(void)\n{\n    pthread_t t[%u];\n    pthread_mutexattr_t "
         "a;\n    pthread_mutexattr_init(&a);\n"
         "    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);\n    "
         "pthread_mutex_init(&mutex, &a);\n",
         threads);
  for (uint32_t i = 0; i < threads; i++)
    printf("    pthread_create(&t[%u], 0, thread%u, 0);\n", i, i);
  for (uint32_t i = 0; i < threads; i++)
    printf("    pthread_join(t[%u], 0);\n", i);
  printf("    return 0;\n}\n");
  return 0;
}
