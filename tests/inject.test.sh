#!/usr/bin/env bash
# Faults in native runs: each is put where its name says, and its run is sorted into the class that it belongs to.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# classes PROGRAM…: what became of a failing allocation in each function.
classes() {
    heddle inject --faults malloc --timeout 1 --json inject.json "$@"
    jq -r '.faults[] | .function + " " + .thread + " " + .class' inject.json | sort
}
cat >expected <<'END'
corrupts main silent corruption
crashes main crash
goes_on T2 benign
hangs main hang
reports T1 reported
END
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for level in -O0 -O2; do
        "$compiler" -g "$level" -fno-inline -pthread -o plain "$DATA/inject_classes.c" || fail "$compiler does not compile"
        classes ./plain >found
        cmp -s found expected || fail "$compiler $level: $(diff found expected)"
        [ "$status" = 1 ] || fail "$compiler $level: status $status"
    done
done
classes "$DATA/inject_classes.c" --cflags -fno-inline >found
cmp -s found expected || fail "built by heddle: $(diff found expected)"
prints 'the summary' '5 faults in '"$DATA/inject_classes.c"': 1 crash, 1 hang, 1 silent corruption, 1 reported, 1 benign'
says 'the place' 'inject_classes.c:12 malloc crashes'

# One of them by its name.
name=$(jq -r '.faults[] | select(.class == "reported") | .fault' inject.json)
[ "$name" = 'strdup@inject_classes.c:40#1@T1=ENOMEM' ] || fail "the name is $name"
heddle inject --fault "$name" "$DATA/inject_classes.c"
[ "$status" = 0 ] || fail "a fault that is reported: status $status"
says 'the fault by its name' '1 fault in .*: 1 reported'
heddle inject --fault "${name/#strdup/malloc}" "$DATA/inject_classes.c"
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a fault at no call: status $status"
heddle inject --fault "${name/\#1/#2}" "$DATA/inject_classes.c"
says 'a call that is never made' '1 not activated'

# Those of the seed; drawn, the same ones for the same seed, and with bounds.
heddle inject --faults seed --runs 40 --timeout 1 -j 2 --json first.json "$DATA/inject_classes.c"
says 'bounds' 'with 95 % confidence'
heddle inject --faults seed --runs 40 --timeout 1 --json second.json "$DATA/inject_classes.c"
for file in first second; do jq -r '.faults[].fault' $file.json | sort >$file.names; done
cmp -s first.names second.names || fail 'the same seed draws other faults'
jq -e '(.by_place | map(.runs) | add) == (.faults | length) and all(.by_place[]; .runs == (.classes | add))' first.json >/dev/null ||
    fail "places as JSON: $(jq -c .by_place first.json)"
for kind in bitflip mallsize callcorr invalptr; do
    jq -e --arg kind "$kind" 'any(.faults[]; .kind == $kind)' first.json >/dev/null || fail "no fault of kind $kind"
done

# A campaign that was stopped goes on: what is in the file is not run again.
heddle inject --faults malloc,create --save saved --json - "$DATA/inject_classes.c"
jq -S '[.faults[] | {fault, class}] | sort_by(.fault)' out >whole
sed -i '/^2\t/,$d' saved
heddle inject --faults malloc,create --save saved --json - "$DATA/inject_classes.c"
jq -S '[.faults[] | {fault, class}] | sort_by(.fault)' out >again
cmp -s whole again || fail 'a campaign that goes on comes to something else'
heddle inject --faults malloc --save saved "$DATA/inject_classes.c"
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a file of another campaign: status $status"
heddle inject --faults malloc,create --save saved "$DATA/inject_classes.c" -- more
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a file of the program with other arguments: status $status"
# What another program did says nothing of this one.
printf '#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(sizeof *p);\n    return !p;\n}\n' >changes.c
heddle inject --faults malloc --save changes changes.c
[ "$status" = 0 ] || fail "a program that will change: status $status"
sed -i 's/return !p/return *p * 0/' changes.c
heddle inject --faults malloc --save changes changes.c
[ "$status" = 2 ] && grep -q 'what it is given has changed since' err || fail "a program that has changed: status $status, $(cat out err)"

# Short reads, failing writes, files that are written.
cat >copy.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    char text[64];
    ssize_t n = read(0, text, sizeof text);
    FILE *out = fopen("copy.out", "w");
    if (n < 0 || !out || fwrite(text, 1, (size_t)n, out) != (size_t)n)
        return 1;
    return fclose(out) ? 1 : 0;
}
END
echo 'what is copied' >input
heddle inject --input input --output copy.out --json copy.json copy.c
jq -r '.faults[] | .fault + " " + .class' copy.json | sort >found
cat >expected <<'END'
fclose@copy.c:11#1=ENOSPC reported
fopen@copy.c:8#1=EMFILE reported
fwrite@copy.c:9#1=ENOSPC reported
fwrite@copy.c:9#1=short reported
read@copy.c:7#1=EINTR reported
read@copy.c:7#1=EIO reported
read@copy.c:7#1=short silent corruption
END
cmp -s found expected || fail "copying: $(diff found expected)"

# A run that writes nothing has not written what an earlier one did. It finds the file as it was.
cat >appends.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *out = malloc(8) ? fopen("appends.out", "a") : NULL;
    return out ? !fputs("a line\n", out) || fclose(out) : 0;
}
END
echo before >appends.out
heddle inject --faults malloc --output appends.out --json - appends.c
[ "$(jq -r '.faults[] | .class' out)" = 'silent corruption' ] || fail "a run that writes nothing: $(cat out)"
[ "$(cat appends.out)" = before ] || fail "the file was not as before: $(cat appends.out)"
heddle inject -j 2 --faults malloc --output appends.out appends.c
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "one file for two runs at a time: status $status"

# An exit status that differs anyway says nothing.
cat >parity.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *file = fopen("parity", "a");
    puts(malloc(8) ? "something" : "nothing");
    return !file || fprintf(file, "x") != 1 || ftell(file) % 2;
}
END
heddle inject --faults malloc parity.c
says 'a status that varies' 'its exit status differs without a fault'
says 'what is left to look at' ' 1 silent corruption$'

# Calls of a forked process are its own, as are those of its threads.
cat >forks.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *gets(void *p)
{
    return p ? p : malloc(8);
}
int main(void)
{
    void *(*volatile get)(void *) = gets;
    pthread_t thread;
    pid_t child = fork();
    if (!child) {
        void *p = NULL;
        if (!get(NULL))
            _exit(3);
        if (pthread_create(&thread, NULL, gets, NULL) || pthread_join(thread, &p))
            _exit(4);
        _exit(p ? 0 : 5);
    }
    void *p = get(NULL);
    int status = 9;
    waitpid(child, &status, 0);
    return p ? WEXITSTATUS(status) : 2;
}
END
heddle inject --compare --json - forks.c
[ "$(jq -r '.faults[] | .fault + " " + (.status | tostring)' out | sort)" = 'malloc@forks.c:8#1=ENOMEM 2
malloc@forks.c:8#1@P1.1=ENOMEM 5
malloc@forks.c:8#1@P1=ENOMEM 3
pthread_create@forks.c:19#1@P1=EAGAIN 4' ] && [ "$(jq '.golden_deviates' out)" = 0 ] || fail "a forked process: $(cat out)"

cat >arrays.cpp <<'END'
#include <cstdio>
#include <new>
int main()
{
    try {
        int *p = new int[100];
        std::printf("%d\n", p != nullptr);
        delete[] p;
    } catch (const std::bad_alloc &) {
        std::fputs("no memory\n", stderr);
        return 3;
    }
}
END
g++ -g -o arrays arrays.cpp && heddle inject --json - ./arrays
[ "$(jq -r '.faults[] | .fault + " " + .class' out)" = 'new@arrays.cpp:6#1=ENOMEM reported' ] || fail "new[] in C++: $(cat out)"

cat >quiet.cpp <<'END'
#include <cstdio>
#include <new>
int main()
{
    int *p = new (std::nothrow) int, *q = new (std::nothrow) int[9];
    std::puts(p && q ? "both" : "no memory");
    return p && q ? 0 : 4;
}
END
g++ -g -o quiet quiet.cpp && heddle inject --json - ./quiet
[ "$(jq -r '.faults[] | .fault + " " + .class' out)" = 'new@quiet.cpp:5#1=ENOMEM reported
new@quiet.cpp:5+2#1=ENOMEM reported' ] || fail "new that does not throw: $(cat out)"

cat >aligned.cpp <<'END'
#include <new>
#include <vector>
struct alignas(64) line {
    char text[64];
};
int main()
try {
    line *volatile one = new line;
    delete one;
    std::vector<int> many(3);
    return many[2];
} catch (const std::bad_alloc &) {
    return 3;
}
END
g++ -std=c++17 -g -O2 -o aligned aligned.cpp && heddle inject --json - ./aligned
[ "$(jq -r '.faults[] | .fault + " " + .class' out)" = 'new@aligned.cpp:8#1=ENOMEM reported
new@aligned.cpp:10#1=ENOMEM reported' ] || fail "new with an alignment, and in a header: $(cat out)"

# Pieces, offsets, mappings, and calls that are interrupted.
cat >pieces.c <<'END'
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    char text[8];
    struct iovec two[2] = {{text, 4}, {text + 4, 4}};
    struct pollfd fd = {0, POLLIN, 0};
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    if (pread(0, text, 8, 0) != 8)
        return 2;
    if (readv(0, two, 2) != 8)
        return 3;
    if (writev(1, two, 2) != 8)
        return 4;
    if (poll(&fd, 1, 0) < 0)
        return 5;
    struct timespec little = {0, 1}, left;
    if (nanosleep(&little, &left) && left.tv_nsec != 1)
        return 6;
    return fflush(stdout) ? 7 : 0;
}
END
printf 'eight by eight' >input
gcc -g -o pieces pieces.c && heddle inject --faults malloc,read,write,interrupt --input input --json - ./pieces
jq -r '.faults[] | .fault + " " + (.status | tostring)' out | sort >found
cat >expected <<'END'
fflush@pieces.c:27#1=ENOSPC 7
mmap@pieces.c:13#1=ENOMEM 1
nanosleep@pieces.c:25#1=EINTR 0
poll@pieces.c:22#1=EINTR 5
pread@pieces.c:16#1=EINTR 2
pread@pieces.c:16#1=EIO 2
pread@pieces.c:16#1=short 2
readv@pieces.c:18#1=EINTR 3
readv@pieces.c:18#1=EIO 3
readv@pieces.c:18#1=short 3
writev@pieces.c:20#1=EINTR 4
writev@pieces.c:20#1=ENOSPC 4
writev@pieces.c:20#1=short 4
END
cmp -s found expected || fail "pieces: $(diff found expected)"

# Files that cannot be opened, and texts that find no memory; with the checks of _FORTIFY_SOURCE as well.
cat >opens.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char *text;
    if (asprintf(&text, "%s.%d", argv[0], argc) < 0)
        return 1;
    free(text);
    int in = open("/dev/null", O_RDONLY);
    if (in < 0)
        return 2;
    int out = openat(AT_FDCWD, "opens.out", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (out < 0)
        return 3;
    if (!fopen("opens.out", "r"))
        return 4;
    return close(in) || close(out);
}
END
cat >expected <<'END'
asprintf@opens.c#1=ENOMEM 1
fopen@opens.c#1=EMFILE 4
open@opens.c#1=EMFILE 2
openat@opens.c#1=EMFILE 3
END
for flags in -O0 '-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64'; do
    # shellcheck disable=SC2086
    gcc -g $flags -o opens opens.c && heddle inject --faults malloc,open --json - ./opens
    # With those checks the calls are in functions of the system's headers.
    jq -r '.faults[] | .fault + " " + (.status | tostring)' out | sed 's/@[a-z0-9]*\.h:[0-9]*#/@opens.c#/; s/@opens.c:[0-9]*#/@opens.c#/' | sort >found
    cmp -s found expected || fail "opens with $flags: $(diff found expected)"
    [ "$(stat -c %a opens.out)" = 600 ] || fail "opens with $flags: the mode of the file is $(stat -c %a opens.out)"
done

# What offsets of 64 bits and _FORTIFY_SOURCE make of calls that read.
cat >sizes.c <<'END'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char text[8], *line = NULL;
    size_t size = (size_t)argc + 3, room = 0;
    if (pread(0, text, size, 0) != 4 || read(0, text, size) != 4 || pwrite(1, text, size, 0) != 4)
        return 1;
    if (mmap(NULL, size, PROT_READ, MAP_PRIVATE, 0, 0) == MAP_FAILED || !memalign(64, size))
        return 2;
    FILE *file = fdopen(0, "r");
    if (!file || fread(text, 1, size, file) != 4 || !fgets(text, argc + 3, file) || getline(&line, &room, file) < 1)
        return 3;
    return argv[0] == line;
}
END
printf 'some words\n%.0s' 1 2 3 >input
cat >expected <<'END'
fgets=EIO 3
fread=EIO 3
fread=short 3
getline=EIO 3
getline=ENOMEM 3
memalign=ENOMEM 2
mmap=ENOMEM 2
pread=EINTR 1
pread=EIO 1
pread=short 1
pwrite=EINTR 1
pwrite=ENOSPC 1
pwrite=short 1
read=EINTR 1
read=EIO 1
read=short 1
END
for flags in -O0 '-O2 -D_FORTIFY_SOURCE=2 -D_FILE_OFFSET_BITS=64'; do
    # shellcheck disable=SC2086
    gcc -g $flags -o sizes sizes.c && heddle inject --faults malloc,read,write --input input --json - ./sizes
    jq -r '.faults[] | .call + "=" + (.fault | sub(".*="; "")) + " " + (.status | tostring)' out | sort >found
    cmp -s found expected || fail "sizes with $flags: $(diff found expected)"
done

# More is read and written than was asked for, by whatever call.
cat >larger.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    char text[64] = "", said[32] = "0123456789";
    int pair[2];
    FILE *in = fdopen(0, "r");
    if (!in || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 1;
    ssize_t sizes[4] = {pread(0, text, 2, 0), 0, 0, 0};
    sizes[1] = send(pair[0], said, 3, 0);
    sizes[2] = recv(pair[1], text, 3, 0);
    if (fgets(text, 5, in))
        sizes[3] = (ssize_t)strlen(text);
    sizes[3] += 10 * (ssize_t)fread(text, 1, 2, in);
    printf("%zd %zd %zd %zd\n", sizes[0], sizes[1], sizes[2], sizes[3]);
    fflush(stdout);
    return write(1, said, 2) < 0;
}
END
printf 'a line of a file that is long enough' >input
gcc -g -o larger larger.c && heddle inject --faults filesize --input input --json - ./larger
jq -r '.faults[] | .fault + " " + .class' out | sort >found
cat >expected <<'END'
fgets@larger.c:15#1=larger silent corruption
fread@larger.c:17#1=larger silent corruption
pread@larger.c:12#1=larger silent corruption
recv@larger.c:14#1=larger benign
send@larger.c:13#1=larger silent corruption
write@larger.c:20#1=larger silent corruption
END
cmp -s found expected || fail "larger: $(diff found expected)"

for wrong in '--faults nothing' '--runs 0' '--every --runs 2' '--timeout 0' '--input missing'; do
    # shellcheck disable=SC2086
    heddle inject $wrong copy.c
    [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "$wrong: status $status"
done
heddle inject /bin/nosuch
[ "$status" = 2 ] || fail "no program: status $status"
gcc -static -o static copy.c 2>/dev/null && { heddle inject ./static; [ "$status" = 2 ] || fail "a static program: status $status"; }
nothing_left 'after campaigns'
finish
