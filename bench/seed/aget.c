// aget, after the thesis of Inspect (Yang, Utah 2009, sections 5.4, 6 and 7.5): a client that downloads the segments of
// one file concurrently, a thread for each. "There are data races in the original aget. We fixed those data races and
// did experiments on the fixed version. We reduced the size of the data package […] to 512 bytes."
//
// The server is in the same process: it has sent each segment into a socket before the download begins, with a header
// in front. THREADS counts main, as the thesis does; each other one reads its segment in CHUNKS pieces and adds each to
// what has been written in all, under a mutex. So the traces are the orders in which the mutex is taken:
//   (CHUNKS (THREADS − 1))! / CHUNKS! ^ (THREADS − 1)
// which gives the printed 3,432 for 3 threads with 7 pieces (Table 5.1), and 113,400 for 6 threads with 2 (Table 6.1).
//
// SHARED: one connection for all, kept alive. Who has the mutex reads the next piece, wherever it belongs. Then the threads differ in
// nothing, and what is left of the traces if they may change places are the standard tableaux of that shape: 87,516 for 7 threads with 3 pieces.
//
// BUG: main shows how far it is without the mutex, which is the race of the original.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef CHUNKS
#define CHUNKS 2
#endif

enum {
    SEGMENTS = THREADS - 1,
    HEADER = sizeof "206 bytes 000000-000000\r\n",
    CHUNK = 64,
    SEGMENT = CHUNK * CHUNKS,
    FILE_SIZE = SEGMENT * SEGMENTS
};

struct request {
    int socket;
    long from, until; // of the file
};

static struct request request[SEGMENTS];
static char served[FILE_SIZE], written[FILE_SIZE];
static pthread_mutex_t bwritten_mutex = PTHREAD_MUTEX_INITIALIZER;
static long bwritten;

static void send_all(int socket, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = send(socket, bytes, size, 0);
        assert(n > 0);
        bytes += n;
        size -= (size_t)n;
    }
}

// The server's answer to "RETR" from one place to another.
static int serve(long from, long until)
{
    int pair[2];
    char header[HEADER];
    int failed = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    assert(!failed);
    snprintf(header, sizeof header, "206 bytes %06ld-%06ld\r\n", from, until);
    send_all(pair[1], header, sizeof header);
    send_all(pair[1], served + from, (size_t)(until - from));
    return pair[0];
}

static long number_at(const char *digits)
{
    long number = 0;
    while (*digits >= '0' && *digits <= '9')
        number = 10 * number + *digits++ - '0';
    return number;
}

// Reads the answer's first line, and what it says.
static void read_header(struct request *r)
{
    char header[HEADER];
    ssize_t n = recv(r->socket, header, sizeof header, MSG_WAITALL);
    assert(n == HEADER && !strncmp(header, "206 bytes ", 10));
    r->from = number_at(header + 10);
    r->until = number_at(header + 17);
}

static void *http_get(void *argument)
{
    struct request *r = argument;
    char bytes[CHUNK];
    read_header(r);
    for (long at = r->from; at < r->until;) {
        ssize_t n = recv(r->socket, bytes, sizeof bytes, 0);
        assert(n > 0);
        memcpy(written + at, bytes, (size_t)n);
        at += n;
        pthread_mutex_lock(&bwritten_mutex);
        bwritten += n;
        pthread_mutex_unlock(&bwritten_mutex);
    }
    return NULL;
}

static void read_piece(int socket)
{
    ssize_t n =
        recv(socket, written + bwritten, CHUNK, MSG_WAITALL); // a buffer of its own would tell the thread from others
    assert(n == CHUNK);
    bwritten += n;
}

// The connection's header has been read by main.
static void *http_get_pieces(void *argument)
{
    const struct request *r = argument;
    for (int i = 0; i < CHUNKS; i++) {
        pthread_mutex_lock(&bwritten_mutex);
        read_piece(r->socket);
        pthread_mutex_unlock(&bwritten_mutex);
    }
    return NULL;
}

static void begin_segments(pthread_t *thread)
{
#ifdef SHARED
    (void)http_get;
    request[0].socket = serve(0, FILE_SIZE);
    read_header(&request[0]);
    for (int i = 0; i < SEGMENTS; i++)
        pthread_create(&thread[i], NULL, http_get_pieces, &request[0]);
#else
    (void)http_get_pieces;
    for (int i = 0; i < SEGMENTS; i++)
        request[i].socket = serve((long)i * SEGMENT, (long)(i + 1) * SEGMENT);
    for (int i = 0; i < SEGMENTS; i++)
        pthread_create(&thread[i], NULL, http_get, &request[i]);
#endif
}

static void show_progress(void)
{
#ifdef BUG
    printf("%ld of %d\n", bwritten, FILE_SIZE);
#endif
}

int main(void)
{
    pthread_t thread[SEGMENTS];
    for (int i = 0; i < FILE_SIZE; i++)
        served[i] = (char)('a' + i % 26);
    begin_segments(thread);
    show_progress();
    for (int i = 0; i < SEGMENTS; i++)
        pthread_join(thread[i], NULL);
    assert(bwritten == FILE_SIZE && !memcmp(served, written, FILE_SIZE));
    return 0;
}
