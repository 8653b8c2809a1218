// expect: bug assertion options: --fault connect:1
// A client that takes it for granted that it can connect.
#define AT_ONCE
#include "fault_stream_parts.c"
