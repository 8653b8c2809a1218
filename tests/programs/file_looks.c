// expect: verified executions=1
// Looking at files commutes, and needs no process for each execution.
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void *look(void *unused)
{
    struct stat st;
    assert(!stat("/", &st) && S_ISDIR(st.st_mode) && access("nowhere", F_OK));
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, look, NULL);
    pthread_create(&other, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
