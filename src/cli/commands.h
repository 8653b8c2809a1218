// The commands of heddle, one file each. Every one gets its own name as argv[0] and returns the exit status.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int cli_check(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_resume(int argc, char **argv);
int cli_status(int argc, char **argv);
int cli_lin(int argc, char **argv);
int cli_history(int argc, char **argv);
int cli_cluster(int argc, char **argv);
int cli_qtree(int argc, char **argv);
int cli_predict(int argc, char **argv);

// A schedule of a cluster, for `heddle replay`.
int cli_cluster_replay(const char *path);

int cli_record(int argc, char **argv);
int cli_trace(int argc, char **argv);
int cli_inject(int argc, char **argv);
int cli_diff(int argc, char **argv);

int cli_cc(int argc, char **argv);
int cli_cxx(int argc, char **argv);

// `heddle check` with these words, for a search that is kept by this keeper if they say so, or goes on where it was; with fellows who
// help, or null. And `heddle resume` with them.
struct keeper;
struct fellows;
int check_with(struct keeper *keeper, const struct fellows *fellows, int argc, char **argv);
int resume_with(const struct fellows *fellows, int argc, char **argv);

#endif
