// Included by `heddle cc` in front of every C file that gcc compiles: what a program calls by the compiler's own name
// (__builtin_memcpy) would be written out in place, after the pass that adds the hooks, and heddle would not see it.
#ifndef HEDDLE_BUILTINS_H
#define HEDDLE_BUILTINS_H

#if !defined __cplusplus && !defined __ASSEMBLER__

void *__heddle_memcpy(void *, const void *, __SIZE_TYPE__) __asm__("memcpy");
void *__heddle_memmove(void *, const void *, __SIZE_TYPE__) __asm__("memmove");
void *__heddle_memset(void *, int, __SIZE_TYPE__) __asm__("memset");
void *__heddle_mempcpy(void *, const void *, __SIZE_TYPE__) __asm__("mempcpy");
int __heddle_memcmp(const void *, const void *, __SIZE_TYPE__) __asm__("memcmp");
void __heddle_bzero(void *, __SIZE_TYPE__) __asm__("bzero");
char *__heddle_strcpy(char *, const char *) __asm__("strcpy");
char *__heddle_stpcpy(char *, const char *) __asm__("stpcpy");
char *__heddle_strncpy(char *, const char *, __SIZE_TYPE__) __asm__("strncpy");
char *__heddle_strcat(char *, const char *) __asm__("strcat");
char *__heddle_strncat(char *, const char *, __SIZE_TYPE__) __asm__("strncat");

#define __builtin_memcpy __heddle_memcpy
#define __builtin_memmove __heddle_memmove
#define __builtin_memset __heddle_memset
#define __builtin_mempcpy __heddle_mempcpy
#define __builtin_memcmp __heddle_memcmp
#define __builtin_bzero __heddle_bzero
#define __builtin_strcpy __heddle_strcpy
#define __builtin_stpcpy __heddle_stpcpy
#define __builtin_strncpy __heddle_strncpy
#define __builtin_strcat __heddle_strcat
#define __builtin_strncat __heddle_strncat

#endif
#endif
