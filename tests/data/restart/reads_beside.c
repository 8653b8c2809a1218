// Reads a file by a path that leads out of the working directory, changes one by such a path, or through a link.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char text[16] = "";
    if (argc > 1)
        return open(argv[1], O_WRONLY | O_TRUNC) < 0;
    assert(creat("made", 0600) >= 0);
    FILE *file = fopen("../beside/file", "r");
    assert(file && fgets(text, sizeof text, file) && !strcmp(text, "beside\n"));
    return 0;
}
