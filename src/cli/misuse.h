// Saying no to wrong use: one line on standard error, whatever characters the user's words have.
#ifndef CLI_MISUSE_H
#define CLI_MISUSE_H

// "heddle check: …(heddle check --help)"; the format has one %s, for `what`. Returns the exit status, 2.
int misuse_of_check(const char *format, const char *what) __attribute__((format(printf, 1, 0)));

// The same for another command.
int misuse_of(const char *command, const char *format, const char *what) __attribute__((format(printf, 2, 0)));

// "heddle COMMAND: FILE: " and what is wrong with it, or, if `why` goes on with the sentence, "heddle COMMAND: FILE WHY".
// Both return 2.
int misuse_of_file(const char *command, const char *file, const char *why);
int misuse_file_is(const char *command, const char *file, const char *why);

// "heddle COMMAND: " and a whole sentence. Returns 2.
int misuse_in_words(const char *command, const char *sentence);

// There is no such command. Returns 2.
int misuse_of_command(const char *command);

#endif
