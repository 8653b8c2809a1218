// What gdb is told before it runs the program: settings, breakpoints at the stops of the runtime (target/threads/engine/stops.h),
// and the commands heddle-where and heddle-step. Plain gdb, since not every one has Python.
#ifndef SUPERVISE_GDB_COMMANDS_H
#define SUPERVISE_GDB_COMMANDS_H

extern const char gdb_commands[];

#endif
