// Frames over TCP on the loopback interface: who sends, how many bytes, the bytes.
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>

enum { WIRE_CLIENT = 1000, WIRE_MOST = 4096 }; // clients are numbered from here on, servers from 0

struct wire_answer {
    int client, number;
    long result;
};

struct wire_frame {
    int who;
    size_t size;
    const unsigned char *data;
};

struct connection {
    int socket; // or -1
    int who;    // the last who sent something, or -1
    size_t used, read;
    unsigned char data[2 * WIRE_MOST];
};

int wire_listen(int port);  // a socket, or -1
int wire_connect(int port); // the same; does not wait for long
bool wire_send(int socket, int who, const void *data, size_t size);

// Reads what there is; false if the other side has gone, or sends nonsense. Then wire_next takes the frames one by one.
bool wire_receive(struct connection *c);
bool wire_next(struct connection *c, struct wire_frame *f);

#endif
