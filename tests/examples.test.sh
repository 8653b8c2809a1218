#!/usr/bin/env bash
# Every example is right, and its wrong brother is not: the wrong one's first lines say which bug it has.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

for example in "$ROOT"/examples/*.c; do
    name=$(basename "$example" .c)
    check "$example"
    [ ! -s err ] || fail "$name: $(head -n 3 err)"
    nothing_left "$name"
    case $name in
    *_wrong)
        expect "$name" bug || continue
        promised=$(sed -n 's|^// heddle: bug, \([a-z-]*\).*|\1|p' "$example")
        [ -n "$promised" ] || fail "$name: it does not say '// heddle: bug, KIND'"
        of_bugs kind | grep -qx "$promised" || fail "$name: $promised promised, got $(of_bugs kind | tr '\n' ' ')"
        [ -f "$ROOT/examples/${name%_wrong}.c" ] || fail "$name: there is no ${name%_wrong}.c"
        grep -q '^──' out || fail "$name: the report has no table"
        ;;
    *)
        expect "$name" verified
        [ "$(field executions)" -gt 1 ] || fail "$name: there is only one execution"
        [ -f "$ROOT/examples/${name}_wrong.c" ] || fail "$name: there is no ${name}_wrong.c"
        ;;
    esac
done
finish
