#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define HEDDLE_VERSION "0.1.0"

#endif
