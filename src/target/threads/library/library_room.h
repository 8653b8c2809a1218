// What other rooms may use of what is known about modules and libraries: what the program imports and calls, what ran before main, and
// what runs at the end.
#ifndef TARGET_LIBRARY_ROOM_H
#define TARGET_LIBRARY_ROOM_H

#include "target/threads/library/imports.h"
#include "target/threads/library/imported.h"
#include "target/threads/library/modules.h"
#include "target/threads/library/dynamic.h"
#include "target/threads/library/opened.h"
#include "target/threads/library/early.h"
#include "target/threads/library/exits.h"
#include "target/threads/library/last_words.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/terminate.h"
#include "target/threads/library/exceptions.h"
#include "target/threads/library/framework_failures.h"
#include "target/threads/library/function_name.h"
#include "target/threads/library/demangle.h"

#endif
