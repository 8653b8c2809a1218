# httpd for others to use: `httpd_program FILE COMPILER FLAG…` builds Apache's server with the worker MPM and a few modules in it,
# from Debian's sources of apache2, apr and apr-util. `httpd_changed FILE FROM COPY SOURCE COMPILER FLAG…` builds it from the
# objects of FROM, with COPY for one of the sources.
# Needs common.sh.
# shellcheck shell=bash
HTTPD_MODULES="unixd authz_core log_config mime dir alias status autoindex include headers env setenvif rewrite"

# One source with all three in it, configured; the packages' own scripts say what the machine can do and which modules there are.
httpd_source() {
    TREE=$OUT/source
    local package
    for package in apache2 apr apr-util; do
        source_of $package
    done
    [ -f "$TREE/configured" ] && return
    rm -rf "$TREE"
    cp -r "$BUILD/real/apache2" "$TREE" && cp -r "$BUILD/real/apr" "$BUILD/real/apr-util" "$TREE/srclib" || stop "no folder for the source"
    (cd "$TREE" && ./configure CPPFLAGS="-I$TREE/srclib/apr/include -I$TREE/srclib/apr-util/include" --with-included-apr --with-mpm=worker \
        --enable-modules=none --enable-mods-static="$HTTPD_MODULES" --disable-shared --enable-static --disable-ssl --disable-so &&
        make -C srclib/apr include/private/apr_escape_test_char.h &&
        gcc -DCROSS_COMPILE -Isrclib/apr/include server/gen_test_char.c -o gen_test_char && ./gen_test_char >server/test_char.h) >configure.log 2>&1 ||
        stop "httpd cannot be configured: $(tail -n 3 configure.log)"
    touch "$TREE/configured"
}

# The sources of the server, and of what it uses of the two libraries.
httpd_files() {
    local part
    (cd "$TREE" && ls modules.c os/unix/unixd.c server/*.c server/mpm/worker/*.c modules/http/{byte,chunk,http_}*.c |
        grep -v 'gen_test_char\|exports.c\|buildmark.c' && ls server/buildmark.c)
    for part in $HTTPD_MODULES; do
        (cd "$TREE" && find modules -name "mod_$part.c")
    done
    (cd "$TREE" && ls srclib/apr/{encoding,passwd,strings,tables,*/unix}/*.c \
        srclib/apr-util/{buckets,encoding,hooks,strmatch,uri,xlate,xml}/*.c srclib/apr-util/misc/apr_{date,queue,reslist}.c \
        srclib/apr-util/misc/apu_{dso,version}.c srclib/apr-util/{dbd/apr_dbd,dbm/apr_dbm,dbm/apr_dbm_sdbm}.c srclib/apr-util/dbm/sdbm/*.c srclib/apr-util/crypto/apr_{md5,sha1,siphash}.c 2>/dev/null)
}

httpd_flags() {
    local each
    flags=(-g -w -pthread -DLINUX -D_REENTRANT -D_GNU_SOURCE -DHAVE_CONFIG_H "-DBUILD_DATETIME=\"\"" "$@")
    for each in include os/unix server modules/{core,http,generators,mappers,filters,proxy,database} srclib/{apr,apr-util}/include{,/private,/arch/unix}; do
        flags+=("-I$TREE/$each")
    done
}

# httpd_link FILE COMPILER OBJECTS: what nobody needs of the libraries is left out.
httpd_link() {
    (cd "$3" && rm -f all.a && ar rc all.a ./*.o) &&
        $2 "${flags[@]}" "$3/server_main.c.o" "$3/modules.c.o" "$3/all.a" -o "$1" -lpcre2-8 -lexpat -luuid -lcrypt -Wl,--defsym=ap_ugly_hack=0 \
            >>"$1.log" 2>&1 || stop "$1 cannot be linked: $(grep -m1 'undefined\|error' "$1.log")"
}

httpd_program() {
    local file=$1 compiler=$2 objects=$1.objects flags
    shift 2
    current "$file" && return
    rm -rf "$objects" && mkdir "$objects" || stop "no folder for objects"
    httpd_flags "$@"
    httpd_files | (cd "$objects" && xargs -P 2 -I {} sh -c 'source=$1; shift; "$@" -c "$0/$source" -o "$(echo "$source" | tr / _).o"' \
        "$TREE" {} $compiler "${flags[@]}") >"$file.log" 2>&1 || stop "$file cannot be built: $(grep -m1 error "$file.log" || tail -n 3 "$file.log")"
    httpd_link "$file" "$compiler" "$objects"
}

httpd_changed() {
    local file=$1 from=$2 copy=$3 source=$4 compiler=$5 flags
    shift 5
    rm -rf changed.objects
    cp -r "$from.objects" changed.objects || stop "no objects of $from"
    httpd_flags "$@" "-I$(dirname "$TREE/$source")"
    $compiler "${flags[@]}" -c "$copy" -o "changed.objects/$(echo "$source" | tr / _).o" >"$file.log" 2>&1 || stop "$copy cannot be compiled: $(grep -m1 error "$file.log")"
    httpd_link "$file" "$compiler" changed.objects
}
