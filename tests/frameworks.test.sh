#!/usr/bin/env bash
# docs/frameworks.md is what a user with a suite of tests sees: every command in it is run here, on a copy of the project, and prints
# what it says. A framework that is not installed is left out, with a sentence.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
. "$DATA/transcript.sh"
mkdir -p examples/projects
cp -r "$ROOT/examples/projects/account" examples/projects

# there FRAMEWORK: whether a program can include it.
there() {
    case $1 in
    cmocka) echo '#include <cmocka.h>' ;;
    googletest) echo '#include <gtest/gtest.h>' ;;
    Catch2) echo '#include <catch2/catch.hpp>' ;;
    Check) echo '#include <check.h>' ;;
    Criterion) echo '#include <criterion/criterion.h>' ;;
    GLib) pkg-config --exists glib-2.0 && return ;;
    esac | g++ -fsyntax-only -include stdarg.h -include stddef.h -include stdint.h -include setjmp.h -xc++ - >/dev/null 2>&1
}

# section NAME: that part of the document, from the project's directory on.
section() { sed -n "/^## $1\$/,/^## /p" "$ROOT/docs/frameworks.md" | grep -v '^\$ cd '; }

cd examples/projects/account || exit 1
for framework in ${ONLY:-cmocka googletest Catch2 Check Criterion GLib}; do
    if there "$framework"; then
        section "$framework" >"$work/section.md"
        transcript "$work/section.md" 6
    else
        echo "$framework is not installed: its suite is left out"
    fi
done
cd "$work" || exit 1
nothing_left frameworks
finish
