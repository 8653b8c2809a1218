// heddle-mpi: `heddle check` and `heddle resume` with the ranks of an MPI job as fellows.
#include <inttypes.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "build/assembly/assembly_as.h"
#include "cli/commands.h"
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

int main(int argc, char **argv)
{
    int rank, ranks, status = 0;
    struct traffic traffic = {0};
    const struct fellows fellows = {ranks_explore, &traffic};
    const char *slash = strrchr(argv[0], '/');
    if (slash && !strcmp(slash, "/as")) // the compiler's assembler (build/assembly/assembly_as.h)
        return assembly_as(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank) {
        ranks_serve();
    } else {
        status = run_command(&fellows, argc, argv);
        ranks_dismiss(&traffic);
        if (traffic.bytes)
            fprintf(stderr,
                    "heddle-mpi: %d ranks, %" PRIu64 " messages with %" PRIu64 " bytes, the largest %" PRIu64
                    "; %" PRIu64 " units were handed out again\n",
                    ranks, traffic.messages, traffic.bytes, traffic.largest, traffic.refused);
    }
    MPI_Finalize();
    return status;
}
