// expect: bug race native: no
// The note is written after the question was sent.
#define TOO_LATE
#include "datagram_server.c"
