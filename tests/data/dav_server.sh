# A WebDAV server of Apache's (mod_dav) on loopback, for tests: `dav_start DIRECTORY` sets dav_url, `dav_stop` ends it.
# Status 1: there is no Apache.
DAV_SERVER=${DAV_SERVER:-/usr/sbin/apache2}
DAV_MODULES=${DAV_MODULES:-/usr/lib/apache2/modules}

dav_configure() {
    cat <<END
ServerRoot $1
Listen 127.0.0.1:$2
ServerName localhost
PidFile $1/pid
ErrorLog $1/error.log
LoadModule mpm_worker_module $DAV_MODULES/mod_mpm_worker.so
LoadModule authz_core_module $DAV_MODULES/mod_authz_core.so
LoadModule dav_module $DAV_MODULES/mod_dav.so
LoadModule dav_fs_module $DAV_MODULES/mod_dav_fs.so
DocumentRoot $1/files
DavLockDB $1/locks/db
FileETag Digest
StartServers 1
ThreadsPerChild 4
MaxRequestWorkers 4
MinSpareThreads 1
MaxSpareThreads 4
<Directory $1/files>
Dav On
Require all granted
</Directory>
END
    [ "$(id -u)" -ne 0 ] || printf 'User nobody\nGroup nogroup\n'
}

dav_start() {
    local dir=$1 port
    [ -x "$DAV_SERVER" ] && [ -e "$DAV_MODULES/mod_dav_fs.so" ] || return 1
    mkdir -p "$dir/files" "$dir/locks"
    chmod a+rwx "$dir" "$dir/files" "$dir/locks"
    for _ in {1..10}; do
        port=$((20000 + RANDOM % 10000))
        dav_configure "$dir" $port >"$dir/server.conf"
        "$DAV_SERVER" -f "$dir/server.conf" -D FOREGROUND >"$dir/said" 2>&1 &
        dav_pid=$!
        dav_url=http://127.0.0.1:$port
        for _ in {1..50}; do
            curl -s -o /dev/null "$dav_url/" && return 0
            kill -0 $dav_pid 2>/dev/null || break
            sleep 0.1
        done
        kill $dav_pid 2>/dev/null
        wait $dav_pid 2>/dev/null
    done
    return 1
}

dav_stop() {
    kill "$dav_pid" 2>/dev/null
    wait "$dav_pid" 2>/dev/null
}
