#include "cli/predict_import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/misuse.h"
#include "requests/petri.h"
#include "requests/request_text.h"
#include "requests/resend.h"

static int misuse_in_sentence(char *sentence)
{
    int status = misuse_in_words("predict", sentence);
    free(sentence);
    return status;
}

// Writes one file; false after a sentence.
static bool write_file(const char *path, FILE *file, int written)
{
    int error = errno;
    if (file && file != stdout && fclose(file) && !written) {
        error = errno;
        written = -1;
    }
    if (!file || written)
        misuse_of_file("predict", path, strerror(error));
    return file && !written;
}

static bool write_json(const char *path, const struct request_predictions *p)
{
    if (!path)
        return true;
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    return write_file(path, file, file ? request_json(file, p) : -1);
}

static bool write_nets(const char *stem, const struct request_predictions *p)
{
    bool good = true;
    for (uint32_t i = 0; stem && good && i < 2 * p->hunt.found.count; i++) {
        char *path = alloc_format("%s-%u.%s", stem, i / 2 + 1, i % 2 ? "svg" : "dot");
        FILE *file = fopen(path, "w");
        const struct prediction *one = &p->hunt.found.list[i / 2];
        good = write_file(path, file, !file ? -1 : i % 2 ? petri_svg(file, p, one) : petri_dot(file, p, one));
        free(path);
    }
    return good;
}

static int status_of(const struct request_predictions *p)
{
    bool harmful = false, unknown = false;
    if (!p->resent)
        return p->hunt.found.count != 0;
    for (uint32_t i = 0; i < p->hunt.found.count; i++) {
        harmful |= p->resent[i].harmful;
        unknown |= p->resent[i].confirmed == UNKNOWN;
    }
    return harmful ? 1 : unknown ? 3 : 0;
}

static void print_tally(const struct request_predictions *p)
{
    uint32_t tally[UNKNOWN + 1] = {0}, harmful = 0;
    for (uint32_t i = 0; i < p->hunt.found.count; i++) {
        tally[p->resent[i].confirmed]++;
        harmful += p->resent[i].harmful;
    }
    printf("%u confirmed (%u harmful), %u infeasible, %u unknown\n", tally[CONFIRMED], harmful, tally[INFEASIBLE],
           tally[UNKNOWN]);
}

static int tell(const struct import_request *request, const struct request_predictions *p)
{
    struct style style;
    bool good = write_nets(request->petri, p) && write_json(request->json, p);
    style_init(&style, stdout, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    if (!request->json || strcmp(request->json, "-")) {
        for (uint32_t i = 0; i < p->hunt.found.count; i++)
            request_text(stdout, p, i, &style);
        request_summary(stdout, p);
        if (p->resent)
            print_tally(p);
    }
    return fflush(stdout) || !good ? 2 : status_of(p);
}

static int predict_log(const struct import_request *request, const struct request_log *log,
                       const struct request_rules *rules, const struct loopback *server)
{
    struct request_predictions p;
    if (!request_predict(&p, log, rules, request->support))
        return misuse_of_file("predict", request->log, "there are more clients in it than heddle can tell apart");
    if (server)
        resend_predictions(&p, rules, server);
    request_predictions_choose(&p);
    int status = tell(request, &p);
    request_predictions_free(&p);
    return status;
}

int predict_import(const struct import_request *request)
{
    struct loopback server = {0};
    char *wrong = NULL;
    if (request->server && !loopback_resolve(request->server, &server, &wrong))
        return misuse_in_sentence(wrong);
    struct request_rules *rules = request_rules_read(request->rules, &wrong);
    struct request_log *log = rules ? request_log_read(request->log, &wrong) : NULL;
    int status = 2;
    if (!rules) {
        misuse_in_sentence(wrong);
    } else if (!log) {
        misuse_of_file("predict", request->log, wrong);
        free(wrong);
    } else {
        status = predict_log(request, log, rules, request->server ? &server : NULL);
    }
    request_rules_free(rules);
    request_log_free(log);
    free(server.host);
    return status;
}
