#define _GNU_SOURCE
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

enum { PATH = 4096, DEPTH = 64, ENTRIES = 1 << 16, TABLE = ENTRIES * 2, NAMES = 1 << 24, LISTING = 8192 };

struct tree_entry {
    uint32_t path; // offset in `names`
    uint32_t mode;
    uint64_t inode, size;
    struct timespec modified, changed;
};

// What is done with each thing found; `path` is relative to where the walk began. Null to go on, or why not.
struct visitor {
    const char *(*visit)(struct visitor *v, const char *path, const struct stat *st);
    const char *(*leave)(struct visitor *v, const char *path); // a folder, after all that is in it; may be null
    int from, to;
    struct stat except; // a folder that is left out, if it has an inode
    uint64_t left;      // bytes that may be copied
    struct tree *tree;
};

struct listed { // as the kernel gives them
    uint64_t inode, next;
    uint16_t length;
    uint8_t type;
    char name[];
};

static const char *trouble(const char *what, const char *path)
{
    static char text[512];
    snprintf(text, sizeof text, "%s %.300s: %s", what, path, strerror(errno));
    return text;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static const char *walk(struct visitor *v, int root, char *path, size_t length, int depth);

static const char *walk_one(struct visitor *v, int root, char *path, size_t length, const char *name, int depth)
{
    struct stat st;
    size_t more = strlen(name);
    if (length + more + 2 > PATH || depth == DEPTH)
        return "a path in the working directory is too long";
    if (length)
        path[length++] = '/';
    memcpy(path + length, name, more + 1);
    if (fstatat(root, path, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? NULL : trouble("cannot look at", path);
    if (st.st_ino == v->except.st_ino && st.st_dev == v->except.st_dev)
        return NULL;
    const char *why = v->visit(v, path, &st);
    if (!why && S_ISDIR(st.st_mode))
        why = walk(v, root, path, length + more, depth + 1);
    if (!why && S_ISDIR(st.st_mode) && v->leave)
        why = v->leave(v, path);
    return why;
}

static const char *walk(struct visitor *v, int root, char *path, size_t length, int depth)
{
    const char *why = NULL;
    _Alignas(8) char list[LISTING];
    int fd = openat(root, length ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT ? NULL : trouble("cannot list", length ? path : ".");
    for (long n; !why && (n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0;) {
        for (long at = 0; !why && at < n;) {
            const struct listed *found = (const struct listed *)(list + at);
            at += found->length;
            if (!is_dots(found->name))
                why = walk_one(v, root, path, length, found->name, depth);
            path[length] = 0;
        }
    }
    close(fd);
    return why;
}

static const char *walk_all(struct visitor *v, int root)
{
    char path[PATH] = "";
    return walk(v, root, path, 0, 0);
}

static bool move_bytes(int in, int out)
{
    char bytes[LISTING];
    ssize_t n;
    if (!ioctl(out, FICLONE, in))
        return true;
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0, m; done < n; done += m)
            if ((m = write(out, bytes + done, (size_t)(n - done))) < 0)
                return false;
    return n == 0;
}

static bool copy_file(int from, int to, const char *path, const struct stat *st)
{
    struct timespec times[] = {st->st_atim, st->st_mtim};
    int in = openat(from, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int out = in < 0 ? -1 : openat(to, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = out >= 0 && move_bytes(in, out) && !fchmod(out, st->st_mode & 07777) && !futimens(out, times);
    int error = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    errno = error;
    return good;
}

static bool copy_link(int from, int to, const char *path)
{
    char target[PATH];
    ssize_t n = readlinkat(from, path, target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = 0;
    return !symlinkat(target, to, path);
}

static bool copy_one(int from, int to, const char *path, const struct stat *st)
{
    if (S_ISREG(st->st_mode))
        return copy_file(from, to, path, st);
    if (S_ISLNK(st->st_mode))
        return copy_link(from, to, path);
    if (S_ISDIR(st->st_mode))
        return !mkdirat(to, path, 0700);
    return !S_ISFIFO(st->st_mode) || !mkfifoat(to, path, st->st_mode & 07777);
}

// The mode of a folder comes last: it may forbid what is still to be made in it.
static const char *finish_folder(struct visitor *v, const char *path)
{
    struct stat st;
    if (fstatat(v->from, path, &st, AT_SYMLINK_NOFOLLOW) || fchmodat(v->to, path, st.st_mode & 07777, 0))
        return trouble("cannot copy", path);
    struct timespec times[] = {st.st_atim, st.st_mtim};
    return utimensat(v->to, path, times, AT_SYMLINK_NOFOLLOW) ? trouble("cannot copy", path) : NULL;
}

static const char *copy_visit(struct visitor *v, const char *path, const struct stat *st)
{
    uint64_t size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
    if (size > v->left)
        return "it holds too much to be copied";
    v->left -= size;
    return copy_one(v->from, v->to, path, st) ? NULL : trouble("cannot copy", path);
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static const char *open_both(const char *from, const char *to, struct visitor *v)
{
    v->from = open_folder(from);
    v->to = open_folder(to);
    if (v->from < 0)
        return trouble("cannot open", from);
    return v->to < 0 ? trouble("cannot open", to) : NULL;
}

static void close_both(const struct visitor *v)
{
    if (v->from >= 0)
        close(v->from);
    if (v->to >= 0)
        close(v->to);
}

const char *tree_copy(const char *from, const char *to, const char *except, uint64_t most)
{
    struct visitor v = {.visit = copy_visit, .leave = finish_folder, .left = most};
    const char *why = open_both(from, to, &v);
    if (!why && stat(except, &v.except))
        why = trouble("cannot look at", except);
    if (!why)
        why = walk_all(&v, v.from);
    close_both(&v);
    return why;
}

static uint32_t slot_of(const struct tree *tree, const char *path)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *p = path; *p; p++)
        hash = (hash ^ (uint8_t)*p) * 0x100000001b3u;
    uint32_t at = (uint32_t)(hash >> 20) % TABLE;
    while (tree->table[at] && strcmp(tree->names + tree->entries[tree->table[at] - 1].path, path))
        at = (at + 1) % TABLE;
    return at;
}

static void note_state(struct tree_entry *e, const struct stat *st)
{
    e->mode = st->st_mode;
    e->inode = st->st_ino;
    e->size = (uint64_t)st->st_size;
    e->modified = st->st_mtim;
    e->changed = st->st_ctim;
}

static const char *look_visit(struct visitor *v, const char *path, const struct stat *st)
{
    struct tree *tree = v->tree;
    size_t size = strlen(path) + 1;
    if (tree->count == ENTRIES || tree->names_used + size > NAMES)
        return "it holds too many files";
    struct tree_entry *e = &tree->entries[tree->count];
    e->path = tree->names_used;
    memcpy(tree->names + e->path, path, size);
    tree->names_used += (uint32_t)size;
    note_state(e, st);
    tree->table[slot_of(tree, path)] = ++tree->count;
    return NULL;
}

const char *tree_look(struct tree *tree, const char *from, const char *to)
{
    *tree = (struct tree){.from = from,
                          .to = to,
                          .entries = mem_reserve(ENTRIES * sizeof *tree->entries),
                          .names = mem_reserve(NAMES),
                          .table = mem_reserve(TABLE * sizeof *tree->table)};
    struct visitor v = {.visit = look_visit, .tree = tree};
    const char *why = open_both(from, to, &v);
    if (!why)
        why = walk_all(&v, v.to);
    close_both(&v);
    return why;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_as_it_was(const struct tree_entry *e, const struct stat *st)
{
    if (S_ISDIR(e->mode))
        return S_ISDIR(st->st_mode);
    return st->st_mode == e->mode && st->st_ino == e->inode && same_time(st->st_ctim, e->changed);
}

static const char *remove_visit(struct visitor *v, const char *path, const struct stat *st)
{
    if (S_ISDIR(st->st_mode))
        return fchmodat(v->to, path, 0700, 0) ? trouble("cannot remove", path) : NULL;
    return unlinkat(v->to, path, 0) ? trouble("cannot remove", path) : NULL;
}

static const char *remove_folder(struct visitor *v, const char *path)
{
    return unlinkat(v->to, path, AT_REMOVEDIR) ? trouble("cannot remove", path) : NULL;
}

static const char *remove_one(int to, const char *path, const struct stat *st)
{
    struct visitor v = {.visit = remove_visit, .leave = remove_folder, .to = to};
    char copy[PATH];
    const char *why = remove_visit(&v, path, st);
    if (why || !S_ISDIR(st->st_mode))
        return why;
    strcpy(copy, path);
    why = walk(&v, to, copy, strlen(path), 0);
    return why ? why : remove_folder(&v, path);
}

static const char *restore_entry(const struct tree *tree, const struct visitor *v, struct tree_entry *e)
{
    const char *path = tree->names + e->path, *why = NULL;
    struct stat st, source;
    bool there = !fstatat(v->to, path, &st, AT_SYMLINK_NOFOLLOW);
    if (there && is_as_it_was(e, &st))
        return NULL;
    if (there)
        why = remove_one(v->to, path, &st);
    if (why)
        return why;
    if (fstatat(v->from, path, &source, AT_SYMLINK_NOFOLLOW))
        return trouble("cannot put back", path);
    if (source.st_mode != e->mode ||
        (S_ISREG(e->mode) && ((uint64_t)source.st_size != e->size || !same_time(source.st_mtim, e->modified))))
        return "the working directory was changed by somebody else in the meantime";
    if (!copy_one(v->from, v->to, path, &source) || fstatat(v->to, path, &st, AT_SYMLINK_NOFOLLOW))
        return trouble("cannot put back", path);
    struct timespec modified = e->modified;
    note_state(e, &st);
    e->mode = source.st_mode; // of a folder: it is given that at the end
    e->modified = modified;
    return NULL;
}

// Removes what was not there.
static const char *sweep_visit(struct visitor *v, const char *path, const struct stat *st)
{
    return v->tree->table[slot_of(v->tree, path)] ? NULL : remove_one(v->to, path, st);
}

static void restore_folder(const struct tree *tree, const struct visitor *v, const struct tree_entry *e)
{
    struct stat st;
    const char *path = tree->names + e->path;
    struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, e->modified};
    if (!S_ISDIR(e->mode) || fstatat(v->to, path, &st, AT_SYMLINK_NOFOLLOW))
        return;
    if (st.st_mode != e->mode)
        fchmodat(v->to, path, e->mode & 07777, 0);
    if (!same_time(st.st_mtim, e->modified))
        utimensat(v->to, path, times, AT_SYMLINK_NOFOLLOW);
}

const char *tree_restore(struct tree *tree)
{
    struct visitor v = {.visit = sweep_visit, .tree = tree};
    const char *why = open_both(tree->from, tree->to, &v);
    for (uint32_t i = 0; !why && i < tree->count; i++)
        why = restore_entry(tree, &v, &tree->entries[i]);
    if (!why)
        why = walk_all(&v, v.to);
    for (uint32_t i = tree->count; !why && i-- > 0;)
        restore_folder(tree, &v, &tree->entries[i]);
    close_both(&v);
    return why;
}

void tree_empty(const char *directory)
{
    struct visitor v = {.visit = remove_visit, .leave = remove_folder, .to = open_folder(directory)};
    if (v.to < 0)
        return;
    walk_all(&v, v.to);
    close(v.to);
}
