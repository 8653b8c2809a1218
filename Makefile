# make          the command build/heddle and the runtime build/libheddle.so
# make demo     a first look          make check    all tests (installs what they need, as root)
# make pgo      the same with a runtime that is optimised by its runs on bench/training, which takes three times as long
# make install  [PREFIX=/usr/local] [DESTDIR=]

PREFIX  ?= /usr/local
BUILD   ?= build
ifeq ($(origin CC),default)
CC      := gcc
endif
CFLAGS  ?= -O2 -g
LDFLAGS ?=

SYSTEM := $(shell uname -s -m) $(if $(shell getconf GNU_LIBC_VERSION 2>/dev/null),glibc)
ifneq ($(SYSTEM),Linux x86_64 glibc)
$(error heddle runs on Linux with x86-64 and glibc only; this is '$(SYSTEM)')
endif

# A line for each file; V=1 shows the commands.
ifeq ($(V),)
Q   := @
say  = @echo '  $(1)';
endif

# Tests and measurements do not depend on what was built before, and leave nothing in the user's folders.
export HEDDLE_CACHE := off

FLAGS    := -std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -MMD -MP
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Werror
TEST_WARNINGS := -Wall -Wextra -Wshadow -Werror

RUNTIME_OPTIMISE ?= -O3
# The runtime lives inside the program under test, in front of the C library: it shows only what is marked public, and its
# own loops must not become calls of the memcpy and memset that it defines.
RUNTIME_FLAGS := -DHEDDLE_RUNTIME -fPIC -fvisibility=hidden -msse4.2 -mfsgsbase -mno-red-zone -fno-stack-protector -fcf-protection=none $(RUNTIME_OPTIMISE)
ifneq ($(findstring clang,$(CC)),)
RUNTIME_FLAGS += -fno-builtin -D__NO_INLINE__=1
else
RUNTIME_FLAGS += -fno-tree-loop-distribute-patterns
# One step of a search goes through a dozen files: compiled as a whole they are a tenth faster. In one part, because names
# are also defined in assembly (ALSO).
LTO := -flto -flto-partition=none
endif

# `make pgo`: first a runtime that counts (TRAINING=1), then one that is built by its counts, for as long as they lie in the build
# folder. Fibers make the counts of a function's branches disagree, and functions that never ran have none; what gcc warns of
# in copies of functions that it makes by them is not so in the functions. Functions that never ran are made small, and a peephole
# of gcc's then aligns the stack by pushing a register that holds nothing: that would tell equal states apart (base/paths.h).
PROFILE := $(abspath $(BUILD))/profile
ifneq ($(TRAINING),)
# The counters' own thread-local variables are found without a call of __tls_get_addr, which is one of heddle's functions.
BY_PROFILE := -DHEDDLE_TRAINING -ftls-model=initial-exec -fprofile-generate -fprofile-update=single '-fprofile-dir=$(PROFILE)'
else ifneq ($(wildcard $(BUILD)/training),)
ifeq ($(filter pgo clean,$(MAKECMDGOALS)),)
$(error 'make pgo' was interrupted, and the runtime in $(BUILD) only counts: run it again, or 'make clean')
endif
else ifneq ($(wildcard $(BUILD)/profile),)
BY_PROFILE := '-fprofile-use=$(PROFILE)' -fprofile-correction -Wno-missing-profile -Wno-coverage-mismatch -Wno-stringop-overflow -fno-peephole2
endif

# Layers, from the bottom. The lower ones are compiled twice: for the command and for the runtime.
SHARED_LAYERS  := base model explore check spread
COMMAND_LAYERS := $(SHARED_LAYERS) history consensus build build/assembly lin repair transactions report trace supervise target/nodes cluster predict requests inject cli
THREADS        := $(addprefix target/threads/,memory engine pthread descriptor libc outside library)
RUNTIME_LAYERS := $(SHARED_LAYERS) $(THREADS) worker
COMMAND_LIBS   := -ldw -lelf -lcjson -lzstd -ldl -lm
COMMAND_CALLS  := -Wl,--export-dynamic-symbol='heddle_*' -Wl,--export-dynamic-symbol='__wrap_*' -Wl,--export-dynamic-symbol='__asan_*_noabort' -Wl,--export-dynamic-symbol=__asan_handle_no_return # what protocols of `heddle cluster` call
RUNTIME_LIBS   := -ldl -lpthread

COMMAND_SOURCES := $(foreach layer,$(COMMAND_LAYERS),$(wildcard src/$(layer)/*.c))
# Parts that use malloc and exit, which inside the program under test are the program's.
COMMAND_ONLY    := $(addprefix src/base/,alloc.c buffer.c scratch.c strings.c table.c whole_file.c) $(addprefix src/spread/,saved_search.c save_file.c division.c state_agreement.c)
RUNTIME_SOURCES := $(filter-out $(COMMAND_ONLY),$(foreach layer,$(RUNTIME_LAYERS),$(wildcard src/$(layer)/*.c src/$(layer)/*.S)))
RECORDER_SOURCES := $(wildcard src/recorder/*.c)
INJECTOR_SOURCES := $(wildcard src/injector/*.c) src/model/injection.c
HOLDER_SOURCES  := $(wildcard src/holder/*.c)
UNIT_SOURCES    := $(wildcard tests/unit/test_*.c)
FUZZ_SOURCES    := $(wildcard tests/fuzz/fuzz_*.c)
SUPPORT_SOURCES := $(filter-out $(UNIT_SOURCES) $(FUZZ_SOURCES),$(wildcard tests/unit/*.c tests/fuzz/*.c))
MANUALS         := $(wildcard docs/*.1 docs/man/*.1)
C_FILES         := $(shell find src include tests/unit tests/fuzz -name '*.[ch]' 2>/dev/null)

COMMAND_OBJECTS := $(COMMAND_SOURCES:src/%.c=$(BUILD)/command/%.o)
RUNTIME_OBJECTS := $(patsubst src/%,$(BUILD)/runtime/%.o,$(RUNTIME_SOURCES:.c=))
RECORDER_OBJECTS := $(RECORDER_SOURCES:src/%.c=$(BUILD)/recorder/%.o)
INJECTOR_OBJECTS := $(INJECTOR_SOURCES:src/%.c=$(BUILD)/injector/%.o)
HOLDER_OBJECTS  := $(HOLDER_SOURCES:src/%.c=$(BUILD)/holder/%.o)
SUPPORT_OBJECTS := $(SUPPORT_SOURCES:tests/%.c=$(BUILD)/support/%.o)
UNITS           := $(UNIT_SOURCES:tests/%.c=$(BUILD)/tests/%)
FUZZERS         := $(FUZZ_SOURCES:tests/%.c=$(BUILD)/tests/%)

# Tests and campaigns are built with all processors, unless `make -j` says how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: all pgo dev units fuzzers setup demo check check-restart fuzz jobs ranks edges fuzz-inputs fuzz-kill real lin-library lin-patches bench asan lint structure format install uninstall clean
.DELETE_ON_ERROR:

# The command for clusters, where an MPI is installed: docs/cluster-runs.md.
MPICC ?= $(shell command -v mpicc 2>/dev/null)
MPI_OBJECTS := $(if $(MPICC),$(patsubst src/%.c,$(BUILD)/command/%.o,$(wildcard src/mpi/*.c)))

all: $(if $(MPICC),$(BUILD)/heddle-mpi)
all: $(BUILD)/heddle $(BUILD)/libheddle.so $(BUILD)/link/libheddle.so $(BUILD)/libheddle-record.so $(BUILD)/libheddle-openmp.a $(BUILD)/libheddle-frameworks.a $(BUILD)/libheddle-inject.so $(BUILD)/libheddle-hold.so
	@:

$(BUILD)/heddle: $(COMMAND_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(COMMAND_CALLS) -o $@ $^ $(COMMAND_LIBS)

$(BUILD)/command/mpi/%.o: src/mpi/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,MPICC $@)
	$(Q)$(MPICC) $(FLAGS) $(WARNINGS) $(CFLAGS) -c $< -o $@

$(BUILD)/heddle-mpi: $(filter-out %/cli/main.o,$(COMMAND_OBJECTS)) $(MPI_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(MPICC) $(CFLAGS) $(LDFLAGS) $(COMMAND_CALLS) -o $@ $^ $(COMMAND_LIBS)

$(BUILD)/libheddle.so: $(RUNTIME_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(BY_PROFILE) $(LDFLAGS) -shared -Wl,-soname,libheddle.so -Wl,-z,defs -o $@ $^ $(RUNTIME_LIBS)

# What `heddle record` puts in front of the runtime.
$(BUILD)/libheddle-record.so: $(RECORDER_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -shared -Wl,-soname,libheddle-record.so -Wl,-z,defs -o $@ $^ $(RUNTIME_LIBS)

# OpenMP, compiled as programs under test are. Reports leave out frames of the folder that it says it is from (report/places.c).
OPENMP_OBJECTS := $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/openmp/*.c))
$(BUILD)/openmp/%.o: src/openmp/%.c $(filter $(BUILD)/command/build/%,$(COMMAND_OBJECTS)) include/heddle/builtins.h | $(BUILD)/heddle
	@mkdir -p $(@D)
	$(call say,HEDDLE CC $@)
	$(Q)HEDDLE_CC='$(CC)' $(BUILD)/heddle cc -std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -MMD -MP $(WARNINGS) -O2 -g -fPIC --clear-dead --flows \
	    '-fdebug-prefix-map=$(CURDIR)=/heddle-openmp/built' -fdebug-prefix-map=src=/heddle-openmp/src -ftls-model=initial-exec -c $< -o $@

$(BUILD)/libheddle-openmp.a: $(OPENMP_OBJECTS)
	$(call say,AR $@)
	$(Q)rm -f $@
	$(Q)ar qcs $@ $^

# Adaptors of test frameworks, compiled in the same way.
FRAMEWORK_OBJECTS := $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/frameworks/*.c))
$(BUILD)/frameworks/%.o: src/frameworks/%.c src/frameworks/adaptor.h $(filter $(BUILD)/command/build/%,$(COMMAND_OBJECTS)) | $(BUILD)/heddle
	@mkdir -p $(@D)
	$(call say,HEDDLE CC $@)
	$(Q)HEDDLE_CC='$(CC)' $(BUILD)/heddle cc -std=gnu11 -D_GNU_SOURCE= -Isrc -Iinclude -MMD -MP $(WARNINGS) -Wno-conversion -O2 -g -fPIC --clear-dead --flows \
	    '-fdebug-prefix-map=$(CURDIR)=/heddle-frameworks/built' -fdebug-prefix-map=src=/heddle-frameworks/src -c $< -o $@

$(BUILD)/libheddle-frameworks.a: $(FRAMEWORK_OBJECTS)
	$(call say,AR $@)
	$(Q)rm -f $@
	$(Q)ar qcs $@ $^

# What `heddle inject` puts there.
$(BUILD)/libheddle-inject.so: $(INJECTOR_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -shared -Wl,-soname,libheddle-inject.so -Wl,-z,defs -o $@ $^ $(RUNTIME_LIBS)

# What `heddle predict --native` puts there.
$(BUILD)/libheddle-hold.so: $(HOLDER_OBJECTS)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -shared -Wl,-soname,libheddle-hold.so -Wl,-z,defs -o $@ $^ $(RUNTIME_LIBS)

# What programs are linked with, in the place of the runtime: the names of its functions and no more, but for those of C11's threads,
# C++ streams and operators. Projects bring their own, in static libraries; a library in front of those would take their place.
OWN_NAMES := ^(thrd|mtx|cnd|tss)_|^call_once$$|^_ZNSt8ios_base4Init|^_Zn[wa]m
$(BUILD)/link/libheddle.so: $(BUILD)/libheddle.so
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)nm -D --defined-only $< | awk '$$2 == "T" && $$3 !~ /$(OWN_NAMES)/ { print ".globl", $$3 "\n.type", $$3 ", @function\n" $$3 ":" }' | \
	    $(CC) -shared -nostdlib -Wl,-soname,libheddle.so -o $@ -x assembler -

# What tests link with: everything of the command but its main, and what they share. (ar q keeps files of one name.)
$(BUILD)/units.a: $(filter-out %/cli/main.o,$(COMMAND_OBJECTS)) $(SUPPORT_OBJECTS)
	$(call say,AR $@)
	$(Q)rm -f $@
	$(Q)ar qcs $@ $^

$(BUILD)/command/%.o: src/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) -c $< -o $@

$(BUILD)/runtime/%.o: src/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) $(RUNTIME_FLAGS) $(LTO) $(BY_PROFILE) -c $< -o $@

$(BUILD)/runtime/%.S.o: src/%.S | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,AS $@)
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $(RUNTIME_FLAGS) -c $< -o $@

$(BUILD)/recorder/%.o: src/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) $(RUNTIME_FLAGS) -fexceptions -ftls-model=initial-exec $(LTO) -c $< -o $@

$(BUILD)/injector/%.o: src/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) $(RUNTIME_FLAGS) -fno-builtin -fexceptions -ftls-model=initial-exec $(LTO) -c $< -o $@

$(BUILD)/holder/%.o: src/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) $(RUNTIME_FLAGS) -fno-builtin -fexceptions -ftls-model=initial-exec $(LTO) -c $< -o $@

$(BUILD)/tests/%: tests/%.c $(BUILD)/units.a
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(FLAGS) -Itests $(TEST_WARNINGS) $(CFLAGS) $(LDFLAGS) -MF $@.d $< $(PARTS) -o $@ $(BUILD)/units.a $(COMMAND_LIBS) -lcmocka

# A part of the runtime on its own, with the test in place of the engine.
$(BUILD)/tests/unit/test_libc_string: $(BUILD)/runtime/target/threads/libc/libc_string.o
$(BUILD)/tests/unit/test_libc_string: PARTS = $(BUILD)/runtime/target/threads/libc/libc_string.o

# Protocols call what a test has in it as they call the command.
$(BUILD)/tests/fuzz/fuzz_cluster $(BUILD)/tests/fuzz/fuzz_node_states $(BUILD)/tests/fuzz/fuzz_cases: PARTS = $(COMMAND_CALLS)

$(BUILD)/bench/%: bench/%.c $(BUILD)/units.a
	@mkdir -p $(@D)
	$(call say,LINK $@)
	$(Q)$(CC) $(FLAGS) $(WARNINGS) $(CFLAGS) $(LDFLAGS) -MF $@.d $< -o $@ $(BUILD)/units.a $(COMMAND_LIBS)

$(BUILD)/support/%.o: tests/%.c | $(BUILD)/headers
	@mkdir -p $(@D)
	$(call say,CC $@)
	$(Q)$(CC) $(FLAGS) -Itests $(TEST_WARNINGS) $(CFLAGS) -c $< -o $@

# Says in one sentence what a page of compiler errors would not.
$(BUILD)/headers:
	@mkdir -p $(@D)
	@{ echo '#include <stdio.h>'; grep -rhoE '^#include <(elfutils/.*|gelf.h|libelf.h|cjson/.*|xxhash.h|zstd.h)>' src; } | \
	    $(CC) -E -x c -o /dev/null - 2>$@.missing || { grep 'No such file' $@.missing; \
	    echo "heddle: a compiler ($(CC)) or a library's header is missing; run scripts/setup.sh build."; exit 1; } >&2
	@mv $@.missing $@

# For packages: the training is always the same, and its programs are no benchmarks.
pgo:
	@$(if $(LTO),,echo 'make pgo needs gcc: it is gcc that reads what gcc counted' >&2; exit 2)
	@mkdir -p $(BUILD) && : > $(BUILD)/training
	@rm -rf $(BUILD)/profile $(BUILD)/runtime $(BUILD)/libheddle.so
	@$(MAKE) --no-print-directory TRAINING=1 all
	bench/training/run.sh $(BUILD)
	@rm -rf $(BUILD)/runtime $(BUILD)/libheddle.so $(BUILD)/training
	@$(MAKE) --no-print-directory all

# For those who work on heddle: build-dev/heddle, compiled file by file. `BUILD=$PWD/build-dev tests/run.sh NAME` tests it.
dev:
	@$(MAKE) --no-print-directory BUILD=build-dev LTO= RUNTIME_OPTIMISE='-O1 -foptimize-sibling-calls' CFLAGS='-O1 -g -Wno-maybe-uninitialized -Wno-format-truncation' all

units: $(UNITS)
	@:

fuzzers: $(FUZZERS)
	@:

setup:
	@scripts/setup.sh build test

demo:
	@scripts/setup.sh build
	@$(MAKE) --no-print-directory all
	@scripts/demo.sh

check: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all units fuzzers
	@BUILD='$(abspath $(BUILD))' tests/run.sh

# FIRST=N: other random programs. The model first (2,000 programs in each of eleven languages), then the real engine.
FIRST ?= 1
# Every way to start executions again, on all examples and test programs.
check-restart: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all
	@tests/restart_modes.sh

fuzz: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all fuzzers
	$(BUILD)/tests/fuzz/fuzz_model 2000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_estimate 200 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_real 3000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_switched 1000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_prune 3000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_said 1000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_history 200000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_transactions 200000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_qtree 100000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_predict 10000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_requests 100000 $(FIRST)
	$(BUILD)/tests/fuzz/fuzz_comparable 20000 $(FIRST)
	BUILD='$(abspath $(BUILD))' tests/fuzz/planted.sh 100 $(FIRST)
	BUILD='$(abspath $(BUILD))' tests/fuzz/tails.sh 500 $(FIRST)
	tests/fuzz/cluster.sh $(BUILD) 2000 $(FIRST)
	tests/fuzz/node_states.sh $(BUILD) 2000 $(FIRST)
	tests/fuzz/unread.sh $(BUILD) 300 $(FIRST)
	tests/fuzz/cases.sh $(BUILD) 5000 $(FIRST)

# Searches by 2, 3 and 8 workers against those of one: 2,000 random programs from FIRST on, and the programs of bench/.
jobs: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all
	tests/fuzz/jobs.sh $(BUILD) 2000 $(FIRST)
	tests/fuzz/jobs_states.sh $(BUILD) 400 $(FIRST)

# The same with 1, 2 and 5 ranks of heddle-mpi.
ranks: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all
	tests/fuzz/ranks.sh $(BUILD) 2000 $(FIRST)

# COUNT=N programs of each kind at the edges of what is followed (tests/edges), from FIRST on.
COUNT ?= 10000
edges: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all
	tests/edges/run.sh -n $(COUNT) -f $(FIRST)

# ROUNDS=N searches that are killed at random moments and go on, from seed FIRST on.
ROUNDS ?= 30
fuzz-kill: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all
	@work=$$(mktemp -d) && cd "$$work" && HEDDLE='$(abspath $(BUILD))/heddle' '$(CURDIR)/tests/kill_campaign.sh' $(ROUNDS) $(FIRST); \
	    status=$$?; rm -rf "$$work"; exit $$status

# FIRST=N: other inputs. The command with the compiler's own checks; the runtime lives in other programs, and has none.
fuzz-inputs: setup
	@$(MAKE) $(PARALLEL) --no-print-directory all fuzzers
	@$(MAKE) $(PARALLEL) --no-print-directory BUILD=build-asan build-asan/heddle CFLAGS='$(ASAN_FLAGS)'
	ROOT='$(CURDIR)' HEDDLE='$(CURDIR)/build-asan/heddle' HEDDLE_RUNTIME_DIR='$(abspath $(BUILD))' ASAN_OPTIONS=detect_leaks=0 \
	    $(BUILD)/tests/fuzz/fuzz_inputs 1000 $(FIRST)

# ONLY="NAME…": only these. Programs that others wrote, whose sources are fetched: docs/real-programs.md.
real:
	@scripts/setup.sh build test real
	@$(MAKE) --no-print-directory all
	@BUILD='$(abspath $(BUILD))' examples/real/run.sh $(ONLY)

# Objects of examples/lin, and all their clients of 3 threads with 2 calls each. ONLY="NAME…": only these.
lin-library: all
	@bench/lin.sh $(ONLY)

# The patches that heddle lin suggests for the bugs of examples/lin, applied and explored. ONLY="NAME[:BUG]…": only these.
lin-patches: all
	@BUILD='$(abspath $(BUILD))' tests/lin_patches.sh $(ONLY)

bench: all $(BUILD)/bench/history_small $(BUILD)/bench/spread_simulation $(BUILD)/bench/ddpor_simulation
	@bench/run.sh
	@bench/restart.sh
	@bench/undo_check.sh
	@bench/history.sh
	@bench/root_cause.sh
	@bench/cluster.sh
	@bench/consensus.sh
	@bench/seed.sh
	@bench/prune.sh
	@bench/hard.sh
	@bench/rf.sh
	@bench/openmp.sh
	@bench/states.sh
	@bench/symmetry.sh
	@bench/memory.sh
	@bench/kinds.sh
	@bench/memory_errors.sh
	@bench/record.sh
	@bench/spread.sh
	@bench/picks.sh
	@bench/command.sh
	@bench/large.sh
	@bench/event_cost.sh

ASAN_FLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# The tests of everything that does not have to live inside another program, with the compiler's own checks.
asan: setup
	@$(MAKE) $(PARALLEL) --no-print-directory BUILD=build-asan units CFLAGS='$(ASAN_FLAGS)'
	@BUILD='$(CURDIR)/build-asan' UNIT_ONLY=1 tests/run.sh

lint:
	@scripts/setup.sh build lint
	scripts/layers.sh
	scripts/names.sh
	@clang-format --dry-run -Werror $(C_FILES)
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --suppressions-list=scripts/cppcheck.txt --error-exitcode=1 -Isrc -Iinclude src
	clang-tidy --quiet $(sort $(filter %.c,$(COMMAND_SOURCES) $(RUNTIME_SOURCES) $(RECORDER_SOURCES) $(INJECTOR_SOURCES) $(HOLDER_SOURCES))) -- $(filter-out -M%,$(FLAGS)) -msse4.2 -mfsgsbase

# Which folder includes which, as build/structure.svg if Graphviz is there.
structure:
	@mkdir -p $(BUILD)
	scripts/layers.sh --dot >$(BUILD)/structure.dot
	@if type dot >/dev/null 2>&1; then dot -Tsvg -o $(BUILD)/structure.svg $(BUILD)/structure.dot && echo $(BUILD)/structure.svg; else echo $(BUILD)/structure.dot; fi

format:
	@scripts/setup.sh lint
	clang-format -i $(C_FILES)

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle $(DESTDIR)$(PREFIX)/include/heddle/cxx
	install -m 755 $(BUILD)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	$(if $(MPICC),install -m 755 $(BUILD)/heddle-mpi $(DESTDIR)$(PREFIX)/bin/heddle-mpi)
	install -m 755 $(BUILD)/libheddle.so $(DESTDIR)$(PREFIX)/lib/heddle/libheddle.so
	install -m 755 $(BUILD)/libheddle-record.so $(DESTDIR)$(PREFIX)/lib/heddle/libheddle-record.so
	install -m 644 $(BUILD)/libheddle-openmp.a $(DESTDIR)$(PREFIX)/lib/heddle/libheddle-openmp.a
	install -m 644 $(BUILD)/libheddle-frameworks.a $(DESTDIR)$(PREFIX)/lib/heddle/libheddle-frameworks.a
	install -m 755 $(BUILD)/libheddle-inject.so $(DESTDIR)$(PREFIX)/lib/heddle/libheddle-inject.so
	install -m 755 $(BUILD)/libheddle-hold.so $(DESTDIR)$(PREFIX)/lib/heddle/libheddle-hold.so
	install -m 755 -D $(BUILD)/link/libheddle.so $(DESTDIR)$(PREFIX)/lib/heddle/link/libheddle.so
	install -m 644 $(wildcard include/heddle/*.h) $(DESTDIR)$(PREFIX)/include/heddle
	install -m 644 include/heddle/cxx/execution $(DESTDIR)$(PREFIX)/include/heddle/cxx
ifneq ($(MANUALS),)
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(MANUALS) $(DESTDIR)$(PREFIX)/share/man/man1
endif

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/heddle $(DESTDIR)$(PREFIX)/bin/heddle-mpi $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(MANUALS)))
	rm -rf $(DESTDIR)$(PREFIX)/lib/heddle $(DESTDIR)$(PREFIX)/include/heddle

clean:
	rm -rf $(BUILD) build-asan build-dev

-include $(COMMAND_OBJECTS:.o=.d) $(MPI_OBJECTS:.o=.d) $(RUNTIME_OBJECTS:.o=.d) $(RECORDER_OBJECTS:.o=.d) $(INJECTOR_OBJECTS:.o=.d) $(HOLDER_OBJECTS:.o=.d) $(OPENMP_OBJECTS:.o=.d) $(SUPPORT_OBJECTS:.o=.d) $(UNITS:=.d) $(FUZZERS:=.d)
