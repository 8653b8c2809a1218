#!/bin/sh
# A sample of `make fuzz`: every strategy against plain enumeration on random programs, in the model and in the
# real engine; what reports say of failing runs, against every state of the program; judgements of histories and of transactions against trying every order (all of those, since they take a second).
# And one of `make fuzz-inputs` (bad inputs of the command).
set -u
failed=0
"$BUILD/tests/fuzz/fuzz_model" 60 1 >model.txt || failed=1
"$BUILD/tests/fuzz/fuzz_estimate" 10 1 >estimate.txt || failed=1
"$BUILD/tests/fuzz/fuzz_real" 50 1 >real.txt || failed=1
# Threads that run on while another is in an exit handler; a program whose executions are all cut short by an assumption.
REAL_KIND=everything "$BUILD/tests/fuzz/fuzz_real" 6 20586 >>real.txt || failed=1
REAL_KIND=everything "$BUILD/tests/fuzz/fuzz_real" 1 2900025 >>real.txt || failed=1
"$BUILD/tests/fuzz/fuzz_said" 20 1 >said.txt || failed=1
"$BUILD/tests/fuzz/fuzz_history" 10000 1 >history.txt || failed=1
"$BUILD/tests/fuzz/fuzz_transactions" 5000 1 >transactions.txt || failed=1
"$BUILD/tests/fuzz/fuzz_inputs" 180 1 >inputs.txt || failed=1
[ $failed -eq 0 ] || { head -n 40 model.txt estimate.txt; tail -n 20 real.txt said.txt inputs.txt; head -n 40 history.txt transactions.txt; }
exit $failed
