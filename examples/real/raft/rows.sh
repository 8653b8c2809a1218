# What the checks of Raft libraries share; raft/check.sh and cowsql/check.sh source it when they have set `headers` and `library`.
# The nodes are those of raft/.
# shellcheck shell=bash disable=SC2034,SC2154

file_of() { tr -c 'a-z0-9\n' - <<<"$1"; }

# Libraries are built as their makefiles do: they read bytes as other types. What they leave unset on the stack and send, or
# keep, would be different each time; it is zero here.
#
# run NAME VERDICT FLAGS OPTION…: a row. The verdict is verified; clean (no bug up to the bound); or bug: and its kind.
run() {
    local name=$1 expected=$2 flags=$3 file report verdict executions seconds
    shift 3
    file=$(file_of "$name")
    report=$file.report
    # shellcheck disable=SC2086
    "$HEDDLE" cluster "$@" --cflags "-I$headers -fno-strict-aliasing -ftrivial-auto-var-init=zero $flags" "$REAL"/raft/{node,io,claims,wire,disk,bytes,hidden}.c $library \
        >"$report" 2>&1 </dev/null
    for each in node.*.hd; do [ ! -e "$each" ] || mv "$each" "$file.${each#node.}"; done
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
