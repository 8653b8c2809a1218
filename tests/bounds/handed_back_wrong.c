// expect: bug use-after-return
// handed_back.c, where the variable is used once more.
#define LATER 1
#include "handed_back.c"
