// A prediction as an order that can be tried natively (model/holding.h).
#ifndef PREDICT_HELD_ORDER_H
#define PREDICT_HELD_ORDER_H

#include "model/holding.h"
#include "predict/prediction_hunt.h"

// Null, or why it cannot be told, in words (a constant).
const char *held_order_make(const struct hunt *h, const struct prediction *p, struct hold_order *order);

#endif
