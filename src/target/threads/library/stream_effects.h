// What functions of the C++ library do to streams (std::ios) and their buffers (std::streambuf), announced for a call that is
// about to be made.
//
// A stream and its buffer are two objects: several streams may have one buffer, and a program may use a buffer without any
// stream. Formatting changes the stream, and uses one side of its buffer.
//
// What is done to a buffer depends on who wrote its class. The library's own (std::stringbuf, std::filebuf) keep
// everything in the buffer itself: any use changes it. A class of the program's has code with hooks where something
// happens, perhaps under a lock. The library only looks at the pointers of the side that it uses, and moves one of them
// if there is an area to write to or read from. The two sides are independent then, as in a pipe.
//
// The standard streams may be used by several threads at once, and so may the buffers that they have at first, which
// go on to stdio. If they get another buffer, by std::ios::rdbuf or sync_with_stdio(false), that is one like any other.
//
// Taken on trust: what is written to the area of a buffer of the program's, which nobody finds without looking at the pointers.
#ifndef TARGET_STREAM_EFFECTS_H
#define TARGET_STREAM_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

enum side { SIDE_PUT = 1, SIDE_GET = 2, SIDE_BOTH = SIDE_PUT | SIDE_GET };

// The std::ios of a std::ostream or std::istream.
uint64_t cxx_stream_ios_of(uint64_t stream);

// The stream whose std::ios this is.
void cxx_stream_use(uint64_t ios, bool write, const void *pc);

// A call for a stream that uses these sides of its buffer.
void cxx_stream_use_through(uint64_t stream, enum side side, bool write, const void *pc);

// The buffer at this address is used by a function of the library, or looked at.
void cxx_stream_use_buffer(uint64_t buffer, enum side side, bool write, const void *pc);

// The pointers of this side alone are read or set.
void cxx_stream_use_pointers(uint64_t buffer, enum side side, bool write, const void *pc);

#endif
