// Directives that would mend a data race in an OpenMP program without changing what it computes, found in its source.
//
// - A variable that a region only ever changes by one commutative operator, and never reads otherwise: `reduction`.
// - A variable that is written before it is read wherever the region uses it, and whose value nobody wants afterwards: `private`.
// - A place that one statement updates, by one commutative operator: `atomic`, or `critical` where there is no such atomic update.
//
// These are readings of the text, which know nothing of other threads and of types. Whoever uses them builds the program with
// the directive and explores it (supervise/proposal.h). The readings have to be sure of what exploring cannot see: that the
// program without the race computes what it was meant to. Where the text leaves doubt, nothing is found.
#ifndef REPAIR_OMP_DIRECTIVES_H
#define REPAIR_OMP_DIRECTIVES_H

#include "repair/omp_source.h"

enum omp_directive_kind { OMP_REDUCTION, OMP_PRIVATE, OMP_ATOMIC, OMP_CRITICAL, OMP_DIRECTIVES };

enum { OMP_NAME = 64, OMP_DIRECTIVE_TEXT = OMP_NAME + 32 };

struct omp_directive {
    enum omp_directive_kind kind;
    uint32_t line;                 // of the directive that gets a clause, or of the statement that gets a directive
    char text[OMP_DIRECTIVE_TEXT]; // "reduction(+ : sum)", "#pragma omp atomic"
    char begins[OMP_NAME];         // with which the statement's line begins
};

struct omp_race {
    char variable[OMP_NAME]; // its name, or that of the array or struct it is in; empty if it has none
    bool whole;              // it is the variable, not a part of one
    bool local;              // it belongs to a function
    uint32_t line[2];        // of the two accesses; 0: not in this source
    bool writes[2];
};

// The directive of this kind; false if there is none. `alone`: no other source belongs to the program.
bool omp_directive_find(const struct c_tokens *s, const struct omp_race *race, enum omp_directive_kind kind, bool alone,
                        struct omp_directive *found);

// Whether it is a clause of a directive that is there.
bool omp_is_clause(enum omp_directive_kind kind);

#endif
