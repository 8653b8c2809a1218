#!/usr/bin/env bash
# pbzip2: the whole command, compressing two blocks with two threads. See docs/real-programs.md.
. "$(dirname "$0")/../common.sh"
long || finish # an execution compresses for real, which takes a tenth of a second
source_of pbzip2

# compressor PROGRAM PBZIP2.CPP: by its own makefile, in a copy.
compressor() {
    rm -rf make
    mkdir make
    cp "$SOURCE"/*.{cpp,h} "$SOURCE/Makefile" make
    cp "$2" make/pbzip2.cpp
    make -C make pbzip2 CXX="$HEDDLE c++" CXXFLAGS="-O1 -g -pthread -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 \
        -DUSE_STACKSIZE_CUSTOMIZATION -D_POSIX_PTHREAD_SEMANTICS" >make.log 2>&1 || stop "pbzip2 cannot be built: $(tail -n 3 make.log)"
    mv make/pbzip2 "$1"
}

# Somewhat more than one block of 100 KB. What is written goes nowhere; the exit status says whether all went well.
mkdir -p input
head -c 105000 "$SOURCE/pbzip2.cpp" >input/text
work=(--exit-status --directory input -- -p2 -1 -b1 -k -c text)

compressor pbzip2 "$SOURCE/pbzip2.cpp"
check_whole "compresses two blocks" pbzip2 clean --time 60s "${work[@]}"

lines=2 seeded unlocked.cpp "$SOURCE/pbzip2.cpp" '/^outBuff \* outputBufferAdd(.*)$/,/^}/{/safe_mutex_/d}'
compressor unlocked unlocked.cpp
check_whole "compresses two blocks" unlocked "bug race" --time 60s "${work[@]}"
finish
