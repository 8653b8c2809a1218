// expect: bug out-of-bounds
// strcat without room for the end of the string.
#include <stdlib.h>
#include <string.h>

char *path;

int main(int argc, char **argv)
{
    const char *folder = argc > 100 ? argv[1] : "tests", *file = argc > 100 ? argv[2] : "/bounds";
    path = malloc(strlen(folder) + strlen(file));
    strcpy(path, folder);
    strcat(path, file);
    int first = path[0];
    free(path);
    return first != 't';
}
