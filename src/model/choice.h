// What an outcome that the search chooses is about (OP_CHOOSE).
#ifndef MODEL_CHOICE_H
#define MODEL_CHOICE_H

enum choice {
    CHOICE_OF_PROGRAM, // heddle_choose
    CHOICE_TIMEOUT,    // of the others 1 is yes: the time of a wait runs out
    CHOICE_CANCELLED,  // a wait is cancelled
    CHOICE_SPURIOUS,   // a wait ends without a signal
    CHOICE_REUSE,      // malloc gives freed memory out again
    CHOICES
};

#endif
