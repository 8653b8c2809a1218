#include "report/sarif_build.h"

#include <ctype.h>
#include <string.h>

static const char *const schema = "https://json.schemastore.org/sarif-2.1.0.json";

void sarif_add_message(cJSON *object, const char *name, const char *text)
{
    cJSON *message = json_object();
    json_add_text(message, "text", text);
    json_add(object, name, message);
}

// A path as a URI: relative ones from the root of the sources, which is where heddle runs.
static cJSON *artifact(const char *file)
{
    struct buffer uri = {0};
    cJSON *json = json_object();
    bool absolute = *file == '/';
    while (!strncmp(file, "./", 2))
        file += 2;
    buffer_add(&uri, "%s", absolute ? "file://" : "");
    for (; *file; file++) {
        if (isalnum((unsigned char)*file) || strchr("/._-~", *file))
            buffer_append(&uri, file, 1);
        else
            buffer_add(&uri, "%%%02X", (unsigned char)*file);
    }
    json_add_buffer(json, "uri", &uri);
    if (!absolute)
        json_add_text(json, "uriBaseId", "%SRCROOT%");
    return json;
}

void sarif_add_physical(cJSON *location, const char *file, int line)
{
    cJSON *physical = json_object(), *region = json_object();
    json_add(physical, "artifactLocation", artifact(file));
    json_add_number(region, "startLine", line > 0 ? line : 1);
    json_add(physical, "region", region);
    json_add(location, "physicalLocation", physical);
}

void sarif_add_function(cJSON *location, const char *function)
{
    cJSON *list = json_array(), *logical = json_object();
    if (function) {
        json_add_text(logical, "name", function);
        json_add_text(logical, "kind", "function");
    }
    if (function)
        json_append(list, logical);
    else
        cJSON_Delete(logical);
    json_add(location, "logicalLocations", list);
}

void sarif_add_fingerprints(cJSON *result, uint64_t fingerprint)
{
    cJSON *prints = json_object();
    json_add_fingerprint(prints, "heddleIdentity/v1", fingerprint);
    json_add_fingerprint(prints, "primaryLocationLineHash", fingerprint);
    json_add(result, "partialFingerprints", prints);
}

static cJSON *tool(const char *version, cJSON *rules)
{
    cJSON *json = json_object(), *driver = json_object();
    json_add_text(driver, "name", "heddle");
    if (version) {
        json_add_text(driver, "version", version);
        json_add_text(driver, "semanticVersion", version);
    }
    json_add(driver, "rules", rules);
    json_add(json, "driver", driver);
    return json;
}

cJSON *sarif_document(const char *version, cJSON *rules, cJSON *invocations, cJSON *results)
{
    cJSON *json = json_object(), *runs = json_array(), *run = json_object();
    json_add_text(json, "$schema", schema);
    json_add_text(json, "version", "2.1.0");
    json_add(run, "tool", tool(version, rules));
    json_add(run, "invocations", invocations);
    json_add_text(run, "columnKind", "unicodeCodePoints");
    json_add(run, "results", results);
    json_append(runs, run);
    json_add(json, "runs", runs);
    return json;
}
