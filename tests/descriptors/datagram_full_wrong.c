// expect: bug deadlock native: no
// One message more is waited for than is sent.
#define ONE_MORE
#include "datagram_full.c"
