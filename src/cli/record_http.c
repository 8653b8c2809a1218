#include "cli/record_http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/whole_file.h"
#include "cli/misuse.h"
#include "requests/har_write.h"
#include "requests/recording_proxy.h"

// The second signal.
static void end_at_once(int number)
{
    _exit(128 + number);
}

static int write_log(const char *path, const struct request_log *log)
{
    struct whole_file file;
    if (!whole_file_open(&file, path) || whole_file_close(&file, !har_write(file.out, log)))
        return misuse_of_file("record", path, strerror(errno));
    fprintf(stderr, "%s: %u request%s.\n", path, log->count, log->count == 1 ? "" : "s");
    if (log->skipped)
        fprintf(stderr, "It lacks %u that were no requests, or that the server did not answer.\n", log->skipped);
    return 0;
}

int record_http(const struct http_recording *request)
{
    struct loopback server;
    char *wrong = NULL;
    uint16_t port = (uint16_t)request->port;
    if (!loopback_resolve(request->server, &server, &wrong)) {
        int status = misuse_in_words("record", wrong);
        free(wrong);
        return status;
    }
    int listening = recording_proxy_listen(&port);
    int status = 2;
    if (listening < 0) {
        misuse_of("record", "no port to wait at: %s", strerror(errno));
    } else {
        struct request_log *log = alloc_zeroed(1, sizeof *log);
        interrupt_watch(end_at_once);
        printf("http://127.0.0.1:%u\n", port);
        fflush(stdout);
        recording_proxy_run(listening, &server, log);
        status = write_log(request->path, log);
        close(listening);
        request_log_free(log);
    }
    free(server.host);
    return status;
}
