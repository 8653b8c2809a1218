#!/bin/sh
# A sample of `make fuzz`: every strategy against plain enumeration on random programs.
set -u
out=$("$BUILD/tests/fuzz/fuzz_model" 60 1) && exit 0
echo "$out" | grep -v '^[a-z+ ]* *[0-9]* programs' | head -n 40
exit 1
