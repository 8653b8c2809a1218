// The readers-writer lock whose writer does not wait for readers.
// heddle: bug, race on `data`.
#define WRONG
#include "readers_writer.c"
