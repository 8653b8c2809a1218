// expect: verified options: --fault malloc:1 --leaks
// getline and wcsdup find no memory, and those who call them look.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static char text[] = "one\ntwo\n";

static void *reads(void *nothing)
{
    FILE *file = fmemopen(text, sizeof text - 1, "r");
    char *line = NULL;
    size_t room = 0;
#ifndef WRONG
    for (int i = 0; file && i < 2; i++)
        if (getline(&line, &room, file) < 0)
            break;
#else
    getline(&line, &room, file);
    line[0] = 'O';
#endif
    free(line);
    if (file)
        fclose(file);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, reads, NULL))
        return 1;
    wchar_t *wide = wcsdup(L"wide");
#ifdef WRONG_WIDE
    wide[0] = L'W';
#endif
    free(wide);
    return pthread_join(thread, NULL);
}
