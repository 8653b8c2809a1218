#!/usr/bin/env bash
# bench/record.sh: what recording a native run costs, beside ThreadSanitizer on the same programs in the same run. Each program is
# run natively, with -fsanitize=thread, and under heddle record, in turns; the least of ROUNDS (5) is printed: elapsed seconds,
# seconds of all processors together (with what compresses and writes the recording), and memory. pbzip2 is one of the programs if
# Debian's source of it can be fetched; so is Apache httpd under a load, which `examples/real/httpd/check.sh programs` has to have
# built before (minutes).
. "$(dirname "$(readlink -f "$0")")/common.sh"
ROUNDS=${ROUNDS:-5}

# measure COMMAND…: adds "elapsed processors kilobytes" to the file `runs`.
measure() {
    /usr/bin/time -a -o runs -f '%e %U %S %M' "$@" >/dev/null 2>said || { echo "$* fails: $(tail -n 1 said)" >&2; exit 1; }
}

# While a load asks it, if the program is a server.
measure_server() {
    local server
    rm -f "$HTTPD_ROOT/httpd.pid"
    measure "$@" &
    server=$!
    "$LOAD" "$PORT" 8 500 || { echo "$1: a client was not answered" >&2; exit 1; }
    kill "$(cat "$HTTPD_ROOT/httpd.pid")"
    wait $server || exit 1
}

# least FILE: the least of each figure.
least() {
    awk 'NF == 4 { cpu = $2 + $3; if (!n++ || $1 < e) e = $1; if (n == 1 || cpu < c) c = cpu; if (n == 1 || $4 < m) m = $4 }
         END { printf "%.2f %.2f %.0f\n", e, c, m / 1024 }' "$1"
}

# row NAME ARGUMENT…: compares NAME.native, NAME.tsan and NAME.heddle with these arguments; MEASURE is how.
row() {
    local name=$1 kind measure=${MEASURE:-measure}
    shift
    rm -f runs.*
    for ((i = 0; i < ROUNDS; i++)); do
        for kind in native tsan; do
            $measure "./$name.$kind" "$@"
            cat runs >>"runs.$kind" && rm runs
        done
        $measure "$HEDDLE" record -o trace --limit 4G "./$name.heddle" -- "$@"
        cat runs >>runs.record && rm runs
    done
    read -r e0 c0 m0 < <(least runs.native)
    read -r e1 c1 m1 < <(least runs.tsan)
    read -r e2 c2 m2 < <(least runs.record)
    awk -v n="$name" -v e0="$e0" -v c0="$c0" -v m0="$m0" -v e1="$e1" -v c1="$c1" -v m1="$m1" -v e2="$e2" -v c2="$c2" -v m2="$m2" \
        -v k="$(($(stat -c %s trace) / 1024))" 'BEGIN {
        printf "%-8s %7.2f %7.2f %7.2f  %7.2f %7.2f %7.2f  %6d %6d %6d  %9d  %6.2f %6.2f\n",
            n, e0, e1, e2, c0, c1, c2, m0, m1, m2, k, e2 / e1, c2 / c1 }'
}

# built NAME COMPILER SOURCE FLAG…: all three of them.
built() {
    local name=$1 compiler=$2 source=$3
    shift 3
    $compiler -O2 -g "$source" -pthread "$@" -o "$name.native" &&
        $compiler -O2 -g -fsanitize=thread "$source" -pthread "$@" -o "$name.tsan" &&
        "$HEDDLE" "${compiler/gcc/cc}" -O2 -g "$source" -pthread "$@" -o "$name.heddle"
}

echo "$(gcc --version | head -n 1), $(nproc) processors"
echo "         seconds                  of processors            MB                    KB of      record/tsan"
echo "program   native    tsan  record   native    tsan  record  native   tsan record  recording  seconds processors"
for program in memory queue handover; do
    built $program gcc "$ROOT/bench/record/$program.c" 2>errors || { cat errors >&2; exit 1; }
    row $program
done

if "$ROOT/examples/real/fetch.sh" pbzip2 "$BUILD/real" >/dev/null 2>&1 && [ -e /usr/include/bzlib.h ]; then
    flags=(-D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION -D_POSIX_PTHREAD_SEMANTICS -w)
    sources="$BUILD/real/pbzip2/pbzip2.cpp $BUILD/real/pbzip2/BZ2StreamScanner.cpp $BUILD/real/pbzip2/ErrorContext.cpp"
    cat "$ROOT"/src/*/*.c "$ROOT"/src/*/*/*.c "$ROOT"/src/*/*/*/*.c >text
    for kind in "native g++" "tsan g++ -fsanitize=thread" "heddle $HEDDLE c++"; do
        # shellcheck disable=SC2086
        ${kind#* } -O2 -g $sources "${flags[@]}" -pthread -o "pbzip2.${kind%% *}" -lbz2 2>errors || { cat errors >&2; exit 1; }
    done
    row pbzip2 -p2 -b1 -k -c text
fi

# What ThreadSanitizer says of httpd's races is left out: it would cost more than finding them.
OUT=$BUILD/real/out/httpd
if [ -x "$OUT/httpd.heddle" ] && [ -x "$OUT/httpd.tsan" ] && [ -x "$OUT/httpd.native" ]; then
    REAL=$ROOT/examples/real LOAD=$OUT/load
    . "$ROOT/examples/real/httpd/serve.sh"
    httpd_folder "$work/server"
    ln -s "$OUT"/httpd.{native,tsan,heddle} .
    TSAN_OPTIONS=report_bugs=0 MEASURE=measure_server row httpd -X -f "$REAL/httpd/httpd.conf"
fi
