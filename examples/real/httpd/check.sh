#!/usr/bin/env bash
# httpd: recorded under a short load on loopback; what is predicted, tried natively under the same load. See docs/real-programs.md.
# `check.sh programs` only builds what bench/record.sh compares: the server natively, with ThreadSanitizer, and by heddle cc.
. "$(dirname "$0")/../common.sh"
. "$HERE/build.sh"
. "$HERE/serve.sh"
[ "$LENGTH" != short ] || finish # the server takes minutes to build
httpd_source
gcc -O2 -pthread "$HERE/load.c" -o load || stop "the load cannot be built"
httpd_folder "$OUT/server"

if [ "$LENGTH" = programs ]; then
    httpd_program httpd.native gcc -O2
    httpd_program httpd.tsan "gcc -fsanitize=thread" -O2
    httpd_program httpd.heddle "$HEDDLE cc" -O2
    finish
fi

# With pools that give each request memory of its own (APR_POOL_DEBUG), as httpd's developers do for such tools: otherwise memory goes
# from thread to thread without a release, and everything in it seems to be shared.
# predicted PROGRAM EXPECTED [OPTION…]: a row; some prediction with EXPECTED in its message has to be confirmed, and without it nothing may
# be harmful.
predicted() {
    local program=$1 expected=$2 report=$1.json counts
    shift 2
    serve "$HEDDLE" record --stacks -o "$program.trace" "$OUT/$program" || stop "$program: $(cat server/said)"
    (cd server && "$HEDDLE" predict --load "$OUT/load $PORT 8 30" --time "${TIME:-300}" "$@" --json "$OUT/$report" "$OUT/$program.trace" >"$OUT/$program.report" 2>&1)
    counts=$(jq -r '[.predictions[]] | "\(length) predictions: \(map(select(.confirmation == "confirmed")) | length) confirmed, \(map(select(.harmful)) | length) harmful, \(map(select(.confirmation == "infeasible")) | length) infeasible, \(map(select(.confirmation == "unknown")) | length) unknown"' "$report")
    printf '  %-20s %s\n' "$program" "$counts"
    if [ -n "$expected" ]; then
        jq -e --arg text "$expected" 'any(.predictions[]; .confirmation == "confirmed" and (.message | contains($text)))' "$report" >/dev/null
    else
        jq -e '[.predictions[] | select(.harmful)] | length == 0' "$report" >/dev/null
    fi || { echo "      NOT AS EXPECTED (${expected:-nothing harmful})" && failed=$((failed + 1)); }
}

httpd_program httpd "$HEDDLE cc" -O1 -DAPR_POOL_DEBUG=1
predicted httpd ""

# The buffer that lines of the log are gathered in has no lock any more.
lines=2 seeded log_unlocked.c "$TREE/modules/loggers/mod_log_config.c" '/^static apr_status_t ap_buffered_log_writer(/,/^}/{s/APR_ANYLOCK_[A-Z]*(&buf->mutex)/APR_SUCCESS/}'
httpd_changed unlocked httpd log_unlocked.c modules/loggers/mod_log_config.c "$HEDDLE cc" -O1 -DAPR_POOL_DEBUG=1
predicted unlocked 'log_unlocked.c:17' --kinds race
finish
