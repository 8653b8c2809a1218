// Workflow commands of GitHub Actions ("::error file=…,line=…::…"), which show a bug beside the line of the source: a line for
// each bug (error), what is not verified (warning, or error if it could not be checked) and each tolerated bug (notice).
#include "report/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "report/finding.h"
#include "report/quote.h"

// Values of properties must not have what separates them; the message only must be one line.
static void put_escaped(FILE *out, const char *text, bool property)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

static void put_property(FILE *out, const char *before, const char *name, const char *value)
{
    fprintf(out, "%s%s=", before, name);
    put_escaped(out, value, true);
}

static void put_line(FILE *out, const struct report_summary *summary, const char *level, const char *title,
                     const char *file, int line, const char *message)
{
    struct buffer text = {0};
    fprintf(out, "::%s", level);
    put_property(out, " ", "file", file);
    fprintf(out, ",line=%d", line > 0 ? line : 1);
    buffer_add(&text, "heddle: %s", title);
    put_property(out, ",", "title", text.text);
    fputs("::", out);
    buffer_cut(&text, 0);
    if (summary->test)
        buffer_add(&text, "%s: ", summary->test);
    buffer_add(&text, "%s", message);
    put_escaped(out, text.text, false);
    fputc('\n', out);
    buffer_free(&text);
}

static void annotate_bug(FILE *out, const struct report_summary *summary, const struct report_bug *bug)
{
    struct finding f;
    struct buffer text = {0};
    struct symbols_place place;
    finding_open(&f, summary, bug);
    bool known = finding_place(&f, &place);
    finding_sentence(&f, &text);
    if (bug->schedule_path) {
        buffer_add(&text, "\nreplay: heddle replay ");
        quote_file(&text, bug->schedule_path);
    }
    put_line(out, summary, "error", bug_name(f.bug->kind), known ? place.file : summary->program,
             known ? place.line : 1, text.text);
    buffer_free(&text);
    finding_close(&f);
}

struct annotations {
    FILE *out; // kept until the text is complete
    char *text;
    size_t size;
};

static void *annotations_begin(const struct report_setting *setting)
{
    (void)setting;
    struct annotations *a = alloc_zeroed(1, sizeof *a);
    a->out = alloc_checked(open_memstream(&a->text, &a->size));
    return a;
}

static void annotations_add(void *report, const struct report_summary *summary)
{
    FILE *out = ((struct annotations *)report)->out;
    enum report_verdict verdict = report_verdict_of(summary);
    for (size_t i = 0; i < summary->bug_count; i++)
        annotate_bug(out, summary, &summary->bugs[i]);
    for (size_t i = 0; i < summary->tolerated_count; i++) {
        const struct report_tolerated *t = &summary->tolerated[i];
        struct buffer title = {0};
        buffer_add(&title, "%s %s", t->known ? "known" : "suppressed", bug_name(t->kind));
        put_line(out, summary, "notice", title.text, t->file ? t->file : summary->program, t->line, t->message);
        buffer_free(&title);
    }
    if (verdict == VERDICT_INCOMPLETE || verdict == VERDICT_ERROR)
        put_line(out, summary, verdict == VERDICT_ERROR ? "error" : "warning", summary->verdict, summary->program, 1,
                 summary->reason ? summary->reason : "not every interleaving was covered");
}

static int annotations_end(void *report, FILE *out, const struct report_end *end)
{
    (void)end;
    struct annotations *a = report;
    require(!fclose(a->out));
    fwrite(a->text, 1, a->size, out);
    free(a->text);
    free(a);
    return ferror(out) ? -1 : 0;
}

const struct report_format annotations_format = {"annotations",
                                                 "print a line for each bug that GitHub Actions shows in the source",
                                                 REPORT_BELOW_TEXT,
                                                 annotations_begin,
                                                 NULL,
                                                 annotations_add,
                                                 annotations_end};
