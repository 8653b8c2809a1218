// expect: bug signal options: --fault malloc:1
// Nobody looks whether getline found memory for the line.
#define WRONG
#include "fault_line.c"
