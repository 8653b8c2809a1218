#!/usr/bin/env bash
# --stdin FILE: every execution finds all of it on its standard input; without it there is nothing, and an assumption says so.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

cat >reads.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum, wanted;

// Whoever comes first takes the first number.
static void *add(void *unused)
{
    int number;
    pthread_mutex_lock(&mutex);
    assert(scanf("%d", &number) == 1);
    sum = 2 * sum + number;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *take(void *unused)
{
    char *text = unused, digit;
    pthread_mutex_lock(&mutex);
    assert(read(STDIN_FILENO, &digit, 1) == 1);
    strncat(text, &digit, 1);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int count, char **arguments)
{
    char line[16] = "", text[4] = "";
    void *(*work)(void *) = count > 1 && !strcmp(arguments[1], "read") ? take : add;
    if (work == add && (!fgets(line, sizeof line, stdin) || sscanf(line, "want %d", &wanted) != 1))
        return 0;
    pthread_t one, two;
    pthread_create(&one, NULL, work, text);
    pthread_create(&two, NULL, work, text);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(work == add ? sum == wanted : !strcmp(text, "wa"));
    return 0;
}
C
printf 'want 4\n1 2\n' >right
printf 'want 5\n1 2\n' >wrong
heddle cc -g reads.c -o reads -pthread

for way in fork checkpoint; do
    check --restart $way --stdin right ./reads
    expect "a stream, $way" verified
    [ "$(field executions)" = 2 ] || fail "$(field executions) executions, not 2"
    tells "a stream, $way" 'standard input has what was in right when the search began \(--stdin\)'
    check --restart $way --stdin right ./reads -- read
    expect "a descriptor, $way" verified
done
check --strategy dfs --stdin - ./reads <right
expect "heddle's own input" verified
check --stdin wrong ./reads
expect 'another file' bug assertion

# A failure is repeated with the file as it is then.
grep -qx 'stdin wrong' reads.assertion.hd || fail "the schedule does not say what is read: $(grep '^stdin' reads.assertion.hd)"
heddle replay reads.assertion.hd >out 2>&1
tells 'the failure is repeated' 'still fails: assertion'
mv wrong gone
"$HEDDLE" replay reads.assertion.hd >out 2>&1
tells 'the file is gone' 'finds nothing on its standard input: wrong: No such file'

# Nothing to read.
check ./reads
expect 'no input' verified
tells 'no input' 'the standard input is empty, and the program reads it'
check ./reads -- read
expect 'no input for a descriptor' bug assertion
tells 'no input for a descriptor' 'the standard input is empty, and the program reads it'

# What cannot be given.
for what in nothing /; do
    if "$HEDDLE" check --stdin $what ./reads 2>err; then fail "--stdin $what is accepted"; fi
    grep -q 'stdin takes a file' err || fail "--stdin $what: $(cat err)"
done
if "$HEDDLE" check --save saved --stdin - ./reads 2>err </dev/null; then fail '--save takes an input that is gone'; fi
grep -q 'save cannot be combined with --stdin -' err || fail "--save: $(cat err)"
finish
