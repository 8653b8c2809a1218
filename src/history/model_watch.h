// A model in C runs inside this process: what becomes of the command if the model crashes or does not come back.
#ifndef HISTORY_MODEL_WATCH_H
#define HISTORY_MODEL_WATCH_H

// From here on a model that crashes ends the command with one sentence and status 2, one that does not come back within
// `seconds` (0: any time) with status 3.
void model_watch(const char *path, double seconds);

#endif
