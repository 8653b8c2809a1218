// A row of columns in the way of Cassandra, as cassandra_reads.c has it: of two versions of a column the later one counts,
// and that a column was deleted is a version of it.
//
// The client keeps its current value in front: update k puts a column before the others and deletes the one of update
// k - 1.
#ifndef CASSANDRA_ROW_H
#define CASSANDRA_ROW_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { UPDATES = 2, COLUMNS = UPDATES + 1 };

struct column {
    int time; // of the client; 0: there is none
    bool deleted;
};

struct row {
    struct column column[COLUMNS]; // in the order of their names
};

static bool wins(struct column a, struct column b)
{
    return a.time > b.time || (a.time == b.time && a.deleted && !b.deleted);
}

static void merge(struct row *into, const struct row *from)
{
    for (int i = 0; i < COLUMNS; i++)
        if (wins(from->column[i], into->column[i]))
            into->column[i] = from->column[i];
}

static bool is_live(struct column c)
{
    return c.time && !c.deleted;
}

static int count_live(const struct row *row)
{
    int count = 0;
    for (int i = 0; i < COLUMNS; i++)
        count += is_live(row->column[i]);
    return count;
}

// The columns up to the one with which there are `count` that live.
static struct row slice(const struct row *row, int count)
{
    struct row s = {0};
    for (int i = 0; i < COLUMNS && count > 0; i++) {
        s.column[i] = row->column[i];
        count -= is_live(row->column[i]);
    }
    return s;
}

static unsigned digest(const struct row *row)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < COLUMNS; i++)
        hash = (hash ^ ((unsigned)row->column[i].time * 2 + row->column[i].deleted)) * 16777619u;
    return hash;
}

static int newest(const struct row *row)
{
    int time = 0;
    for (int i = 0; i < COLUMNS; i++)
        time = row->column[i].time > time ? row->column[i].time : time;
    return time;
}

static struct row update(int number)
{
    struct row row = {0};
    row.column[COLUMNS - number] = (struct column){number, false};
    if (number > 1)
        row.column[COLUMNS - number + 1] = (struct column){number, true};
    return row;
}

static void show_row(const struct row *row, char *text, size_t room)
{
    size_t used = strlen(text);
    for (int i = 0; i < COLUMNS && used < room; i++)
        if (row->column[i].time)
            used += (size_t)snprintf(text + used, room - used, " %c%s@%d", 'a' + i,
                                     row->column[i].deleted ? " deleted" : "", row->column[i].time);
}

#endif
