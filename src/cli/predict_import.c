#include "cli/predict_import.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/whole_file.h"
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

// Passes on whether the file was written; false after a sentence.
static bool tell_written(const char *path, bool good)
{
    if (!good)
        misuse_of_file("predict", path, strerror(errno));
    return good;
}

static bool write_json(const char *path, const struct request_predictions *p)
{
    if (!path)
        return true;
    struct whole_file file;
    return tell_written(path,
                        whole_file_or_output(&file, path) && !whole_file_close(&file, !request_json(file.out, p)));
}

static bool write_nets(const char *stem, const struct request_predictions *p)
{
    bool good = true;
    for (uint32_t i = 0; stem && good && i < 2 * p->hunt.found.count; i++) {
        char *path = alloc_format("%s-%u.%s", stem, i / 2 + 1, i % 2 ? "svg" : "dot");
        struct whole_file file;
        const struct prediction *one = &p->hunt.found.list[i / 2];
        int (*draw)(FILE *, const struct request_predictions *, const struct prediction *) =
            i % 2 ? petri_svg : petri_dot;
        good = tell_written(path, whole_file_open(&file, path) && !whole_file_close(&file, !draw(file.out, p, one)));
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
