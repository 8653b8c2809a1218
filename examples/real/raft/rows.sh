# What the checks of libraries under `heddle cluster` share; raft/check.sh, cowsql/check.sh and corosync/check.sh source it when they have set
# `headers` (folders) and `library` (sources, or flags). `nodes` are the files of a node around it: those of raft/, if it is not set.
# shellcheck shell=bash disable=SC2034,SC2154

nodes=${nodes:-$(echo "$REAL"/raft/{node,io,claims,wire,disk,bytes,hidden}.c)}
includes=$(for each in $headers; do printf -- '-I%s ' "$each"; done)

file_of() { tr -c 'a-z0-9\n' - <<<"$1"; }

# Libraries are built as their makefiles do: they read bytes as other types. What they leave unset on the stack and send, or
# keep, would be different each time; it is zero here.
#
# run NAME VERDICT FLAGS OPTION…: a row. The verdict is verified; clean (no bug up to the bound); or bug: and its kind.
run() {
    local name=$1 expected=$2 flags=$3 file report verdict executions seconds main
    shift 3
    file=$(file_of "$name")
    report=$file.report
    # shellcheck disable=SC2086
    "$HEDDLE" cluster "$@" --cflags "$includes -fno-strict-aliasing -ftrivial-auto-var-init=zero $flags" $nodes $library \
        >"$report" 2>&1 </dev/null
    main=$(basename "${nodes%% *}" .c)
    for each in "$main".*.hd; do [ ! -e "$each" ] || mv "$each" "$file.${each#"$main".}"; done
    verdict=$(head -n 1 "$report" | tr -d :)
    [ "$verdict" = incomplete ] && grep -qE '^  (--max-executions was reached|the time is over)' "$report" && verdict='no bug'
    read -r executions seconds <<<"$(sed -n 's/^  \([0-9]*\) executions* (.* \([0-9.]*\) s, .*/\1 \2/p' "$report")"
    row "$name" "${expected/#clean/no bug}" "$verdict" "${executions:-0}" "${seconds:-0}" "$report"
}

# says NAME TEXT: the report of that row does.
says() {
    grep -qF -- "$2" "$(file_of "$1").report" && return
    echo "  $1: the report does not say: $2"
    failed=$((failed + 1))
}

# replays NAME: the bug of that row happens again.
replays() {
    "$HEDDLE" replay "$(file_of "$1")".*.hd >replayed 2>&1
    [ $? -eq 1 ] && [ "$(sed -n 2p replayed)" = "$(sed -n 2p "$(file_of "$1").report")" ] && return
    echo "  $1: the replay is different: $(head -n 2 replayed)"
    failed=$((failed + 1))
}
