#include "supervise/outcome_copy.h"

#include "base/fail.h"

static struct report_bug *copy_bugs(struct shelf *shelf, const struct report_bug *bugs, size_t count)
{
    struct report_bug *copy = shelf_put(shelf, bugs, count, sizeof *bugs);
    for (size_t i = 0; i < count; i++) {
        struct report_bug *bug = &copy[i];
        bug->bug = shelf_put(shelf, bug->bug, 1, sizeof *bug->bug);
        bug->trace_path = shelf_text(shelf, bug->trace_path);
        bug->schedule_path = shelf_text(shelf, bug->schedule_path);
        bug->output = shelf_text(shelf, bug->output);
        bug->identity = shelf_text(shelf, bug->identity);
        bug->followers = copy_bugs(shelf, bug->followers, bug->follower_count);
    }
    return copy;
}

static const struct report_tolerated *copy_tolerated(struct shelf *shelf, const struct report_tolerated *list,
                                                     size_t count)
{
    struct report_tolerated *copy = shelf_put(shelf, list, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        copy[i].rule = shelf_text(shelf, copy[i].rule);
        copy[i].identity = shelf_text(shelf, copy[i].identity);
        copy[i].message = shelf_text(shelf, copy[i].message);
        copy[i].file = shelf_text(shelf, copy[i].file);
    }
    return copy;
}

static const char *const *copy_texts(struct shelf *shelf, const char *const *texts, size_t count)
{
    const char **copy = shelf_take(shelf, count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = shelf_text(shelf, texts[i]);
    return copy;
}

static const struct job *copy_job(struct shelf *shelf, const struct job *job)
{
    struct job *copy = shelf_take(shelf, 1, sizeof *copy);
    copy->task = job->task;
    copy->learnt = job->learnt;
    copy->answer = job->answer;
    copy->threads = job->threads;
    return copy;
}

const struct report_summary *outcome_copy(struct shelf *shelf, const struct report_summary *summary)
{
    struct report_summary *copy = shelf_put(shelf, summary, 1, sizeof *summary);
    require(summary->job);
    copy->program = shelf_text(shelf, summary->program);
    copy->test = shelf_text(shelf, summary->test);
    copy->verdict = shelf_text(shelf, summary->verdict);
    copy->job = copy_job(shelf, summary->job);
    copy->restart_reason = shelf_text(shelf, summary->restart_reason);
    copy->reason = shelf_text(shelf, summary->reason);
    copy->assumptions = copy_texts(shelf, summary->assumptions, summary->assumption_count);
    copy->phases = shelf_put(shelf, summary->phases, summary->phase_count, sizeof *summary->phases);
    copy->history = shelf_put(shelf, summary->history, summary->history_count, sizeof *summary->history);
    copy->bugs = copy_bugs(shelf, summary->bugs, summary->bug_count);
    copy->tolerated = copy_tolerated(shelf, summary->tolerated, summary->tolerated_count);
    copy->proposal.sentence = shelf_text(shelf, summary->proposal.sentence);
    copy->proposal.checked = shelf_text(shelf, summary->proposal.checked);
    copy->proposal.patch = shelf_text(shelf, summary->proposal.patch);
    copy->executable = shelf_text(shelf, summary->executable);
    copy->heddle = shelf_text(shelf, summary->heddle);
    return copy;
}
