// What libraries do that heddle puts in front of a program by LD_PRELOAD.
#ifndef BASE_PRELOADED_H
#define BASE_PRELOADED_H

#include <stdlib.h>
#include <string.h>

// LD_PRELOAD and the variable are heddle's, not what the program or its children should see.
static inline void preloaded_restore_environment(const char *variable)
{
    const char *list = getenv("LD_PRELOAD"), *others = list ? strchr(list, ':') : NULL;
    if (others)
        setenv("LD_PRELOAD", others + 1, 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv(variable);
}

#endif
