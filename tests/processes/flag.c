// wrong: race. A process spins until another has written; that one may end later than its parent, with handlers to run.
#include "share.h"

static struct mail {
    atomic_int there;
    int value;
} * mail;
static int handled;

static void leave(void)
{
    handled++;
    assert(handled == 1);
}

int main(void)
{
    mail = share(sizeof *mail);
    atexit(leave);
    if (!fork()) {
        mail->value = 3;
        atomic_store_explicit(&mail->there, 1, WRONG ? memory_order_relaxed : memory_order_release);
        exit(0);
    }
    while (!atomic_load_explicit(&mail->there, memory_order_acquire))
        ;
    assert(mail->value == 3);
}
