#include "cluster/tree_report.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/json_build.h"
#include "report/qtree_draw.h"
#include "report/svg.h"
#include "target/nodes/agreement.h"

enum { TITLE = 24, LEFT = 20 };

bool tree_report_has(void)
{
    return agreement_is_watched() && agreement_tree()->counts.instances > 0;
}

// The violation, if it is in this instance.
static const struct qtree_violation *violation_in(const struct cluster_result *r, uint32_t instance)
{
    const struct qtree_violation *v = agreement_violation();
    bool here = r->failure == FAILURE_AGREEMENT && v->event.instance == agreement_tree()->instance[instance].number;
    return here ? v : NULL;
}

// The next instance from this one on that is shown, or how many there are.
static uint32_t next_shown(const struct cluster_result *r, uint32_t instance)
{
    while (instance < agreement_tree()->counts.instances && r->failure == FAILURE_AGREEMENT &&
           !violation_in(r, instance))
        instance++;
    return instance;
}

static void name_tree(uint32_t instance, struct buffer *text)
{
    bool several = agreement_tree()->counts.instances > 1;
    buffer_add(text, several ? "quorum tree of instance " : "quorum tree");
    if (several)
        agreement_names.instance(NULL, agreement_tree()->instance[instance].number, text);
}

void tree_report_text(const struct cluster_result *r, FILE *out)
{
    struct qtree_shape shape;
    struct qtree_drawing drawing = {agreement_tree(), &agreement_names, &shape};
    qtree_shape_make(&shape, drawing.tree);
    for (uint32_t i = next_shown(r, 0); i < drawing.tree->counts.instances; i = next_shown(r, i + 1)) {
        struct buffer title = {0};
        name_tree(i, &title);
        fprintf(out, "\n  %s:\n", buffer_text(&title));
        qtree_text(&drawing, i, violation_in(r, i), out);
        buffer_free(&title);
    }
    qtree_shape_free(&shape);
}

cJSON *tree_report_json(const struct cluster_result *r)
{
    struct qtree_shape shape;
    struct qtree_drawing drawing = {agreement_tree(), &agreement_names, &shape};
    cJSON *trees = json_array();
    qtree_shape_make(&shape, drawing.tree);
    for (uint32_t i = next_shown(r, 0); i < drawing.tree->counts.instances; i = next_shown(r, i + 1))
        json_append(trees, qtree_json(&drawing, i));
    qtree_shape_free(&shape);
    return trees;
}

struct tale_annex tree_report_annex(const struct cluster_result *r, int top)
{
    struct qtree_shape shape;
    struct qtree_drawing drawing = {agreement_tree(), &agreement_names, &shape};
    char *body = NULL;
    size_t length = 0;
    int y = top;
    FILE *memory = alloc_checked(open_memstream(&body, &length));
    qtree_shape_make(&shape, drawing.tree);
    for (uint32_t i = next_shown(r, 0); i < drawing.tree->counts.instances; i = next_shown(r, i + 1)) {
        struct buffer title = {0};
        name_tree(i, &title);
        svg_text(memory, LEFT, y + TITLE / 2, "start", buffer_text(&title));
        y += TITLE + qtree_svg_group(&drawing, i, violation_in(r, i), y + TITLE, memory);
        buffer_free(&title);
    }
    qtree_shape_free(&shape);
    fclose(memory);
    return (struct tale_annex){.style = qtree_svg_style, .body = alloc_checked(body), .height = y - top};
}
