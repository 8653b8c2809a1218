#!/usr/bin/env bash
# A campaign that is interrupted keeps what it has done, and the rest of it comes to what the whole would have come to.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

cat >slow.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        int *volatile p = malloc(sizeof *p);
        if (!p && i % 4 == 0)
            return 3;
        if (!p && i % 4 == 1)
            abort();
        sum += p || i % 4 == 2 ? i : 0;
        free(p);
        usleep(1000);
    }
    printf("%d\n", sum);
    return 0;
}
END
"$HEDDLE" cc -g -O1 -o slow slow.c || fail 'slow.c cannot be compiled'

# kept: how many outcomes are in the file.
kept() { grep -c '^[0-9]' stopped 2>/dev/null; }

# interrupt_after N OPTION…: a campaign that is interrupted once it has kept N outcomes.
interrupt_after() {
    local enough=$1 campaign
    shift
    rm -f stopped part.json
    "$HEDDLE" inject --save stopped --json part.json "$@" >part 2>&1 &
    campaign=$!
    for _ in {1..1000}; do
        [ -s stopped ] && [ "$(kept)" -ge "$enough" ] && break
        sleep 0.02
    done
    kill -INT $campaign
    wait $campaign
    [ $? = 3 ] || fail "$*: an interrupted campaign says: $(cat part)"
    grep -q 'interrupted before all faults had been tried' part || fail "$*: it does not say that it was interrupted: $(cat part)"
}

outcomes='[.faults[] | {fault, class, status, deviates, objects_reached, records_reached}] | sort_by(.fault)'
for way in '-j 2' '--compare --controlled=3'; do
    read -ra options <<<"--faults malloc --every=40 $way"
    heddle inject "${options[@]}" --json whole.json ./slow
    interrupt_after 8 "${options[@]}" ./slow
    jq -e '.complete == false and (.faults | length) >= 8 and (.faults | length) < 40' part.json >said ||
        fail "$way: $(jq -c '[.complete, (.faults | length)]' part.json) of 40"
    before=$(kept)
    [ "$before" = "$(jq '.faults | length' part.json)" ] || fail "$way: $before were kept, $(jq '.faults | length' part.json) were told"
    heddle inject "${options[@]}" --save stopped --json rest.json ./slow
    [ "$(kept)" = 40 ] || fail "$way: $(kept) outcomes were kept, not 40"
    for file in whole rest; do jq -S "$outcomes" $file.json >$file; done
    cmp -s whole rest || fail "$way: a campaign that was interrupted comes to something else: $(diff whole rest | head -n 5)"
    jq -e '.complete' rest.json >said || fail "$way: the rest is not complete"
    jq -e 'length == 40 and ([.[].class] | unique == ["benign", "crash", "reported", "silent corruption"])' whole >said ||
        fail "$way: $(jq -c '[.[].class]' whole)"
done

# If it is interrupted in its first run, nothing was tried, and that is said.
cat >hangs.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    int *volatile p = malloc(sizeof *p);
    while (!p)
        pause();
    free(p);
    return 0;
}
END
"$HEDDLE" cc -g -O1 -o hangs hangs.c || fail 'hangs.c cannot be compiled'
interrupt_after 0 --faults malloc --timeout 60 ./hangs
grep -qx 'no fault was tried in ./hangs' part || fail "nothing was tried: $(cat part)"
nothing_left 'after interrupted campaigns'
finish
