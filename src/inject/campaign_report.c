#include "inject/campaign_report.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "report/json_build.h"

uint64_t campaign_count(const struct campaign *c, enum fault_class class)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += c->outcomes[i].class == class;
    return n;
}

static uint64_t count_in_group(const struct campaign *c, int group, enum fault_class class)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += (int)c->outcomes[i].fault.group == group && (class == CLASSES || c->outcomes[i].class == class);
    return n;
}

// ---- the table of groups ----

static const char *const heads[CLASSES] = {"crash", "hang", "silent", "reported", "benign", "not act."};

static void print_share(FILE *out, uint64_t k, uint64_t n, bool sampled)
{
    double low, high;
    campaign_interval(k, n, &low, &high);
    if (!n)
        fprintf(out, "  %-17s", "");
    else if (sampled)
        fprintf(out, "  %4llu %5.1f–%5.1f%%", (unsigned long long)k, low * 100, high * 100);
    else
        fprintf(out, "  %8llu", (unsigned long long)k);
}

static void print_groups(const struct campaign *c, FILE *out)
{
    bool sampled = c->request->runs && !c->request->only;
    fprintf(out, "\n  %-10s %6s", "fault", "runs");
    for (int class = 0; class < CLASSES; class ++)
        fprintf(out, sampled ? "  %17s" : "  %8s", heads[class]);
    fprintf(out, "\n");
    for (int group = 0; group < INJECTION_GROUPS; group++) {
        uint64_t n = count_in_group(c, group, CLASSES);
        if (!n)
            continue;
        fprintf(out, "  %-10s %6llu", injection_groups[group].name, (unsigned long long)n);
        for (int class = 0; class < CLASSES; class ++)
            print_share(out, count_in_group(c, group, (enum fault_class) class), n, sampled);
        fprintf(out, "\n");
    }
    if (sampled)
        fprintf(out, "  (bounds of the share, with 95 %% confidence)\n");
}

// ---- places ----

// A place with all its threads and calls.
struct place_row {
    const char *place, *function, *call;
    uint64_t count[CLASSES], runs;
};

static int by_harm(const void *left, const void *right)
{
    const struct place_row *a = left, *b = right;
    for (int class = 0; class < CLASSES; class ++)
        if (a->count[class] != b->count[class])
            return a->count[class] > b->count[class] ? -1 : 1;
    return strverscmp(a->place, b->place);
}

static size_t gather_places(const struct campaign *c, struct place_row *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct point *p = &c->points.point[c->outcomes[i].fault.point];
        size_t at = 0;
        while (at < n && (strcmp(rows[at].place, p->place) || rows[at].call != injection_calls[p->call]))
            at++;
        if (at == n)
            rows[n++] = (struct place_row){p->place, p->function ? p->function : "", injection_calls[p->call], {0}, 0};
        rows[at].count[c->outcomes[i].class]++;
        rows[at].runs++;
    }
    qsort(rows, n, sizeof *rows, by_harm);
    return n;
}

static void print_places(const struct campaign *c, FILE *out)
{
    enum { MOST = 25 };
    struct place_row *rows = alloc_zeroed(c->points.count + 1, sizeof *rows);
    size_t n = gather_places(c, rows);
    fprintf(out, "\n  %-40s %6s", "place", "runs");
    for (int class = 0; class < CLASSES; class ++)
        fprintf(out, "  %8s", heads[class]);
    fprintf(out, "\n");
    for (size_t i = 0; i < n && i < MOST; i++) {
        struct buffer name = {0};
        buffer_add(&name, "%s %s %s", rows[i].place, rows[i].call, rows[i].function);
        fprintf(out, "  %-40.40s %6llu", buffer_text(&name), (unsigned long long)rows[i].runs);
        for (int class = 0; class < CLASSES; class ++)
            if (rows[i].count[class])
                fprintf(out, "  %8llu", (unsigned long long)rows[i].count[class]);
            else
                fprintf(out, "%9s·", "");
        fprintf(out, "\n");
        buffer_free(&name);
    }
    if (n > MOST)
        fprintf(out, "  … and %zu more places (--json has all)\n", n - MOST);
    free(rows);
}

// ---- faults ----

static void describe_end(const struct fault_outcome *o, struct buffer *text)
{
    if (o->class == CLASS_HANG)
        buffer_add(text, o->stuck ? "its threads wait for each other" : "does not end");
    else if (WIFSIGNALED(o->status))
        buffer_add(text, "%s", strsignal(WTERMSIG(o->status)));
    else
        buffer_add(text, "status %d", WEXITSTATUS(o->status));
    if (o->said) {
        buffer_add(text, ": ");
        buffer_add_safe(text, o->said, strlen(o->said), false);
    }
}

static void print_deviation(const struct fault_outcome *o, FILE *out)
{
    if (o->thread)
        fprintf(out, "      %s: %s: %s; %u thread%s, %llu objects reached", o->thread, deviation_words[o->kind],
                o->first, o->threads, o->threads == 1 ? "" : "s", (unsigned long long)o->objects);
    if (o->thread && o->latency >= 0)
        fprintf(out, ", after %lld records", (long long)o->latency);
    if (o->thread)
        fprintf(out, "\n");
}

// The worst ones, by their names, so that they can be run again.
static void print_faults(const struct campaign *c, FILE *out)
{
    enum { MOST = 20 };
    uint64_t told = 0, bad = 0;
    for (int class = 0; class <= CLASS_CORRUPTION; class ++) {
        for (size_t i = 0; i < c->count; i++) {
            const struct fault_outcome *o = &c->outcomes[i];
            if ((int)o->class != class || (bad++, told >= MOST))
                continue;
            struct buffer name = {0}, end = {0};
            fault_name(&c->points, &o->fault, &name);
            describe_end(o, &end);
            fprintf(out, "%s  %s  %s (%s)\n", told++ ? "" : "\n", buffer_text(&name), class_names[class],
                    buffer_text(&end));
            print_deviation(o, out);
            buffer_free(&name);
            buffer_free(&end);
        }
    }
    if (bad > told)
        fprintf(out, "  … and %llu more (--json has all)\n", (unsigned long long)(bad - told));
    if (told)
        fprintf(out, "  one of them again: heddle replay NAME PROGRAM\n");
}

static void print_golden(const struct campaign *c, FILE *out)
{
    const struct golden *g = &c->golden;
    if (g->order_varies)
        fprintf(out, "  without a fault its output differs from run to run: silent corruption cannot be told\n");
    else if (g->out_varies)
        fprintf(out,
                "  without a fault the order of its lines differs from run to run: lines are compared in any order\n");
    if (g->err_varies)
        fprintf(out, "  what it says on standard error differs without a fault, too, and is not looked at\n");
    if (g->files_vary)
        fprintf(out, "  the files that it writes differ without a fault, too, and are not looked at\n");
    if (g->status_varies)
        fprintf(out, "  its exit status differs without a fault, too, and is not looked at\n");
    if (g->points_vary)
        fprintf(out, "  which calls its threads make differs from run to run: some faults are not met again\n");
}

// ---- traces ----

static uint64_t count_deviating(const struct campaign *c, enum fault_class class)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += c->outcomes[i].class == class && c->outcomes[i].thread;
    return n;
}

static void print_comparable(const struct campaign *c, FILE *out)
{
    if (c->controlled && c->why)
        fprintf(out, "  run under control, since %s\n", c->why);
    else if (c->not_comparable)
        fprintf(out, "  whether other runs can be compared with it cannot be told: %s\n", c->not_comparable);
    else if (c->comparable.open && !c->controlled)
        fprintf(out,
                "  not comparable: these two may come in either order, so a difference may be due to the schedule\n");
    else if (!c->controlled)
        fprintf(out, "  comparable: dependent accesses come in the same order in every run\n");
    if (c->comparable.closed)
        fprintf(out, "  Z3 found one order for %llu pairs that clocks had left open\n",
                (unsigned long long)c->comparable.closed);
    if (c->comparable.open && !c->comparable.certain && c->comparable.unasked)
        fprintf(out, "  (clocks leave the pair open, and there was no solver to ask: %s)\n", c->comparable.unasked);
    for (int side = 0; side < 2; side++)
        if (c->pair[side])
            fprintf(out, "    %s\n", c->pair[side]);
}

static void print_traces(const struct campaign *c, FILE *out)
{
    uint64_t records = 0;
    struct canonical_trace *golden = (struct canonical_trace *)(uintptr_t)&c->golden_trace; // names are looked up in it
    for (size_t i = 0; i < golden->count; i++)
        records += golden->threads[i].count;
    fprintf(out, "\n  golden trace: %zu threads, %llu records, %llu dependent pairs looked at in %.3f s\n",
            golden->count, (unsigned long long)records, (unsigned long long)c->comparable.dependent, c->check_seconds);
    print_comparable(c, out);
    if (c->comparable.elsewhere)
        fprintf(out, "  %llu accesses of memory that has no name were not looked at\n",
                (unsigned long long)c->comparable.elsewhere);
    if (c->varying[0] && (!c->controlled || c->golden_deviates))
        fprintf(out, "  it calls %s, which may answer something else each time\n", c->varying);
    if (c->request->naive)
        fprintf(out,
                "  of %u golden runs after the first %u deviate by addresses and order, %u by order alone, %u by "
                "canonical traces\n",
                c->golden.repeats - 1, c->golden.naive, c->golden.disorder, c->golden_deviates);
    if (c->golden_deviates)
        fprintf(out, "  %u of %u golden runs deviated from the first: the program does not do the same each time\n",
                c->golden_deviates, c->golden.repeats - 1);
    if (c->compared)
        fprintf(out, "  a run is compared in %.4f s; runs that deviate:", c->compare_seconds / (double)c->compared);
    for (int class = 0, told = 0; c->compared && class < CLASSES; class ++)
        if (campaign_count(c, (enum fault_class) class))
            fprintf(out, "%s%llu of %llu %s", told++ ? ", " : " ",
                    (unsigned long long)count_deviating(c, (enum fault_class) class),
                    (unsigned long long)campaign_count(c, (enum fault_class) class), class_names[class]);
    fprintf(out, "\n");
}

static uint64_t count_followed(const struct campaign *c)
{
    uint64_t n = 0;
    for (size_t i = c->taken_over; i < c->count; i++)
        n += !c->outcomes[i].departed;
    return n;
}

static void print_control(const struct campaign *c, FILE *out)
{
    fprintf(out,
            "  one thread ran at a time, by a schedule of %u turns drawn from %llu; %llu of %llu runs never "
            "departed from it\n",
            c->schedule.count, (unsigned long long)c->request->schedule, (unsigned long long)count_followed(c),
            (unsigned long long)(c->count - c->taken_over));
    if (c->golden.departed)
        fprintf(out,
                "  %u of %u runs without a fault could not follow it: the program does not do the same each time\n",
                c->golden.departed, c->golden.repeats - 1);
    if (c->golden.outside)
        fprintf(out, "  threads blocked %u times in calls that are not under control: their order may vary\n",
                c->golden.outside);
}

static void print_classes(const struct campaign *c, FILE *out)
{
    if (!c->count) {
        fprintf(out, "no fault was tried in %s\n", c->request->program.shown);
        return;
    }
    fprintf(out, "%zu fault%s in %s: ", c->count, c->count == 1 ? "" : "s", c->request->program.shown);
    for (int class = 0, told = 0; class < CLASSES; class ++)
        if (campaign_count(c, (enum fault_class) class))
            fprintf(out, "%s%llu %s", told++ ? ", " : "",
                    (unsigned long long)campaign_count(c, (enum fault_class) class), class_names[class]);
    fprintf(out, "\n");
}

void campaign_print(const struct campaign *c, FILE *out)
{
    double each = c->count > c->taken_over ? c->seconds / (double)(c->count - c->taken_over) : 0;
    print_classes(c, out);
    fprintf(out, "  %s; %zu places, %llu faults possible; %.1f runs/s, a run without a fault takes %.4f s\n",
            c->controlled ? "under control" : "natively", c->points.count, (unsigned long long)c->possible,
            each > 0 ? 1 / each : 0, c->golden.longest);
    print_golden(c, out);
    if (c->controlled)
        print_control(c, out);
    if (c->interrupted)
        fprintf(out, "  interrupted before all faults had been tried\n");
    if (c->count > 1)
        print_groups(c, out);
    if (c->count > 1)
        print_places(c, out);
    if (c->request->trace)
        print_traces(c, out);
    print_faults(c, out);
}

void campaign_print_again(const struct campaign *c, int expected, FILE *out)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct fault_outcome *o = &c->outcomes[i];
        struct buffer name = {0}, end = {0};
        fault_name(&c->points, &o->fault, &name);
        describe_end(o, &end);
        fprintf(out, "%s: %s (%s)", buffer_text(&name), class_names[o->class], buffer_text(&end));
        if (expected == (int)o->class)
            fprintf(out, ", as in the campaign");
        else if (expected >= 0 && expected < CLASSES)
            fprintf(out, "; in the campaign it was %s", class_names[expected]);
        fprintf(out, "\n");
        buffer_free(&name);
        buffer_free(&end);
    }
}

// ---- JSON ----

static cJSON *json_of_outcome(const struct campaign *c, const struct fault_outcome *o)
{
    const struct point *p = &c->points.point[o->fault.point];
    cJSON *json = json_object();
    struct buffer name = {0};
    fault_name(&c->points, &o->fault, &name);
    json_add_buffer(json, "fault", &name);
    json_add_text(json, "kind", injection_groups[o->fault.group].name);
    json_add_text(json, "call", injection_calls[p->call]);
    json_add_text(json, "place", p->place);
    json_add_text(json, "function", p->function);
    json_add_text(json, "thread", p->thread);
    json_add_number(json, "number", (double)o->fault.number);
    json_add_text(json, "class", class_names[o->class]);
    if (o->class != CLASS_HANG && WIFSIGNALED(o->status))
        json_add_number(json, "signal", WTERMSIG(o->status));
    else if (o->class != CLASS_HANG)
        json_add_number(json, "status", WEXITSTATUS(o->status));
    json_add_text(json, "said", o->said);
    json_add_number(json, "seconds", o->seconds);
    if (c->controlled) {
        json_add(json, "schedule_followed", json_made(cJSON_CreateBool(!o->departed)));
        json_add_number(json, "turns_followed", o->followed);
    }
    if (c->request->trace) {
        json_add(json, "deviates", json_made(cJSON_CreateBool(o->thread != NULL)));
        json_add_text(json, "first_thread", o->thread);
        json_add_text(json, "first_deviation", o->first);
        json_add_text(json, "deviation", o->thread ? deviation_words[o->kind] : NULL);
        json_add_number(json, "threads_reached", o->threads);
        json_add_number(json, "objects_reached", (double)o->objects);
        json_add_number(json, "records_reached", (double)o->spread);
        json_add_number(json, "latency", (double)o->latency);
    }
    return json;
}

static cJSON *json_of_group(const struct campaign *c, int group, uint64_t runs)
{
    cJSON *json = json_object();
    json_add_text(json, "kind", injection_groups[group].name);
    json_add_text(json, "seed", injection_groups[group].seed);
    json_add_number(json, "runs", (double)runs);
    cJSON *classes = json_object();
    for (int class = 0; class < CLASSES; class ++) {
        double low, high;
        uint64_t k = count_in_group(c, group, (enum fault_class) class);
        campaign_interval(k, runs, &low, &high);
        cJSON *share = json_object();
        json_add_number(share, "count", (double)k);
        json_add_number(share, "low", low);
        json_add_number(share, "high", high);
        json_add(classes, class_names[class], share);
    }
    json_add(json, "classes", classes);
    return json;
}

static cJSON *json_of_places(const struct campaign *c)
{
    struct place_row *rows = alloc_zeroed(c->points.count + 1, sizeof *rows);
    size_t n = gather_places(c, rows);
    cJSON *json = json_array();
    for (size_t i = 0; i < n; i++) {
        cJSON *row = json_object(), *classes = json_object();
        json_add_text(row, "place", rows[i].place);
        json_add_text(row, "call", rows[i].call);
        json_add_text(row, "function", *rows[i].function ? rows[i].function : NULL);
        json_add_number(row, "runs", (double)rows[i].runs);
        for (int class = 0; class < CLASSES; class ++)
            json_add_number(classes, class_names[class], (double)rows[i].count[class]);
        json_add(row, "classes", classes);
        json_append(json, row);
    }
    free(rows);
    return json;
}

// Under control every run has one order; what is left is whether the program does the same in it.
static bool is_comparable(const struct campaign *c)
{
    if (c->controlled)
        return !c->golden_deviates && !c->golden.departed && !c->golden.outside;
    return !c->not_comparable && !c->comparable.open;
}

int campaign_write_json(const struct campaign *c, FILE *out)
{
    cJSON *json = json_object(), *faults = json_array(), *groups = json_array();
    json_add_number(json, "version", 1);
    json_add_text(json, "program", c->request->program.shown);
    json_add_text(json, "mode", c->controlled ? "controlled" : "native");
    json_add_text(json, "why", c->controlled ? c->why : NULL);
    if (c->controlled) {
        json_add_number(json, "schedule_seed", (double)c->request->schedule);
        json_add_number(json, "schedule_turns", c->schedule.count);
        json_add_number(json, "schedule_followed", (double)count_followed(c));
        json_add_number(json, "golden_departed", c->golden.departed);
        json_add_number(json, "outside", c->golden.outside);
    }
    json_add_number(json, "places", (double)c->points.count);
    json_add_number(json, "possible", (double)c->possible);
    json_add_number(json, "seed", (double)c->request->seed);
    json_add(json, "complete", json_made(cJSON_CreateBool(!c->interrupted)));
    json_add(json, "output_varies", json_made(cJSON_CreateBool(c->golden.out_varies)));
    json_add(json, "order_of_lines_only", json_made(cJSON_CreateBool(c->golden.out_varies && !c->golden.order_varies)));
    json_add(json, "calls_vary", json_made(cJSON_CreateBool(c->golden.points_vary)));
    if (c->request->trace) {
        uint64_t records = 0;
        for (size_t i = 0; i < c->golden_trace.count; i++)
            records += c->golden_trace.threads[i].count;
        json_add(json, "comparable", json_made(cJSON_CreateBool(is_comparable(c))));
        json_add_text(json, "pair_one", c->pair[0]);
        json_add_text(json, "pair_other", c->pair[1]);
        json_add_number(json, "threads", (double)c->golden_trace.count);
        json_add_number(json, "records", (double)records);
        json_add_number(json, "locations", (double)c->comparable.locations);
        json_add_number(json, "dependent", (double)c->comparable.dependent);
        json_add_number(json, "open_pairs", (double)c->comparable.open);
        json_add_number(json, "pairs_closed_by_solver", (double)c->comparable.closed);
        json_add(json, "pair_certain", json_made(cJSON_CreateBool(c->comparable.certain)));
        json_add_text(json, "no_solver", c->comparable.unasked);
        json_add_number(json, "check_seconds", c->check_seconds);
        json_add_number(json, "compare_seconds", c->compared ? c->compare_seconds / (double)c->compared : 0);
        json_add_number(json, "golden_runs", c->golden.repeats - 1);
        json_add_number(json, "golden_deviates", c->golden_deviates);
        if (c->request->naive) {
            json_add_number(json, "golden_deviates_naively", c->golden.naive);
            json_add_number(json, "golden_deviates_in_order", c->golden.disorder);
        }
        json_add_text(json, "varying_calls", c->varying[0] ? c->varying : NULL);
    }
    json_add_number(json, "golden_seconds", c->golden.longest);
    json_add_number(json, "seconds", c->seconds);
    for (int group = 0; group < INJECTION_GROUPS; group++) {
        uint64_t n = count_in_group(c, group, CLASSES);
        if (n)
            json_append(groups, json_of_group(c, group, n));
    }
    json_add(json, "kinds", groups);
    json_add(json, "by_place", json_of_places(c));
    for (size_t i = 0; i < c->count; i++)
        json_append(faults, json_of_outcome(c, &c->outcomes[i]));
    json_add(json, "faults", faults);
    return json_write(json, out);
}
