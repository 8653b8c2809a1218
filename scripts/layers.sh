#!/usr/bin/env bash
# scripts/layers.sh [SOURCE]: whether each folder of src/ includes only headers of folders below it (docs/internals.md), targets
# and searches include nothing of each other, and rooms are entered by their front door. A room is a folder NAME with a header
# NAME_room.h: what others may use. Sources of other folders include only that header of it; headers, which may need the types of
# another room, also what that one includes itself. Prints includes that do not keep to it; status 1 if there are any.
# scripts/layers.sh --edges [SOURCE]: how often one folder includes another, as "FROM TO COUNT".
# scripts/layers.sh --dot [SOURCE]: the same as a picture for Graphviz.
set -u
what=--check
case ${1:-} in --edges | --dot) what=$1 && shift ;; esac
src=${1:-$(dirname "$(readlink -f "$0")")/../src}
[ -d "$src" ] || { echo "layers.sh: there is no folder $src" >&2; exit 2; }

# From the bottom; folders of one line may include one another.
layers="openmp frameworks
base
model
explore
check
job
spread
recorder injector holder
target/threads
worker
history
consensus
build
lin repair transactions
report
trace
supervise
target/nodes
cluster predict inject
requests
cli
mpi"

cd "$src" || exit 2
includes=$(grep -rHoE '^#include "[a-z_]+/[^"]*"' . --include='*.[chS]' |
    sed -E 's|^\./([^:]*):#include "([^"]*)"|\1 \2|' | sort)
doors=$(find . -name '*_room.h' | sed 's|^\./||')
# The includes are read twice: first to see what stands behind each door.
awk -v layers="$layers" -v doors="$doors" -v what="$what" '
    BEGIN {
        count = split(layers, line, "\n")
        for (i = 1; i <= count; i++) {
            n = split(line[i], word, " ")
            for (k = 1; k <= n; k++) rank[word[k]] = i
        }
        count = split(doors, line, "\n")
        for (i = 1; i <= count; i++)
            if (line[i] ~ "/" base(folder(line[i])) "_room.h$") door[folder(line[i])] = line[i]
    }
    function base(path) { sub(/.*\//, "", path); return path }
    function rank_of(path,   best, at, name) {
        for (name in rank)
            if (index(path, name) == 1 && length(name) > best) { best = length(name); at = rank[name] }
        return at + 0
    }
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function wrong(why) { print "src/" $1 " includes " $2 ": " why; failed = 1 }
    NR == FNR { if (door[folder($1)] == $1) shown[$2] = 1; next }
    what != "--check" { if (folder($1) != folder($2)) edges[folder($1) " " folder($2)]++; next }
    rank_of($2) > rank_of($1) { wrong("that is a layer above it") }
    $1 ~ /^target\// && $2 ~ /^explore\// { wrong("a target knows no search") }
    $1 ~ /^explore\// && $2 ~ /^target\// { wrong("a search knows no target") }
    door[folder($2)] && folder($1) != folder($2) && $2 != door[folder($2)] && !($1 ~ /\.h$/ && shown[$2]) {
        wrong("that is inside a room; its front door is " door[folder($2)])
    }
    END {
        if (what == "--dot") print "digraph { rankdir = BT; node [shape = box, fontname = \"sans-serif\"];"
        for (edge in edges) {
            split(edge, ends, " ")
            if (what == "--edges") print ends[1], ends[2], edges[edge] | "sort"
            if (what == "--dot") printf "\"%s\" -> \"%s\" [label = %d];\n", ends[1], ends[2], edges[edge]
        }
        if (what == "--dot") print "}"
        exit failed
    }' <(echo "$includes") <(echo "$includes")
