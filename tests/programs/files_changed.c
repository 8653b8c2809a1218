// expect: verified executions=2
// Folders, links, renames, descriptors and the working directory itself, all as at the beginning in each execution.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int order;

static void *race(void *nothing)
{
    atomic_store(&order, 1);
    return nothing;
}

int main(void)
{
    pthread_t other;
    struct stat st;
    assert(stat("folder", &st) && errno == ENOENT);
    assert(!mkdir("folder", 0700) && !chdir("folder"));
    FILE *file = fopen("draft", "w+");
    assert(file && fprintf(file, "%d", 42) == 2 && !fclose(file));
    assert(!rename("draft", "final") && !symlink("final", "link") && !stat("link", &st) && st.st_size == 2);
    assert(!unlink("final") && !lstat("link", &st) && stat("link", &st));
    assert(open("link", O_RDONLY) < 0 && open(".", O_RDONLY) == 3);
    pthread_create(&other, NULL, race, NULL);
    int seen = atomic_load(&order);
    pthread_join(other, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
