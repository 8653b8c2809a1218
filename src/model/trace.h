// A recorded run: everything the report shows, written by the program under test while it replays one schedule, read
// by the report. A file of records in the order in which things happened; each record may be followed by return
// addresses (innermost first) and by text.
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include <stdint.h>

enum trace_type {
    TRACE_MODULE = 1, // text: path of a loaded file; address: where it was loaded (0 for the program itself)
    TRACE_EVENT,      // a visible operation: kind is its op_kind
    TRACE_READ,       // plain accesses
    TRACE_WRITE,
    TRACE_SILENT, // something that needs no scheduling: kind is an enum trace_silent
    TRACE_NOTE,   // text: what heddle_note said
    TRACE_BUG,    // the failure: kind is a bug_kind, text its sentence, other the second actor involved or MAX_ACTORS
    TRACE_FRAME,  // the next record is about a variable of a function that actor is in: address is its stack pointer
                  // and value its frame pointer at pc, result the end of its frame, size what is below the stack
                  // pointer; the one return address says where in the function it is, if that is known
    TRACE_NAME,   // text: what the program calls the actor from here on
};

enum trace_silent {
    SILENT_CREATE = 1, // value: the new actor, address: its pthread_t
    SILENT_JOINED,     // value: the actor that had ended
    SILENT_END,
    SILENT_UNLOCK,   // address: the mutex
    SILENT_WOKEN,    // actor was woken from a wait; value: by whom
    SILENT_ALLOC,    // address, size
    SILENT_FREE,     // address
    SILENT_MAP,      // the same for memory that the program maps …
    SILENT_UNMAP,    // … and for a part of it
    SILENT_ASSUME,   // a false assumption stopped the actor
    SILENT_FAILED,   // its own failure stopped the actor
    SILENT_MADE,     // address: stands for a descriptor's object, text: what it is
    SILENT_RETURN,   // a call of the object under test has returned; text: the call and its result
    SILENT_MAIN,     // main begins: what came before was done by constructors
    SILENT_EXIT,     // exit handlers and destructors begin
    SILENT_OUTLINED, // a function that the compiler made of a part of another is called; value: where it is, address: the
                     // variables that both share
    SILENT_BLOCKED, // at the end of the run the actor still waits: value is the op_kind it cannot do (OP_WAIT: nobody
                    // woke it), address its object, other the actor that holds it or is to be joined, or MAX_ACTORS;
                    // size: how many more objects it waits for; alternative: 1 if it spins, doing that again and again
};

#define TRACE_ASLEEP INT64_MIN // result of a call on a descriptor that could not go through

struct trace_record {
    uint32_t type; // enum trace_type
    uint32_t kind;
    uint32_t actor;
    uint32_t event; // number of the event whose step this belongs to; UINT32_MAX before the first one
    uint64_t pc;    // return address of the hook: the instruction after the call
    uint64_t address;
    uint64_t value;  // what was there before, or was read; of OP_CHOOSE an enum choice
    uint64_t result; // what is there afterwards; for a lock, 1 if it was obtained
    uint32_t size;   // of the access in bytes
    uint32_t other;
    uint32_t effect; // TRACE_EVENT: enum effect; a read-modify-write is a write unless it is a swap that failed
    uint32_t alternative, alternatives;
    uint32_t epoch;  // the actor's own synchronisation time; equal values mean no release in between
    uint32_t frames; // 64-bit return addresses that follow, innermost first
    uint32_t text;   // bytes of text that follow them, not terminated
};

#endif
