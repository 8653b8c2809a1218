// Included by `heddle cc` in front of every file that gcc compiles: what a program calls by the compiler's own name
// (__builtin_memcpy) would be written out in place, after the pass that adds the hooks, and heddle would not see it. The
// headers of C++ do that everywhere, also in what is computed while compiling.
#ifndef HEDDLE_BUILTINS_H
#define HEDDLE_BUILTINS_H

#ifndef __ASSEMBLER__

#ifdef __cplusplus
extern "C" {
#endif
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
int __heddle_strcmp(const char *, const char *) __asm__("strcmp");
int __heddle_strncmp(const char *, const char *, __SIZE_TYPE__) __asm__("strncmp");
#ifdef __cplusplus
}
#define __HEDDLE_CALL(name, ...)                                                                                       \
    (__builtin_is_constant_evaluated() ? __builtin_##name(__VA_ARGS__) : __heddle_##name(__VA_ARGS__))
#define __HEDDLE_VALUE __HEDDLE_CALL
#else
#define __HEDDLE_CALL(name, ...) __heddle_##name(__VA_ARGS__)
#define __HEDDLE_VALUE(name, ...)                                                                                      \
    __builtin_choose_expr(__builtin_constant_p(__builtin_##name(__VA_ARGS__)), __builtin_##name(__VA_ARGS__),          \
                          __heddle_##name(__VA_ARGS__))
#endif

#define __builtin_memcpy(...) __HEDDLE_CALL(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) __HEDDLE_CALL(memmove, __VA_ARGS__)
#define __builtin_memset(...) __HEDDLE_CALL(memset, __VA_ARGS__)
#define __builtin_mempcpy(...) __HEDDLE_CALL(mempcpy, __VA_ARGS__)
#define __builtin_memcmp(...) __HEDDLE_VALUE(memcmp, __VA_ARGS__)
#define __builtin_bzero(...) __HEDDLE_CALL(bzero, __VA_ARGS__)
#define __builtin_strcpy(...) __HEDDLE_CALL(strcpy, __VA_ARGS__)
#define __builtin_stpcpy(...) __HEDDLE_CALL(stpcpy, __VA_ARGS__)
#define __builtin_strncpy(...) __HEDDLE_CALL(strncpy, __VA_ARGS__)
#define __builtin_strcat(...) __HEDDLE_CALL(strcat, __VA_ARGS__)
#define __builtin_strncat(...) __HEDDLE_CALL(strncat, __VA_ARGS__)
#define __builtin_strcmp(...) __HEDDLE_VALUE(strcmp, __VA_ARGS__)
#define __builtin_strncmp(...) __HEDDLE_VALUE(strncmp, __VA_ARGS__)

#endif
#endif
