#include "build/assembly/assembly_cfi.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_machine.h"

static uint32_t register_of_rule(const char *text)
{
    return strstr(text, "rbp") || *text == '6'   ? MACHINE_RBP
           : strstr(text, "rsp") || *text == '7' ? MACHINE_RSP
                                                 : MACHINE_GENERAL;
}

bool cfi_read(struct cfi *cfi, const char *text)
{
    const char *operands = text_skip_blanks(text + strcspn(text, " \t"));
    struct cfi_rule *r = &cfi->rule;
    if (text_begins(text, ".cfi_startproc"))
        *r = (struct cfi_rule){true, MACHINE_RSP, 8};
    else if (text_begins(text, ".cfi_def_cfa_offset"))
        r->offset = strtol(operands, NULL, 0);
    else if (text_begins(text, ".cfi_adjust_cfa_offset"))
        r->offset += strtol(operands, NULL, 0);
    else if (text_begins(text, ".cfi_def_cfa_register"))
        r->reg = register_of_rule(operands);
    else if (text_begins(text, ".cfi_def_cfa"))
        *r =
            (struct cfi_rule){true, register_of_rule(operands), strtol(operands + strcspn(operands, ",") + 1, NULL, 0)};
    else if (text_begins(text, ".cfi_remember_state") && cfi->kept_count < 8)
        cfi->kept[cfi->kept_count++] = *r;
    else if (text_begins(text, ".cfi_restore_state") && cfi->kept_count)
        *r = cfi->kept[--cfi->kept_count];
    else if (text_begins(text, ".cfi_escape"))
        r->known = false; // an expression
    else
        return false;
    r->known &= r->reg < MACHINE_GENERAL;
    return true;
}
