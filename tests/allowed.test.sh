#!/usr/bin/env bash
# --allow PATH: every execution reads a file as it was when the search began, whoever changes it meanwhile.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

mkdir -p work files/folder
cat >reads.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int lines;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *file)
{
    char line[64];
    FILE *in = fopen(file, "r");
    assert(in);
    while (fgets(line, sizeof line, in)) {
        pthread_mutex_lock(&lock);
        lines++;
        pthread_mutex_unlock(&lock);
    }
    fclose(in);
    return NULL;
}

// In this file there is one line, for everybody who looks.
int main(int count, char **arguments)
{
    char *file = arguments[count - 1], text[64];
    struct stat st;
    assert(!stat(file, &st) && st.st_size == 4 && !access(file, R_OK));
    int in = open(file, O_RDONLY);
    assert(read(in, text, sizeof text) == 4 && !close(in));
    pthread_t one, two;
    pthread_create(&one, NULL, worker, file);
    pthread_create(&two, NULL, worker, file);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    FILE *out = fopen(file, "a"); // for good: --allow-writes
    fputs("more\n", out);
    fclose(out);
    assert(lines == 2 + WRONG);
    return 0;
}
END
where=$PWD/files
heddle cc -g -DWRONG=0 reads.c -o right -pthread
heddle cc -g -DWRONG=1 reads.c -o wrong -pthread

begin() { printf 'one\n' >files/folder/text; }

begin
check --directory work --allow "$where/folder/text" --allow-writes files ./right -- "$where/folder/text"
expect 'a file' verified
tells 'a file' 'text is read as it was when the search began \(--allow\)'
[ "$(wc -l <files/folder/text)" -gt 1 ] || fail 'the program has not changed its file'
begin
check --directory work --allow files --allow-writes files ./right -- "$where/folder/../folder/text"
expect 'a folder' verified
begin
ln -sf folder/text files/link
check --directory work --allow files/link --allow-writes files ./right -- "$where/link"
expect 'a link' verified

# Without it the second execution reads what the first one has left.
begin
check --directory work --allow-writes files ./right -- "$where/folder/text"
expect 'without --allow' bug assertion
begin
check --directory work --allow files/link --allow-writes files --explain 0 ./right -- "$where/other" 2>/dev/null
[ "$(field verdict)" = bug ] || fail 'a file that was not named is not there'

# A failure is repeated with the file as it is then.
begin
check --directory work --allow "$where" --allow-writes files --explain 0 ./wrong -- "$where/folder/text"
expect 'a wrong program' bug assertion
grep -q '^allow /.*files$' wrong.assertion.hd || fail "the schedule does not say what is read: $(grep '^allow' wrong.assertion.hd)"
begin
heddle replay wrong.assertion.hd >out 2>&1
tells 'the failure is repeated' 'still fails: assertion'

# What cannot be kept.
for what in nothing /dev/null; do
    if "$HEDDLE" check --allow $what ./right 2>err; then fail "--allow $what is accepted"; fi
    grep -q 'allow takes clock, a file or a folder' err || fail "--allow $what: $(cat err)"
done
finish
