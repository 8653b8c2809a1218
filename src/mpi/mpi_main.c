// heddle-mpi: `heddle check` and `heddle resume` with the ranks of an MPI job as fellows.
#include <inttypes.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "build/assembly/assembly_as.h"
#include "cli/commands.h"
#include "mpi/message.h"
#include "mpi/ranks.h"
#include "supervise/keeper.h"

static int run_check(const struct fellows *fellows, int argc, char **argv)
{
    struct keeper keeper = {.file.lock = -1};
    int status = check_with(&keeper, fellows, argc, argv);
    keeper_close(&keeper);
    return status;
}

static int run_command(const struct fellows *fellows, int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "check"))
        return run_check(fellows, argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "resume"))
        return resume_with(fellows, argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("heddle-mpi " HEDDLE_VERSION);
        return 0;
    }
    fputs("usage: mpirun -n RANKS heddle-mpi check|resume …\n"
          "as heddle check and heddle resume; rank 0 hands out units of the search, the others explore them\n",
          argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr);
    return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 2;
}

static void tell_traffic(const struct traffic *t, int ranks)
{
    uint64_t explorers = 0, units = 0;
    for (int i = 1; t->units && i < ranks; i++) {
        explorers += t->units[i] > 0;
        units += t->units[i];
    }
    fprintf(stderr, "heddle-mpi: %d ranks, %" PRIu64 " messages with %" PRIu64 " bytes, the largest %" PRIu64 "; ",
            ranks, t->messages, t->bytes, t->largest);
    if (units)
        fprintf(stderr, "%" PRIu64 " unit%s explored by %" PRIu64 " of them, %" PRIu64 " handed out again; ", units,
                units == 1 ? "" : "s", explorers, t->refused);
    fprintf(stderr, "%.1f s, in which rank 0 worked for %.2f s\n", t->seconds, t->worked);
}

// MPI_Finalize waits for all ranks. Where some are lost, everybody just ends.
static void leave(uint64_t lost, int status)
{
    if (lost) {
        fflush(NULL);
        _exit(status);
    }
    messages_drop();
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank, ranks, status = 0;
    uint64_t lost;
    struct traffic traffic = {0};
    const struct fellows fellows = {ranks_explore, ranks_search_states, &traffic};
    const char *slash = strrchr(argv[0], '/');
    if (slash && !strcmp(slash, "/as")) // the compiler's assembler (build/assembly/assembly_as.h)
        return assembly_as(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    messages_survive();
    if (rank) {
        lost = ranks_serve();
    } else {
        status = run_command(&fellows, argc, argv);
        ranks_dismiss(&traffic);
        lost = traffic.lost;
        if (traffic.seconds > 0)
            tell_traffic(&traffic, ranks);
    }
    leave(lost, status);
    return status;
}
