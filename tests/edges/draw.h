// What the generators of programs share: numbers drawn from a seed, the same on every machine.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t draw_state;

// Starts the sequence of the program with this number, which is the generator's only argument.
static inline uint64_t draw_begin(int argc, char **argv)
{
    if (argc != 2)
    {
        fprintf(stderr, "usage: %s NUMBER\n", argv[0]);
        exit(2);
    }
    uint64_t number = strtoull(argv[1], NULL, 10);
    draw_state = number * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    return number;
}

// A number below `limit`.
static inline unsigned draw(unsigned limit)
{
    uint64_t x = draw_state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)(((x ^ (x >> 31)) >> 16) % limit);
}

// One of the strings.
#define draw_of(...) ((const char *[]){__VA_ARGS__}[draw(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))])
