// heddle status: what is known of a search that is kept in a directory.
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "cli/commands.h"
#include "cli/misuse.h"
#include "cli/options.h"
#include "supervise/keeper.h"

static const char usage[] =
    "usage: heddle status [--json] DIR\n"
    "\n"
    "Says what is known of the search that `heddle check --save DIR` keeps there, whether it runs or not:\n"
    "how it was begun, what was explored and found, and when it was last saved.\n"
    "\n"
    "  --json                as JSON\n";

enum { JSON = OPTION_FIRST };

static const struct option known_options[] = {{"json", 0, NULL, JSON}, {"help", 0, NULL, OPTION_HELP}, {0}};

struct request {
    bool json;
};

static int take_option(void *request, int option, const char *text)
{
    (void)option;
    (void)text;
    ((struct request *)request)->json = true;
    return 0;
}

// What the directory holds.
struct state {
    const char *directory;
    const struct keeper *keeper;
    pid_t process; // that searches; 0: none
    double age;    // seconds since it was saved
    struct counts counts;
    size_t left, bugs;
};

static bool needs_quotes(const char *word)
{
    return !*word || strpbrk(word, " \t\n'\"\\$&|;<>()*?[]{}~#`!");
}

// The words as a shell takes them.
static void add_command(struct buffer *out, const struct strings *words)
{
    buffer_add(out, "heddle");
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->item[i];
        bool quotes = needs_quotes(word);
        buffer_add(out, quotes ? " '" : " ");
        for (; *word; word++)
            if (*word == '\'')
                buffer_add(out, "'\\''");
            else
                buffer_append(out, word, 1);
        if (quotes)
            buffer_add(out, "'");
    }
}

static const char *plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}

static void print_text(const struct state *s)
{
    const struct saved_search *f = &s->keeper->search;
    struct buffer command = {0}, line = {0};
    add_command(&command, &s->keeper->words);
    buffer_add_safe(&line, buffer_text(&command), command.length, false);
    printf("%s\n  in %s\n", buffer_text(&line), s->keeper->where);
    if (s->process)
        printf("  running: process %d\n", (int)s->process);
    else
        printf("  not running%s\n", s->left ? "" : "; nothing is left to explore");
    printf("  %" PRIu64 " execution%s, %.1f s", s->counts.executions, plural(s->counts.executions), f->seconds);
    if (f->share.likely >= 0 && s->left)
        printf(", about %.2g%% explored", f->share.likely * 100);
    printf("; %zu bug%s so far\n  %zu unit%s left; saved %.0f s ago\n", s->bugs, plural(s->bugs), s->left,
           plural(s->left), s->age);
    buffer_free(&command);
    buffer_free(&line);
}

static void print_json(const struct state *s)
{
    const struct saved_search *f = &s->keeper->search;
    cJSON *json = alloc_checked(cJSON_CreateObject());
    cJSON *command = cJSON_AddArrayToObject(json, "command");
    cJSON_AddItemToArray(command, cJSON_CreateString("heddle"));
    for (size_t i = 0; i < s->keeper->words.count; i++)
        cJSON_AddItemToArray(command, cJSON_CreateString(s->keeper->words.item[i]));
    cJSON_AddStringToObject(json, "directory", s->keeper->where);
    cJSON_AddBoolToObject(json, "running", s->process != 0);
    if (s->process)
        cJSON_AddNumberToObject(json, "process", s->process);
    cJSON_AddNumberToObject(json, "executions", (double)s->counts.executions);
    cJSON_AddNumberToObject(json, "seconds", f->seconds);
    if (s->left && f->share.likely >= 0)
        cJSON_AddNumberToObject(json, "share", f->share.likely);
    else if (s->left)
        cJSON_AddNullToObject(json, "share");
    else
        cJSON_AddNumberToObject(json, "share", 1);
    cJSON_AddNumberToObject(json, "units_left", (double)s->left);
    cJSON_AddNumberToObject(json, "bugs", (double)s->bugs);
    cJSON_AddNumberToObject(json, "saved_seconds_ago", s->age);
    char *text = alloc_checked(cJSON_Print(json));
    puts(text);
    free(text);
    cJSON_Delete(json);
}

static double since(double time)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double age = (double)now.tv_sec + (double)now.tv_nsec * 1e-9 - time;
    return age > 0 ? age : 0;
}

static int show(const char *directory, bool json)
{
    struct keeper keeper = {.file.lock = -1};
    const char *wrong = keeper_look(&keeper, directory);
    if (wrong) {
        keeper_close(&keeper);
        return misuse_file_is("status", directory, wrong);
    }
    struct state state = {.directory = directory,
                          .keeper = &keeper,
                          .process = save_file_user(directory),
                          .age = since(save_file_time(directory)),
                          .counts = saved_counts(&keeper.search),
                          .left = saved_left(&keeper.search),
                          .bugs = saved_bugs(&keeper.search)};
    (json ? print_json : print_text)(&state);
    keeper_close(&keeper);
    return fflush(stdout) ? 2 : 0;
}

int cli_status(int argc, char **argv)
{
    struct request request = {0};
    const struct option_reader reader = {"status", usage, known_options, take_option, NULL};
    int status = options_read(&reader, &request, argc, argv);
    if (!status)
        status = argc - optind == 1 ? show(argv[optind], request.json)
                                    : misuse_of("status", "%s", "name the directory of one search");
    return status < 0 ? 0 : status;
}
