// expect: bug
// The same with a bound that only strict turns reach.
#define LESS 1
#include "triangular.c"
