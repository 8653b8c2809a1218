#!/usr/bin/env bash
# bench/root_cause.sh: Tables 2.1 and 2.2 of seed 001 in form. Three libraries with a lock that is taken too late, or let go in
# between, in add, in remove or in both; for each the three clients of the seed. For each client: how many of its executions
# fail and how many are right (at most 200 and 2000 are looked at, evenly chosen), what heddle says has to be atomic, how many
# of the right ones that forbids, whether the client was right with it enforced, the seconds for all of this and for the
# analysis alone; and beside it what the seed says, whose libraries are Java ones, with other lines.
. "$(dirname "$(readlink -f "$0")")/common.sh"
LIMIT=${LIMIT:-60}

failed=0

# library FLAGS CLIENT; the seed's top repair, right executions that it disables, total and elimination seconds.
rows() {
    cat <<'END'
coarse_list|-DADD=1|r(0) r(1) a(1) , a(0) a(1) r(1)|[27,35]|0|12|1
coarse_list|-DADD=1|a(0) a(1) r(1) a(1) , a(1) r(0) r(0) a(0)|[27,35]|81|33|4
coarse_list|-DADD=1|a(1) a(1) , r(1) r(0) , a(0) r(1)|[27,35]|252|266|4
coarse_list|-DREMOVE=1|a(1) a(1) r(1) , r(0) a(0) r(1)|[48,54]|9|10|1
coarse_list|-DREMOVE=1|a(0) a(1) r(1) r(1) , a(1) r(0) r(1) a(1)|[48,54]|153|24|4
coarse_list|-DREMOVE=1|r(1) a(0) , a(1) r(1) , a(1) a(0)|[48,54]|144|152|2
coarse_list|-DADD=1 -DREMOVE=1|a(1) r(1) a(1) , a(1) r(1) a(1)|[27,35] [48,54]|81|16|1
coarse_list|-DADD=1 -DREMOVE=1|r(1) a(1) r(0) r(0) , a(0) r(1) a(0) a(1)|[27,35] [48,54]|135|29|3
coarse_list|-DADD=1 -DREMOVE=1|a(1) r(1) , a(0) a(1) , r(0) r(1)|[27,35] [48,54]|156|485|7
optimistic_list|-DADD=1|r(1) r(0) a(0) , a(1) r(1) a(0)|[51,56]|0|10|2
optimistic_list|-DADD=1|a(0) a(1) a(1) r(0) , a(0) a(1) r(1) a(1)|[51,56]|150|54|11
optimistic_list|-DADD=1|a(0) r(1) , a(0) a(1) , a(0) a(0)|[51,56]|124|347|9
optimistic_list|-DREMOVE=1|r(0) a(0) r(0) , a(0) r(0) a(1)|[78,80]|15|12|2
optimistic_list|-DREMOVE=1|r(1) a(0) r(1) r(1) , a(0) a(0) a(1) r(0)|[78,80]|108|22|6
optimistic_list|-DREMOVE=1|a(1) r(0) , a(0) a(1) , r(0) r(1)|[78,80]|48|457|10
optimistic_list|-DADD=1 -DREMOVE=1|r(1) r(1) a(0) , a(1) r(0) r(1)|[51,56] [78,80]|78|11|3
optimistic_list|-DADD=1 -DREMOVE=1|a(1) r(1) a(1) r(0) , r(0) r(1) a(1) r(0)|[51,56] [78,80]|15|12|1
optimistic_list|-DADD=1 -DREMOVE=1|a(0) r(1) , a(0) a(1) , a(0) a(0)|[51,56]|152|314|14
ordered_tree|-DADD=1|a(0,1) a(1,0) , r(0,1) a(1,0)|[267,290]|0|75|3
ordered_tree|-DADD=1|a(1,0) r(1,0) a(1,1) , a(0,0) a(1,0) r(1,0)|[271,279] [448,451]|8|233|16
ordered_tree|-DADD=1|a(1,0) a(0,0) a(1,0) a(0,1) , a(0,0) a(0,1) r(0,1) r(1,1)|[271,279] [448,451]|15|179|8
ordered_tree|-DREMOVE=1|a(1,0) r(1,1) r(1,0) , a(0,1) r(1,0) r(0,0)|[436,451]|0|120|5
ordered_tree|-DREMOVE=1|a(0,0) a(1,1) r(1,1) , r(1,1) a(1,0) r(1,1)|[436,451]|0|146|12
ordered_tree|-DREMOVE=1|a(0,1) a(1,0) a(1,0) r(1,0) , a(1,1) a(0,0) a(1,0) r(1,0)|[436,451]|0|379|40
ordered_tree|-DADD=1 -DREMOVE=1|a(1,1) a(1,0) , a(1,0) r(1,0)|[271,279] [448,451]|0|21|2
ordered_tree|-DADD=1 -DREMOVE=1|a(0,0) a(1,1) r(1,1) , r(1,1) a(1,0) r(1,1)|[271,279] [448,451]|0|174|11
ordered_tree|-DADD=1 -DREMOVE=1|a(1,1) a(0,1) a(1,1) r(0,1) , a(0,1) a(0,0) a(0,1) a(1,0)|[271,279] [448,451]|0|143|5
END
}

# region FILE WHICH: lines of the lock where it belongs.
region() { echo "[$(sed -n "/$2 begins/=" "$1" | head -n 1),$(sed -n "/$2 ends/=" "$1" | tail -n 1)]"; }

# number NAME: of the report's part about the repair.
number() { sed -n "s/^			\"$1\":	\([0-9.e+-]*\),\{0,1\}$/\1/p" report.json | head -n 1; }

blocks() {
    sed -n '/^			"blocks":/,/^				}\]/p' report.json |
        awk '/"from":/ { sub(/,/, "", $2); from = $2 } /"to":/ { printf "%s[%s,%s]", n++ ? " " : "", from, $2 }'
}

echo "heddle:    $("$HEDDLE" --version)$(git -C "$ROOT" describe --always --dirty 2>/dev/null | sed 's/^/, commit /')"
echo "machine:   $(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | head -n 1), load $(cut -d ' ' -f 1 /proc/loadavg)"
library='' id=0
while IFS='|' read -r file flags client seed_repair seed_disabled seed_total seed_analysis; do
    source=$ROOT/bench/root_cause/$file.c
    if [ "$file" != "$library" ]; then
        library=$file id=0
        printf '\n%s.c: the lock belongs to add %s, remove %s\n' "$file" "$(region "$source" add)" "$(region "$source" remove)"
        printf '%2s %-10s %7s %6s  %-17s %8s %-8s %8s %9s    %-19s %8s %7s %9s\n' '' 'bug in' failing good atomic disabled \
            checked 's' 'analysis' 'seed: atomic' disabled 's' 'analysis'
    fi
    id=$((id + 1))
    "$HEDDLE" lin "$source" --cflags "$flags" --client "${client// , / | }" \
        --explain 0 --repair "$LIMIT" --json report.json >out 2>err
    status=$?
    case $flags in '-DADD=1') place=add ;; '-DREMOVE=1') place=remove ;; *) place=both ;; esac
    end=$(sed -n 's/^			"end":	"\(.*\)",$/\1/p' report.json)
    if [ "$status" -ne 1 ] || [ -z "$end" ]; then
        echo "bench: $file $flags $client: status $status: $(head -n 1 err)" >&2
        failed=1
    fi
    printf '%2d %-10s %7s %6s  %-17s %8s %-8s %8.2f %9.3f    %-19s %8s %7s %9s\n' "$id" "$place" "$(number failing)" "$(number good)" \
        "$(blocks)" "$(number forbids_good)" "$end" "$(number seconds)" "$(number analysis_seconds)" "$seed_repair" "$seed_disabled" \
        "$seed_total" "$seed_analysis"
done < <(rows)
exit $failed
