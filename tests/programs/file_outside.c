// expect: incomplete
// A file outside the working directory: what an execution wrote there would stay.
#include <fcntl.h>

int main(void)
{
    return open("/heddle_must_not_write_here", O_WRONLY | O_CREAT, 0600) < 0;
}
