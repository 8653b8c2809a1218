# A server for a while: `httpd_folder FOLDER` makes what it serves, `serve COMMAND…` runs COMMAND with httpd's options behind it while
# clients ask, and ends it; its status is 1 if a client was not answered or the server did not end well. Variables: LOAD, the program
# load.c; REQUESTS of each of eight clients.
# shellcheck shell=bash
export PORT=${PORT:-$((20000 + $$ % 20000))} HTTPD_ROOT=
LOAD=${LOAD:-$OUT/load}
REQUESTS=${REQUESTS:-30}

httpd_folder() {
    HTTPD_ROOT=$1
    mkdir -p "$HTTPD_ROOT/pages" || exit 1
    printf 'one one.html\ntwo two.html\n' >"$HTTPD_ROOT/map.txt"
    echo '<p>one' >"$HTTPD_ROOT/pages/one.html"
    echo '<p>two' >"$HTTPD_ROOT/pages/two.html"
    echo '<!--#echo var="DATE_LOCAL" --> <!--#include virtual="/one.html" -->' >"$HTTPD_ROOT/pages/part.shtml"
    head -c 200000 /dev/zero | tr '\0' x >"$HTTPD_ROOT/pages/large.html"
}

serve() {
    local server answered
    rm -f "$HTTPD_ROOT/httpd.pid"
    "$@" -- -X -f "$REAL/httpd/httpd.conf" >"$HTTPD_ROOT/said" 2>&1 &
    server=$!
    "$LOAD" "$PORT" 8 "$REQUESTS"
    answered=$?
    kill "$(cat "$HTTPD_ROOT/httpd.pid")"
    wait $server && [ $answered = 0 ]
}
