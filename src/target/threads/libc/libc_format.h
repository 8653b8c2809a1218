// What printf and the like touch through their arguments.
#ifndef TARGET_LIBC_FORMAT_H
#define TARGET_LIBC_FORMAT_H

#include <stdarg.h>

// Reports the texts that the conversions read (%s) and the numbers that they store (%n). The format itself is taken to be
// constant. Nothing if pc is null.
void format_report(const char *format, va_list arguments, const void *pc);

#endif
