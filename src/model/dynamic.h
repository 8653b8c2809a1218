// Which libraries a program opens while it runs, as far as earlier attempts have learnt.
#ifndef MODEL_DYNAMIC_H
#define MODEL_DYNAMIC_H

enum { DYNAMIC_LIBRARIES = 8, DYNAMIC_PATH = 256 };

struct dynamic_lesson {
    char path[DYNAMIC_LIBRARIES][DYNAMIC_PATH]; // as the program gives it; empty: no more
    int flags[DYNAMIC_LIBRARIES];
};

#endif
