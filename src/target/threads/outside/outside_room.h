// What the program does outside its own memory: files, sockets, other processes. No log can take that back, so the first
// such call makes the search begin anew with a process for each execution (forking.h) and, if files may change, in a
// private working directory (base/tree.h). There the calls are the C library's own, and each is a visible operation: all on
// one object, since what one of them changes any other may see.
//
// `outside` says what a call needs (enum outside_kind) and gives the search up with that lesson if it is not there.
// Calls that only look are READ. outside_change also looks where the path leads.
#ifndef TARGET_OUTSIDE_H
#define TARGET_OUTSIDE_H

#include "target/threads/engine/engine.h"
#include "target/threads/pthread/surface.h"

enum outside_kind {
    OUTSIDE_LOOKS,   // at what is there, by its name: changes nothing, not even in the process
    OUTSIDE_USES,    // descriptors or streams: opens, reads, writes, closes
    OUTSIDE_CHANGES, // files by their names
    OUTSIDE_STARTS,  // another process
    OUTSIDE_COPIES   // another process, which begins as a copy of this one
};

// The thread is about to call `name`, a text that stays.
void outside(struct thread *t, const char *name, enum outside_kind kind, const void *pc);

// The same for a call that changes the file of this path, as seen from an open directory (or AT_FDCWD). Refused if that is
// neither below the working directory nor where the user allows it.
void outside_change(struct thread *t, const char *name, int directory, const char *path, const void *pc);

// A call that uses a descriptor of the kernel's; nothing if heddle does not control the program.
static inline void outside_use(const char *name, const void *pc)
{
    if (engine.running)
        outside(engine.running, name, OUTSIDE_USES, pc);
}

// The C library's own definition, for such a call. Only in the exported function itself.
#define USING(name) (outside_use(#name, HERE), NATIVE(name))

// The call that has just been made, for whoever has to say in which one the program waits.
const char *outside_last(void);

// Where the program reads the file of this path, as seen from an open directory: there, or in the copy that the user wants it to
// read (--allow). Holds until the next call.
const char *outside_kept(int directory, const char *path);

// files.c: a file is about to be opened.
void files_open(int directory, const char *path, int flags, const void *pc);
void files_open_stream(const char *path, const char *mode, const void *pc);
const char *files_stream_path(const char *path, const char *mode); // outside_kept, if it is to be read

// Puts the private working directory back, if need be, and the standard input to its beginning. Null, or why that is not possible. Only where no thread runs.
const char *outside_restore(void);

// The same where the program is run again in one process, in a debugger, and does not know what it has changed.
const char *outside_renew(void);

#endif
