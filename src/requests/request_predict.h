// What requests of a log would do in other orders: seed 003, chapter 4.
//
// The hunts are those of recorded runs (predict/): the five patterns of one resource, the four of two that belong together. A request
// is not taken apart. What several clients do alike is told once: predictions of the same pattern, about the same resources and with the
// same methods, are a *group*, of which some are kept so that they can be tried.
#ifndef REQUESTS_REQUEST_PREDICT_H
#define REQUESTS_REQUEST_PREDICT_H

#include "predict/predict_run.h"
#include "requests/request_recording.h"

enum { MOST_CLIENTS = 60000, MOST_ALIKE = 6 };

// A request of a predicted order.
struct ordered_request {
    uint32_t request;
    uint32_t effect; // the first of its effects in this order
    bool key;        // the prediction is about it
};

struct request_order {
    struct ordered_request *list;
    uint32_t count;
    size_t room;
};

// What was seen when the requests were sent in the predicted order; by prediction.
struct resent {
    enum confirmation confirmed;
    char *reason; // may be null
    bool harmful;
    struct sent_request *sent;
    uint32_t count;
    size_t room;
};

// One request as it was sent to a server.
struct sent_request {
    uint32_t request; // of the log; NO_EFFECT: a look at what a resource is then …
    uint32_t looked;  // … by the number of the resource
    bool key;
    int status;
    char *body; // of the answer
    size_t length;
};

struct request_predictions {
    struct meaning meaning;
    struct request_recording recording;
    struct hunt hunt; // its predictions …
    struct correlations correlations;
    uint32_t *alike;       // … how many there are of its group, …
    struct resent *resent; // … and what came of each; null: nothing was sent
};

// To be freed. The log is needed until then. False, and nothing to be freed: it has more than MOST_CLIENTS.
bool request_predict(struct request_predictions *p, const struct request_log *log, const struct request_rules *rules,
                     uint64_t support);

// Keeps one prediction of each group, the worst as far as is known.
void request_predictions_choose(struct request_predictions *p);

void request_predictions_free(struct request_predictions *p);

// The requests of a prediction in the predicted order, up to the last that it is about. With `short_form` only those of the
// rounds and sections that it is about. False: the order would take a request apart.
bool request_predicted_order(const struct request_predictions *p, const struct prediction *one, bool short_form,
                             struct request_order *order);

// The effect that a record of the prediction is.
const struct effect *request_effect(const struct request_predictions *p, uint32_t record);

#endif
