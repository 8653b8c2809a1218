// expect: verified
// Wide characters, conversions, and what the library keeps: with a lock, nothing of it races.
#include <assert.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <wchar.h>

static wchar_t text[16] = L"a b";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *none)
{
    pthread_mutex_lock(&lock);
    wchar_t copy[32], *rest, *word;
    char narrow[32];
    mbstate_t state;
    struct rusage usage;
    memset(&state, 0, sizeof state);
    wcscpy(copy, text);
    wcscat(copy, L"c");
    wcsncat(copy, L"defg", 1);
    assert(!wcscmp(copy, L"a bcd") && !wcsncmp(copy, text, 3) && wcsnlen(copy, 3) == 3);
    word = wcstok(copy, L" ", &rest);
    assert(!wcscmp(word, L"a") && !wcscmp(wcstok(0, L" ", &rest), L"bcd"));
    assert(wcstombs(narrow, text, sizeof narrow) == 3 && !strcmp(narrow, "a b"));
    assert(mbstowcs(copy, narrow, 32) == 3 && !wcscmp(copy, text));
    assert(mbrtowc(copy, "x", 1, &state) == 1 && *copy == L'x' && mbsinit(&state));
    assert(mbrtowc(copy, "y", 1, 0) == 1 && *copy == L'y');
    assert(mbtowc(copy, "z", 1) == 1 && wctomb(narrow, L'q') == 1 && *narrow == 'q');
    assert(localeconv()->decimal_point[0] == '.' && !getrusage(RUSAGE_SELF, &usage));
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
