#!/usr/bin/env bash
# tests/fuzz/planted.sh [COUNT [FIRST]]: errors whose way is known by construction. A random program computes a few layers of cells, each
# the sum of some cells of the layer before; a bit flips in one cell as one thread reads it. What it reaches is what can be
# computed from there, and heddle inject and heddle diff have to find exactly that. Each program once with a thread for each cell, which
# can be compared natively, and once with threads that take cells from a queue, which runs under control.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
heddle=${BUILD:-$root/build}/heddle
count=${1:-20}
first=${2:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# make_program SEED QUEUE: program.c, the name of the fault in `fault`, what it reaches in `objects` and `threads`.
make_program() {
    awk -v seed="$1" -v queue="$2" '
    function draw(n) { state = (state * 16807) % 2147483647; return int(state / 7) % n }
    function say(text) { print text > "program.c"; line++ }
    BEGIN {
        state = seed * 7919 + 17; for (i = 0; i < 20; i++) draw(2)
        layers = 3 + draw(3); cells = 2 + draw(4)
        bad_layer = draw(layers - 1); bad = draw(cells); reader = draw(cells)
        for (s = 1; s < layers; s++) for (i = 0; i < cells; i++) for (j = 0; j < cells; j++) {
            uses[s, i, j] = draw(2)
            if (s == bad_layer + 1 && j == bad) uses[s, i, j] = i == reader   # nobody else reads it before or after
        }
        say("#include <pthread.h>"); say("#include <stdio.h>")
        say("static unsigned cell[" layers "][" cells "], total;")
        for (s = 1; s < layers; s++) for (i = 0; i < cells; i++) {
            say("static void sum_" s "_" i "(void)"); say("{"); say("    unsigned sum = 1;")
            for (j = 0; j < cells; j++) if (uses[s, i, j]) {
                say("    sum += cell[" s - 1 "][" j "];")
                if (s == bad_layer + 1 && i == reader && j == bad) place = line
            }
            say("    cell[" s "][" i "] = sum;"); say("}")
        }
        say("static void (*const sums[" layers "][" cells "])(void) = {")
        for (s = 1; s < layers; s++) for (i = 0; i < cells; i++) say("    [" s "][" i "] = sum_" s "_" i ",")
        say("};")
        if (queue) {
            say("static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;"); say("static int next, layer;")
            say("static void *work(void *unused)"); say("{"); say("    for (;;) {"); say("        pthread_mutex_lock(&lock);")
            say("        int mine = next < " cells " ? next++ : -1;"); say("        pthread_mutex_unlock(&lock);")
            say("        if (mine < 0)"); say("            return unused;"); say("        sums[layer][mine]();"); say("    }"); say("}")
        } else {
            say("static int layer;"); say("static void *work(void *which)"); say("{")
            say("    sums[layer][*(int *)which]();"); say("    return NULL;"); say("}")
        }
        say("int main(void)"); say("{"); say("    pthread_t threads[" cells "];"); say("    int which[" cells "];")
        say("    for (int i = 0; i < " cells "; i++) {"); say("        which[i] = i;"); say("        cell[0][i] = (unsigned)i + 3;"); say("    }")
        say("    for (layer = 1; layer < " layers "; layer++) {"); if (queue) say("        next = 0;")
        say("        for (int i = 0; i < " cells "; i++)"); say("            if (pthread_create(&threads[i], NULL, work, &which[i]))"); say("                return 3;")
        say("        for (int i = 0; i < " cells "; i++)"); say("            pthread_join(threads[i], NULL);"); say("    }")
        say("    for (int i = 0; i < " cells "; i++)"); say("        total += cell[" layers - 1 "][i];")
        say("    printf(\"%u\\n\", total);"); say("    return 0;"); say("}")
        reached[bad_layer + 1, reader] = 1
        print "cell[" bad_layer "][" bad "]" > "objects"
        for (s = bad_layer + 1; s < layers; s++) for (i = 0; i < cells; i++) {
            for (j = 0; j < cells; j++) if (s > bad_layer + 1 && uses[s, i, j] && reached[s - 1, j]) reached[s, i] = 1
            if (!reached[s, i]) continue
            print "cell[" s "][" i "]" > "objects"
            print "T" (s - 1) * cells + i + 1 > "threads"
            if (s == layers - 1) end = 1
        }
        if (end) { print "total" > "objects"; print "main" > "threads" }
        print "program.c:" place > "fault"
    }'
}

bad=0 silent=0 lost=0
fail() {
    echo "FAILED: seed $1, $2: $3"
    bad=$((bad + 1))
}
for ((seed = first; seed < first + count; seed++)); do
    for queue in 0 1; do
        rm -rf traces objects threads fault
        make_program "$seed" "$queue"
        "$heddle" cc -g -O1 -fno-inline -pthread -o program program.c || exit 2
        # Who reads that line is up to the schedule if there is a queue.
        place=$(cat fault)
        "$heddle" inject --compare --faults bitflip --json all.json ./program >/dev/null
        name=$(jq -r --arg place "$place" '.faults[] | select(.place == $place) | .fault' all.json | head -n 1)
        [ "$queue" = 1 ] && way=controlled || way=native
        [ "$(jq -r .mode all.json)" = $way ] || fail "$seed" "queue $queue" "it runs $(jq -r .mode all.json)"
        "$heddle" inject --trace traces --fault "$name" --json one.json ./program >/dev/null
        "$heddle" diff --json diff.json traces/golden traces/1 >/dev/null
        jq -r '.objects[]' diff.json | sort >found
        sort objects | cmp -s - found || fail "$seed" "$name, queue $queue" "objects: $(sort objects | diff - found | tr '\n' ' ')"
        jq -r '.threads[].thread' diff.json | sort >found
        [ "$queue" = 1 ] || sort threads | cmp -s - found || fail "$seed" "$name" "threads: $(sort threads | diff - found | tr '\n' ' ')"
        class=$(jq -r '.faults[0].class' one.json)
        if grep -q total objects; then wanted='silent corruption' silent=$((silent + 1)); else wanted=benign lost=$((lost + 1)); fi
        [ "$class" = "$wanted" ] || fail "$seed" "$name, queue $queue" "it is $class, not $wanted"
    done
done
echo "$count programs twice: $silent errors reached the output, $lost did not; $bad failed"
[ $bad = 0 ]
