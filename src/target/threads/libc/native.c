#include "target/threads/libc/native.h"

#include <string.h>

// The linker makes these two of the section's name.
extern struct native first_native[] __asm__("__start_heddle_natives") __attribute__((visibility("hidden")));
extern struct native end_of_natives[] __asm__("__stop_heddle_natives") __attribute__((visibility("hidden")));

void native_find_all(void)
{
    for (struct native *row = first_native; row < end_of_natives; row++) {
        void *found = dlsym(RTLD_NEXT, row->name);
        memcpy(row->place, &found, sizeof found);
    }
}
