#!/bin/sh
# A sample of `make fuzz`: every strategy against plain enumeration on random programs, in the model and in the real engine.
set -u
failed=0
"$BUILD/tests/fuzz/fuzz_model" 60 1 >model.txt || failed=1
"$BUILD/tests/fuzz/fuzz_real" 50 1 >real.txt || failed=1
[ $failed -eq 0 ] || { head -n 40 model.txt; tail -n 20 real.txt; }
exit $failed
