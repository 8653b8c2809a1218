// expect: verified
// Functions that stop at the end of a string may be told of more room than there is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *text = argc > 100 ? argv[1] : "heddle";
    size_t much = (size_t)argc * 1000, size = strlen(text) + 1;
    char *copy = malloc(size), *other = strdup(text), small[4];
    strcpy(copy, text);
    size_t sum = strnlen(copy, much) + (size_t)strncmp(copy, other, much) + (strchr(copy, 'l') != NULL);
    sum += (size_t)(memchr(copy, 'h', size) != NULL) + (strstr(copy, "dl") != NULL) + strspn(copy, "hed");
    snprintf(small, sizeof small, "%s", copy);
    snprintf(copy, size, "%s%s", other, other);
    sum += strlen(small) + (size_t)atoi(copy) + (size_t)strtol(copy, NULL, 10);
    printf("%zu %s %.3s\n", sum, copy, other);
    free(other);
    free(copy);
    return 0;
}
