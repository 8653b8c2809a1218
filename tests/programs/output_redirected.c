// expect: verified
// Standard output goes to a file for a while, by dup2 and by freopen; what a thread prints meanwhile is found there.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *print(void *unused)
{
    puts("hello");
    printf("%d\n", 3);
    fflush(stdout);
    assert(write(1, "end\n", 4) == 4);
    return unused;
}

static void look(void)
{
    char text[32] = "";
    FILE *file = fopen("output", "r");
    assert(file && fread(text, 1, sizeof text - 1, file) == 12);
    fclose(file);
    assert(!strcmp(text, "hello\n3\nend\n"));
}

static void print_in_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    pthread_join(thread, 0);
}

int main(void)
{
    int before = dup(1), file = open("output", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert(before >= 0 && file >= 0 && dup2(file, 1) == 1);
    print_in_thread();
    look();
    assert(dup2(before, 1) == 1);
    print_in_thread();
    look();
    assert(freopen("output", "w", stdout));
    print_in_thread();
    look();
}
