// What a library orders by means of its own (the first argument says how) is no race; what it does not order is one.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "library.h"

static int counter;
static atomic_int steps, status;
static const char *how;
static char text[64];

static int is(const char *name)
{
    return !strcmp(how, name);
}

static void *add(void *argument)
{
    counter++;
    steps++; // where another thread may come in
    counter++;
    return argument;
}

static void *set(void *argument)
{
    counter = 7;
    return argument;
}

static void *use(void *argument)
{
    if (is("lock")) {
        lib_lock();
        add(argument);
        lib_unlock();
    } else if (is("spin")) {
        lib_spin_lock();
        add(argument);
        lib_spin_unlock();
    } else if (is("with")) {
        lib_with_lock(add, argument);
    } else if (is("keep")) {
        lib_keep(text);
    } else if (is("once")) {
        if (!atomic_load(&status))
            lib_once(&status, set);
        text[argument != NULL] = (char)counter;
    } else if (is("after")) { // in the lock nothing is done
        lib_lock();
        steps++;
        lib_unlock();
        counter++;
    } else if (is("one")) { // takes the lock, the other does not
        if (argument)
            lib_with_lock(add, argument);
        else
            counter++;
    } else if (is("never")) { // nobody calls the library
        counter++;
    } else if (is("flag")) { // a flag of the program's own says nothing of what came before the library
        if (argument) {
            steps++;
            counter++;
            lib_lock();
            lib_unlock();
        } else if (atomic_load(&steps)) {
            counter++;
        }
    }
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t t[2];
    how = argv[argc - 1];
    if (is("pool")) {
        lib_start();
        counter = 5;
        lib_submit(add);
        lib_wait();
        counter++;
        lib_end();
        return 0;
    }
    steps = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, use, i ? text : NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
