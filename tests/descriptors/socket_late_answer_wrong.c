// expect: bug signal native: no
// Two answers to a client that has gone: the second raises SIGPIPE.
#define WRONG
#include "socket_late_answer.c"
