// expect: bug race
// wcscpy writes what another thread reads.
#include <pthread.h>
#include <wchar.h>

static wchar_t text[16] = L"before";

static void *change(void *none)
{
    wcscpy(text, L"after");
    return none;
}

int main(void)
{
    pthread_t t;
    wchar_t copy[16];
    pthread_create(&t, 0, change, 0);
    wcsncpy(copy, text, 4);
    pthread_join(t, 0);
}
