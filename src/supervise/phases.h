// One search, or several after one another: what a check runs before it reports.
//
// With a bound T on the time and no strategy named, `optimal` comes first: it alone can verify a program of any size.
// At every tick the worker asks of the estimate whether the search will end in T (outlook_is_hopeless in worker/outlook.h).
// The estimate by itself says little: after a second it may be at 20 % and stay there. What counts is how much it grew
// over at least the last third of the time. Up to a quarter of T the search is given up only if ten times T would not
// be enough, since growth is uneven at first, and before a tenth of T only if fifty times would not be. So `optimal` costs
// at most about a quarter of the time where it is of no use, and keeps all of it where it may come to its end.
//
// Of what is left a seventh goes to `sample`. What it can find it mostly finds in its first thousands of executions,
// within a second or two. Then `dlspor` searches states, which may be few where executions are many: if they hardly repeat
// after a tenth of T it is given up, and otherwise has most of the time, since nothing else can verify the program; three tenths
// of T stay for the others, where there is so much. Half of the rest is for `bounded`: completed bounds are the best that can be
// said of a program that is too large. Each bound takes about as many times longer than the one before as an execution has
// events, so half of the time or all of it rarely makes a difference of one bound. The last part is `sample` again with another seed, since what it can say grows with every execution.
//
// The same phases follow if `optimal` ended but some executions were cut at the step bound. Nothing is known of what
// the threads would have done beyond it, so nothing is owed for it, and an endless first execution may be all that
// `optimal` sees.
//
// Where three or more threads of main run one function, `optimal` stops after its first executions, and `dlspor` is tried for a
// moment: states of threads that are alike are few even where their executions are far too many to be counted, and what is
// small is done by `optimal` before. With less than five seconds there is no time for that. If `dlspor` does not come to its end
// in as many executions, `optimal` begins again and gets twenty times as many, and then `dlspor` half a second, so that neither
// waits long for the other to fail. After that `optimal` begins again as above.
//
// Each phase is a job in a process of its own. What was learnt of the program and the bugs found so far go from one to
// the next. Tolerated bugs end nothing.
//
// Without any bound, executions and states take turns until one of the two comes to its end, with samples in between
// (worker/scout.h). `optimal` is left if by its estimate it takes more than a second of processor time, or no estimate can be made, or
// executions are cut; what is small is done before that. `dlspor` may then take as long as `optimal` would take at most, if states repeat
// often, and a tenth of that if they hardly do (worker/halt.c). After it `optimal` begins anew, and is left again only if it takes four
// times as long as was thought. So a program costs little more than by the better one of the two: for programs where both
// end one is mostly many times faster, and how often states repeat tells early which. Samples come last if executions were cut.
#ifndef SUPERVISE_PHASES_H
#define SUPERVISE_PHASES_H

#include "report/report.h"
#include "supervise/run.h"

enum { MOST_PHASES = 32 };

struct phases {
    struct report_phase phase[MOST_PHASES];
    size_t count;
    size_t first;     // what the report counts and lists begins here
    bool looked_long; // task.scouts_long was set for one of them
    uint32_t dropped; // failures of all of them for which there was no room
};

// Runs the job and, if its strategy is "portfolio", what follows from it. Its answer is then that of the last phase, with
// the counts, the time and the bugs of all. Returns what run_job does.
int phases_run(const struct subject *subject, struct job *job, struct phases *phases);

#endif
