// expect: bug deadlock native: no
// One connection is accepted for each edge, but two may have come before it was told: one waits for ever.
#define ONE_EACH
#include "epoll_edge_listener.c"
