// expect: bug deadlock options: --fault datagram:1
// A client that asks once waits for ever if the question or the answer is lost.
#define ONCE
#include "fault_datagram_again.c"
