// Messages for numbers that have none, in front of libc's own: for these it keeps a text for each thread, until the thread
// asks for another one. Here the texts are the program's; all others are constant.
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/public.h"

enum { MOST_TEXT = 48 };

static PROGRAM_STATE char strerror_texts[MAX_ACTORS][MOST_TEXT], strsignal_texts[MAX_ACTORS][MOST_TEXT];

// The running thread's own text, for it to be written.
static char *libc_messages_own(char (*texts)[MOST_TEXT], const void *pc)
{
    char *text = texts[engine.running->actor];
    access_write(text, MOST_TEXT, pc);
    return text;
}

static char *unknown_error(int number, const void *pc)
{
    char *text = libc_messages_own(strerror_texts, pc);
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    strerror_r(number, text, MOST_TEXT);
    engine.running = t;
    return text;
}

PUBLIC char *strerror(int number)
{
    const void *pc = CALLER();
    return pc && !strerrordesc_np(number) ? unknown_error(number, pc) : NATIVE(strerror)(number);
}

PUBLIC char *strerror_l(int number, locale_t locale)
{
    const void *pc = CALLER();
    return pc && !strerrordesc_np(number) ? unknown_error(number, pc) : NATIVE(strerror_l)(number, locale);
}

PUBLIC char *strsignal(int number)
{
    const void *pc = CALLER();
    if (!pc || sigdescr_np(number))
        return NATIVE(strsignal)(number);
    char *text = libc_messages_own(strsignal_texts, pc);
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    bool real_time = number >= SIGRTMIN && number <= SIGRTMAX;
    snprintf(text, MOST_TEXT, real_time ? "Real-time signal %d" : "Unknown signal %d",
             real_time ? number - SIGRTMIN : number);
    engine.running = t;
    return text;
}
