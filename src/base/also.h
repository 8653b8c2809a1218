// Other names of functions.
#ifndef BASE_ALSO_H
#define BASE_ALSO_H

// Another name of the function, by which older programs, libraries or compilers know it.
#define ALSO(other, name) __asm__(".globl " #other "\n.type " #other ", @function\n.set " #other ", " #name)

#endif
