// How much a call transfers that was asked for `size` bytes, or items.
#ifndef INJECTED_SIZE_H
#define INJECTED_SIZE_H

#include <stddef.h>

#include "model/injection.h"

size_t injected_size(enum injection_way way, size_t size);

#endif
