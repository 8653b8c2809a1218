#include "worker/tree_log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/raw.h"

enum { ROWS = 1 << 15 };

static struct {
    const char *path; // null: nothing is written
    bool (*next)(struct strategy *s, uint32_t *depth);
    uint32_t from; // the first event that the execution at hand executes
    uint32_t rows;
    struct tree_row row[ROWS];
} tree_log;

// The file is open only for this moment: descriptors of the program are to have the numbers that they have without it.
static void write_rows(void)
{
    long fd = raw_call(SYS_open, (long)(uintptr_t)tree_log.path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0)
        return;
    raw_call(SYS_write, fd, (long)(uintptr_t)tree_log.row, (long)(tree_log.rows * sizeof *tree_log.row));
    raw_call(SYS_close, fd, 0, 0);
    tree_log.rows = 0;
}

static bool next_logged(struct strategy *s, uint32_t *depth)
{
    struct tree_row *row = &tree_log.row[tree_log.rows++];
    uint32_t length = s->exec->count;
    bool more = tree_log.next(s, depth);
    *row = (struct tree_row){.owed = s->owed, .left = more ? s->left : 0, .length = length};
    row->fresh = length > tree_log.from ? length - tree_log.from : 0;
    tree_log.from = s->anew ? s->anew - 1 : *depth;
    if (tree_log.rows == ROWS)
        write_rows();
    return more;
}

void tree_log_begin(struct strategy *strategy)
{
    tree_log.path = getenv("HEDDLE_TREE");
    if (!tree_log.path)
        return;
    tree_log.next = strategy->next;
    tree_log.from = 0;
    strategy->next = next_logged;
}

void tree_log_end(void)
{
    if (tree_log.path && tree_log.rows)
        write_rows();
}
