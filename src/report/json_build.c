#include "report/json_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

cJSON *json_made(cJSON *item)
{
    return alloc_checked(item);
}

cJSON *json_object(void)
{
    return json_made(cJSON_CreateObject());
}

cJSON *json_array(void)
{
    return json_made(cJSON_CreateArray());
}

void json_add(cJSON *object, const char *name, cJSON *item)
{
    if (!cJSON_AddItemToObject(object, name, json_made(item))) // its copy of the name
        alloc_checked(NULL);
}

void json_append(cJSON *list, cJSON *item)
{
    cJSON_AddItemToArray(list, json_made(item));
}

static cJSON *text_item(const char *text)
{
    struct buffer safe = {0};
    if (!text)
        return json_made(cJSON_CreateNull());
    buffer_add_safe(&safe, text, strlen(text), true);
    cJSON *item = json_made(cJSON_CreateString(buffer_text(&safe)));
    buffer_free(&safe);
    return item;
}

void json_add_text(cJSON *object, const char *name, const char *text)
{
    json_add(object, name, text_item(text));
}

void json_append_text(cJSON *list, const char *text)
{
    json_append(list, text_item(text));
}

void json_add_buffer(cJSON *object, const char *name, struct buffer *text)
{
    json_add_text(object, name, text->text);
    buffer_free(text);
}

void json_add_number(cJSON *object, const char *name, double number)
{
    json_add(object, name, cJSON_CreateNumber(number));
}

void json_add_fingerprint(cJSON *object, const char *name, unsigned long long fingerprint)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%016llx", fingerprint);
    json_add_text(object, name, digits);
}

int json_write(cJSON *json, FILE *out)
{
    char *text = alloc_checked(cJSON_Print(json));
    int status = fprintf(out, "%s\n", text) < 0 || fflush(out) ? -1 : 0;
    free(text);
    cJSON_Delete(json);
    return status;
}
