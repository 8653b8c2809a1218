// Building JSON: cJSON with every allocation checked, and text that is always UTF-8.
#ifndef REPORT_JSON_BUILD_H
#define REPORT_JSON_BUILD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/buffer.h"

// The item itself; stops if there was no memory for it.
cJSON *json_made(cJSON *item);

cJSON *json_object(void);
cJSON *json_array(void);

// Each gives the object a member. Null as text becomes null; a buffer is emptied, and null if it was empty.
void json_add(cJSON *object, const char *name, cJSON *item);
void json_append(cJSON *list, cJSON *item);
void json_add_text(cJSON *object, const char *name, const char *text);
void json_add_buffer(cJSON *object, const char *name, struct buffer *text);
void json_add_number(cJSON *object, const char *name, double number);

// Adds to a list.
void json_append_text(cJSON *list, const char *text);

// 16 hexadecimal digits.
void json_add_fingerprint(cJSON *object, const char *name, unsigned long long fingerprint);

// Writes and deletes it. 0, or -1 with errno set.
int json_write(cJSON *json, FILE *out);

#endif
