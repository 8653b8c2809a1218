#define _GNU_SOURCE
#include "target/threads/library/library_effects.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "base/fail.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/library/dynamic.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/exceptions.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/stream_effects.h"
#include "target/threads/libc/libc_room.h"

struct call {
    const uint64_t *argument;
    const void *pc;
};

static void *library_effects_pointer(uint64_t value)
{
    return (void *)(uintptr_t)value;
}

static uint64_t library_effects_number(const char **text)
{
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value * 10 + (uint64_t)(**text - '0');
    return value;
}

static uint64_t argument(const struct call *c, const char **text)
{
    uint64_t which = library_effects_number(text);
    require(which >= 1 && which <= 6);
    return c->argument[which - 1];
}

// ":SIZE", "*N", "*N:SIZE", "-N"
static uint64_t library_effects_size_of(const struct call *c, uint64_t address, const char **text)
{
    uint64_t times = 1, size = 1;
    if (**text == '-') {
        ++*text;
        uint64_t end = argument(c, text);
        return end > address ? end - address : 0;
    }
    if (**text == '*') {
        ++*text;
        times = argument(c, text);
    }
    if (**text == ':') {
        ++*text;
        size = library_effects_number(text);
    }
    return times * size;
}

static void read_wide_text(const wchar_t *text, const void *pc)
{
    for (;; text++) {
        access_read(text, sizeof *text, pc);
        if (!*text)
            return;
    }
}

// ---- C++ ----

struct text { // std::string
    char *start;
    uint64_t length;
    char within[16];
};

static void use_text(struct text *text, bool write, const void *pc)
{
    if (!write) {
        access_read(text, offsetof(struct text, within), pc);
        access_read(text->start, text->length, pc);
        return;
    }
    access_write(text, sizeof *text, pc);
    if (text->start != text->within)
        access_write(text->start, text->length + 1, pc);
}

struct node { // of a red-black tree
    uint64_t colour;
    struct node *parent, *left, *right;
};

static void change_node(struct node *node, const void *pc)
{
    if (node)
        access_write(node, sizeof *node, pc);
}

static void change_below(struct node *node, int levels, const void *pc)
{
    change_node(node, pc);
    if (!node || !levels)
        return;
    change_below(node->left, levels - 1, pc);
    change_below(node->right, levels - 1, pc);
}

static struct node *library_effects_seen(struct node *node, const void *pc)
{
    access_read(node, sizeof *node, pc);
    return node;
}

// The tree is turned around nodes on the way from a node to the root, whose parent is the header. After a node was taken out, a
// brother of one on the way may be turned first, with a child of its own: three levels below.
static void change_path(struct node *from, struct node *header, const void *pc)
{
    enum { LEVELS = 3 };
    change_node(header, pc);
    for (struct node *node = from; node && node != header; node = node->parent)
        change_below(node, LEVELS, pc);
}

static void take_out(struct node *node, struct node *header, const void *pc)
{
    struct node *lowest = node;
    if (node->left && node->right)
        for (lowest = library_effects_seen(node->right, pc); lowest->left;)
            lowest = library_effects_seen(lowest->left, pc);
    change_path(lowest, header, pc);
}

// The walk that the library makes.
static void go_beside(struct node *node, bool forward, const void *pc)
{
#define SIDE(node, right_one) ((right_one) ? (node)->right : (node)->left)
    node = library_effects_seen(node, pc);
    struct node *child = SIDE(node, forward);
    if (child) {
        for (node = library_effects_seen(child, pc); SIDE(node, !forward);)
            node = library_effects_seen(SIDE(node, !forward), pc);
        return;
    }
    struct node *above = library_effects_seen(node->parent, pc);
    while (node == SIDE(above, forward)) {
        node = above;
        above = library_effects_seen(above->parent, pc);
        if (above == node)
            return;
    }
#undef SIDE
}

struct link { // of a list
    struct link *next, *previous;
};

static void change_link(struct link *link, const void *pc)
{
    access_write(link, sizeof *link, pc);
    if (link->next) // not yet, if it is a new node
        access_write(link->next, sizeof *link, pc);
    if (link->previous)
        access_write(link->previous, sizeof *link, pc);
}

static void change_ring(struct link *first, const void *pc)
{
    struct link *link = first;
    do {
        access_write(link, sizeof *link, pc);
        link = link->next;
    } while (link != first);
}

// Streams and their buffers. Returns whether it is an effect of these.
static bool announce_stream(char letter, uint64_t address, const void *pc)
{
    switch (letter) {
    case 'o':
        cxx_stream_use_through(address, SIDE_PUT, true, pc);
        return true;
    case 'x':
        cxx_stream_use_through(address, SIDE_GET, true, pc);
        return true;
    case 'O':
        cxx_stream_use_through(address, SIDE_BOTH, false, pc);
        return true;
    case 'i':
    case 'I':
        cxx_stream_use(address, letter == 'i', pc);
        return true;
    case 'a':
        cxx_stream_use_buffer(address, SIDE_PUT, true, pc);
        return true;
    case 'c':
        cxx_stream_use_buffer(address, SIDE_GET, true, pc);
        return true;
    case 'u':
    case 'U':
        cxx_stream_use_buffer(address, SIDE_BOTH, letter == 'u', pc);
        return true;
    case 'h':
    case 'H':
        cxx_stream_use_pointers(address, SIDE_PUT, letter == 'h', pc);
        return true;
    case 'q':
    case 'Q':
        cxx_stream_use_pointers(address, SIDE_GET, letter == 'q', pc);
        return true;
    default:
        return false;
    }
}

static void announce_cxx(char letter, const uint64_t *a, const void *pc)
{
    if (announce_stream(letter, *a, pc))
        return;
    switch (letter) {
    case 'b':
    case 'B':
        use_text(library_effects_pointer(*a), letter == 'B', pc);
        break;
    case 't':
        change_node(library_effects_pointer(a[0]), pc);
        change_path(library_effects_pointer(a[1]), library_effects_pointer(a[2]), pc);
        break;
    case 'e':
        take_out(library_effects_pointer(a[0]), library_effects_pointer(a[1]), pc);
        break;
    case 'n':
    case 'p':
        go_beside(library_effects_pointer(*a), letter == 'n', pc);
        break;
    case 'l':
        change_link(library_effects_pointer(*a), pc);
        break;
    case 'v':
        change_ring(library_effects_pointer(*a), pc);
        break;
    default:
        require(!"an effect that there is");
    }
}

// The variable is the program's if it refers to it, and then its writes are seen by others.
static void set_sign(const void *pc)
{
    static int *sign;
    static bool looked;
    const char *library;
    if (!looked) {
        struct thread *t = engine.running;
        engine.running = NULL;
        sign = dlsym(RTLD_DEFAULT, "signgam");
        if (sign && home_of((uint64_t)(uintptr_t)sign, &library) == HOME_DATA && *library)
            sign = NULL; // that of the library: nobody looks
        looked = true;
        engine.running = t;
    }
    if (sign)
        access_write(sign, sizeof *sign, pc);
}

// Registers and a flag, and the signals that are blocked if they are wanted. pthread_cleanup_push has a buffer without room for those.
static void keep_place_to_jump_to(uint64_t buffer, bool signals, const void *pc)
{
    enum { WITHOUT_SIGNALS = 72, WITH_SIGNALS = 200 };
    access_write(library_effects_pointer(buffer), signals ? WITH_SIGNALS : WITHOUT_SIGNALS, pc);
    if (signals)
        signals_keep_mask(engine.running, library_effects_pointer(buffer + WITHOUT_SIGNALS));
}

static void announce(const struct call *c, const char **text)
{
    char letter = *(*text)++;
    uint64_t which = library_effects_number(text);
    require(which >= 1 && which <= 6);
    uint64_t address = c->argument[which - 1];
    uint64_t size = library_effects_size_of(c, address, text);
    if (letter == 'g')
        set_sign(c->pc);
    if (letter == 'd')
        dynamic_find(library_effects_pointer(address), library_effects_pointer(c->argument[which]), c->pc);
    if (letter == 'F')
        exceptions_handled(engine.running, c->pc);
    if (!address || letter == 'g' || letter == 'd' || letter == 'F')
        return;
    switch (letter) {
    case 'r':
        access_read(library_effects_pointer(address), size, c->pc);
        break;
    case 'w':
        access_write(library_effects_pointer(address), size, c->pc);
        break;
    case 's':
        reported_length(library_effects_pointer(address), SIZE_MAX, c->pc);
        break;
    case 'S':
        read_wide_text(library_effects_pointer(address), c->pc);
        break;
    case 'k':
        keep_place_to_jump_to(address, (int)c->argument[which], c->pc);
        break;
    case 'm':
        signals_keep_mask(engine.running, library_effects_pointer(address + size));
        break;
    case 'f':
        exceptions_let_go(engine.running, *(void **)library_effects_pointer(address + size), c->pc);
        break;
    case 'y':
        exceptions_let_go_of_message(engine.running, *(const char **)library_effects_pointer(address + size), c->pc);
        break;
    case 'j':
        contexts_jump(engine.running, library_effects_pointer(address), c->pc);
        break;
    default:
        announce_cxx(letter, &c->argument[which - 1], c->pc);
    }
}

void library_effects(const char *effects, const uint64_t *arguments, const void *pc)
{
    struct call c = {arguments, pc};
    for (const char *at = effects; *at;)
        if (*at == UNLOGGED || *at == ' ')
            at++;
        else
            announce(&c, &at);
}
