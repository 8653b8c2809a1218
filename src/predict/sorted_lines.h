// What a program printed, so that runs can be compared whose threads print in another order.
#ifndef PREDICT_SORTED_LINES_H
#define PREDICT_SORTED_LINES_H

// The lines of a file, sorted, as one line; to be freed. An empty text if it cannot be read.
char *sorted_lines(int fd);

#endif
