// What the clients of a cluster called and got, judged as `heddle history` judges: is there an order in which the model
// would have given the same?
#ifndef CLUSTER_CLIENT_HISTORY_H
#define CLUSTER_CLIENT_HISTORY_H

// Null, or a sentence that says why the protocol's model cannot be used.
const char *client_history_open(void);
void client_history_close(void);

// Judges what the world's clients have seen; fails the world if it is not linearizable, or cannot have been called so.
void client_history_judge(void);

#endif
