#!/usr/bin/env bash
# The subjects of the thesis of Inspect: verdicts as expected, and the printed numbers of executions where the program is known.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
timeout -k 5 240 "$ROOT/bench/seed.sh" quick >table 2>err || fail "bench/seed.sh: $(cat table err)"
[ "$(wc -l <table)" -ge 15 ] || fail "bench/seed.sh prints no table: $(cat table)"
finish
