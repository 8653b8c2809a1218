// Messages are handed to a thread that writes them, so that nobody has to wait for the disk.
#ifndef LOGGER_H
#define LOGGER_H

// `write` is called for each message, by the logger's own thread.
void logger_start(void (*write)(const char *message));

// The message has to stay where it is.
void logger_put(const char *message);

// Returns when all messages that were put before it are written.
void logger_flush(void);

// Writes what is left, and ends the thread.
void logger_stop(void);

#endif
