// expect: bug assertion options: --fault read=short:1
// A server that takes it for granted that a read gives all that was written.
#define WHOLE
#include "fault_stream_parts.c"
