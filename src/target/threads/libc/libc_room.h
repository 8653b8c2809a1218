// What other rooms may use of heddle's C library: how to stand in front of a function, the functions behind it, and output.
#ifndef TARGET_LIBC_ROOM_H
#define TARGET_LIBC_ROOM_H

#include "target/threads/libc/public.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/output.h"

#endif
