#!/usr/bin/env bash
# heddle replay repeats one run of a campaign: by the name of its fault, or from the file that the campaign kept.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
cp "$DATA/inject_classes.c" .

# By name: what the program prints comes first, then what became of it.
heddle replay 'strdup@inject_classes.c:40#1@T1=ENOMEM' inject_classes.c
[ "$status" = 0 ] || fail "a fault that is reported: status $status"
prints 'by name' 'strdup@inject_classes.c:40#1@T1=ENOMEM: reported (status 9: no memory)'
grep -qx 'no memory' err || fail 'what the program said is not shown'
heddle replay 'malloc@inject_classes.c:12#1=ENOMEM' inject_classes.c
[ "$status" = 1 ] || fail "a crash: status $status"
heddle replay 'strdup@inject_classes.c:40#2@T1=ENOMEM' inject_classes.c
[ "$status" = 3 ] || fail "a call that is not made: status $status"
for wrong in 'strdup@inject_classes.c:41#1=ENOMEM inject_classes.c' 'strdup@inject_classes.c:40#1=ENOMEM' 'malloc@a.c:1#1=ENOMEM missing'; do
    # shellcheck disable=SC2086
    heddle replay $wrong
    [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "replay $wrong: status $status"
done

# From a file: each run comes to the same class again, with the arguments and options of the campaign.
heddle inject --faults malloc --timeout 1 --cflags '-O1 -fno-inline' --save kept --json campaign.json inject_classes.c -- 'two words' 'back\slash
line'
count=$(jq '.faults | length' campaign.json)
for ((k = 1; k <= count; k++)); do
    heddle replay kept "$k"
    says "run $k" ', as in the campaign$'
done
heddle replay kept 'malloc@inject_classes.c:12#1=ENOMEM'
says 'a run by its fault' '^malloc@inject_classes.c:12#1=ENOMEM: crash \(Segmentation fault\), as in the campaign$'
sed -i 's/^0\t0\t/0\t4\t/' kept
heddle replay kept 1
says 'something else' 'crash \(Segmentation fault\); in the campaign it was benign$'
for wrong in kept 'kept 99' 'kept nothing'; do
    # shellcheck disable=SC2086
    heddle replay $wrong
    [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "replay $wrong: status $status"
done
printf 'heddle inject 2\nword inject\n' >damaged
heddle replay damaged 1
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a damaged file: status $status"

# A campaign that was killed while it wrote a line goes on; one in another way is another one.
heddle inject --faults malloc --timeout 1 --save cut inject_classes.c
cp out whole
truncate -s -5 cut
heddle inject --faults malloc --timeout 1 --save cut inject_classes.c
[ "$(head -n 1 out)" = "$(head -n 1 whole)" ] || fail "a line was cut off: $(head -n 1 out)"
heddle inject --controlled --faults malloc --timeout 1 --save cut inject_classes.c
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a file of another way: status $status"

# With traces: how far errors went is kept as well; runs that were not compared are made again.
saved_runs() { # FILE
    heddle inject --compare --faults malloc --save "$1" --json - "$ROOT/bench/inject/kmeans.c"
    jq -S '[.faults[] | del(.seconds)] | sort_by(.fault)' out
}
saved_runs traced >once
saved_runs traced >twice
cmp -s once twice || fail "traces of a campaign that goes on: $(diff once twice)"
jq -e 'all(.[]; .deviates)' twice >/dev/null || fail 'deviations are not kept'
heddle inject --faults malloc --save plain "$ROOT/bench/inject/kmeans.c"
saved_runs plain >twice
cmp -s once twice || fail "runs that were not compared: $(diff once twice)"

# Under control the schedule is the same as well: what is printed is.
gcc -g -pthread -o waits "$DATA/inject_waits.c"
heddle inject --controlled=5 --faults malloc --save controlled ./waits
heddle replay controlled 2
cp out first
heddle replay controlled 2
cmp -s out first || fail "two replays of one run: $(diff out first)"
says 'under control' '=ENOMEM: benign \(status 0\), as in the campaign$'
nothing_left 'after replays'
finish
