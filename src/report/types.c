#include "report/types.h"

#include <dwarf.h>
#include <string.h>

enum { MAX_DIMENSIONS = 8 };

bool types_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

// Types whose insides mean nothing to the user.
static bool opaque_name(const char *name)
{
    static const char *const names[] = {"sem_t", "mtx_t", "cnd_t", "once_flag", "FILE"};
    if (!name)
        return false;
    if (!strncmp(name, "pthread_", 8))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

// Takes typedefs and qualifiers off; false for void. *opaque tells whether a name on the way stops us.
static bool strip(Dwarf_Die *type, Dwarf_Die *bare, bool *opaque)
{
    Dwarf_Die at = *type;
    *opaque = false;
    for (int depth = 0; depth < 64; depth++) {
        switch (dwarf_tag(&at)) {
        case DW_TAG_typedef:
            *opaque = *opaque || opaque_name(dwarf_diename(&at));
            // fall through
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type: {
            Dwarf_Die next;
            if (!types_of(&at, &next))
                return false;
            at = next;
            break;
        }
        default:
            *bare = at;
            return true;
        }
    }
    return false;
}

uint64_t types_size(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word))
        return false;
    *number = word;
    return true;
}

struct member {
    Dwarf_Die die, type;
    uint64_t bit, bits; // where it is; bits is 0 for an array without a bound
    bool bit_field;
};

static bool read_member(Dwarf_Die *die, struct member *m)
{
    uint64_t bytes = 0, bits;
    m->die = *die;
    if (!types_of(die, &m->type))
        return false;
    number_of(die, DW_AT_data_member_location, &bytes);
    m->bit = bytes * 8;
    m->bit_field = number_of(die, DW_AT_bit_size, &bits);
    if (!m->bit_field) {
        Dwarf_Die bare;
        bool opaque;
        m->bits = types_size(&m->type) * 8;
        return m->bits || (strip(&m->type, &bare, &opaque) && dwarf_tag(&bare) == DW_TAG_array_type);
    }
    uint64_t offset;
    if (number_of(die, DW_AT_data_bit_offset, &offset))
        m->bit = offset;
    m->bits = bits;
    return true;
}

static bool covers(const struct member *m, uint64_t offset, uint64_t size)
{
    if (m->bits == 0)
        return offset * 8 >= m->bit;
    return offset * 8 >= m->bit && (offset + (size ? size : 1)) * 8 <= m->bit + m->bits;
}

static bool touches(const struct member *m, uint64_t offset, uint64_t size)
{
    return m->bit < (offset + size) * 8 && offset * 8 < m->bit + m->bits;
}

// Whether going down into this member ends at a part that is exactly the bytes.
static bool leads_to(struct member *m, uint64_t offset, uint64_t size)
{
    struct buffer ignored = {0};
    Dwarf_Die part;
    uint64_t left = types_path(&m->type, offset - m->bit / 8, size, &ignored, &part);
    buffer_free(&ignored);
    return left == 0 && types_size(&part) == size;
}

// The member or base class that holds the bytes; of several (a union) one with a part of exactly that size is better. Where a
// virtual base class is shows only at run time.
static bool find_part(Dwarf_Die *record, int tag, uint64_t offset, uint64_t size, struct member *found)
{
    Dwarf_Die child;
    bool any = false;
    if (dwarf_child(record, &child))
        return false;
    do {
        struct member m;
        if (dwarf_tag(&child) != tag || dwarf_hasattr(&child, DW_AT_virtuality) || !read_member(&child, &m) ||
            m.bit_field || !covers(&m, offset, size))
            continue;
        if (dwarf_tag(record) != DW_TAG_union_type || leads_to(&m, offset, size)) {
            *found = m;
            return true;
        }
        if (!any)
            *found = m;
        any = true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return any;
}

// Members first: a base class without any has a byte of its own all the same.
static bool find_member(Dwarf_Die *record, uint64_t offset, uint64_t size, struct member *found)
{
    return find_part(record, DW_TAG_member, offset, size, found) ||
           find_part(record, DW_TAG_inheritance, offset, size, found);
}

// Bit-fields share bytes: all that the access touches are named, "a|b".
static void add_bit_fields(Dwarf_Die *record, uint64_t offset, uint64_t size, struct buffer *path)
{
    Dwarf_Die child;
    const char *before = ".";
    if (dwarf_child(record, &child))
        return;
    do {
        struct member m;
        if (dwarf_tag(&child) != DW_TAG_member || !read_member(&child, &m))
            continue;
        const char *name = dwarf_diename(&child);
        if (!m.bit_field || !name || !touches(&m, offset, size))
            continue;
        buffer_add(path, "%s%s", before, name);
        before = "|";
    } while (dwarf_siblingof(&child, &child) == 0);
}

static int dimensions(Dwarf_Die *array, uint64_t counts[MAX_DIMENSIONS])
{
    Dwarf_Die child;
    int count = 0;
    if (dwarf_child(array, &child))
        return 0;
    do {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || count == MAX_DIMENSIONS)
            continue;
        uint64_t upper;
        counts[count] = 0;
        if (!number_of(&child, DW_AT_count, &counts[count]) && number_of(&child, DW_AT_upper_bound, &upper))
            counts[count] = upper + 1;
        count++;
    } while (dwarf_siblingof(&child, &child) == 0);
    return count;
}

static void add_indices(Dwarf_Die *array, uint64_t index, struct buffer *path)
{
    uint64_t counts[MAX_DIMENSIONS];
    int count = dimensions(array, counts);
    for (int i = 0; i < count; i++) {
        uint64_t below = 1;
        for (int j = i + 1; j < count; j++)
            below *= counts[j] ? counts[j] : 1;
        buffer_add(path, "[%llu]", (unsigned long long)(index / below));
        index %= below;
    }
}

// One step down; false if the bytes are not within one part.
static bool descend(Dwarf_Die *bare, uint64_t *offset, uint64_t size, struct buffer *path, Dwarf_Die *part)
{
    int tag = dwarf_tag(bare);
    if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type) {
        struct member m;
        if (!find_member(bare, *offset, size, &m)) {
            add_bit_fields(bare, *offset, size, path);
            return false;
        }
        const char *name = dwarf_diename(&m.die);
        if (name)
            buffer_add(path, ".%s", name);
        *offset -= m.bit / 8;
        *part = m.type;
        return true;
    }
    if (tag != DW_TAG_array_type || !types_of(bare, part))
        return false;
    uint64_t each = types_size(part);
    if (each == 0 || *offset % each + size > each)
        return false;
    add_indices(bare, *offset / each, path);
    *offset %= each;
    return true;
}

static uint64_t whole_path(Dwarf_Die *type, uint64_t offset, uint64_t size, struct buffer *path, Dwarf_Die *part)
{
    *part = *type;
    for (int depth = 0; depth < 64; depth++) {
        Dwarf_Die bare, next;
        bool opaque;
        size_t before = path->length;
        if (!strip(part, &bare, &opaque) || opaque)
            break;
        if (!descend(&bare, &offset, size, path, &next))
            return path->length > before ? 0 : offset;
        *part = next;
    }
    return offset;
}

uint64_t types_path(Dwarf_Die *type, uint64_t offset, uint64_t size, struct buffer *path, Dwarf_Die *part)
{
    size_t before = path->length;
    uint64_t left = whole_path(type, offset, size, path, part);
    const char *own =
        path->length > before ? strstr(path->text + before, "._M_") : NULL; // as libstdc++ calls its members
    if (!own)
        return left;
    buffer_cut(path, (size_t)(own - path->text));
    return 0;
}

bool types_is_users(Dwarf_Die *type)
{
    Dwarf_Die bare;
    bool opaque;
    if (!strip(type, &bare, &opaque) || opaque)
        return false;
    int tag = dwarf_tag(&bare);
    const char *name = dwarf_diename(&bare) ? dwarf_diename(&bare) : dwarf_diename(type);
    return (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type) && name &&
           name[0] != '_';
}

bool types_same(Dwarf_Die *a, Dwarf_Die *b)
{
    Dwarf_Die x, y;
    bool opaque;
    return strip(a, &x, &opaque) && strip(b, &y, &opaque) && x.addr == y.addr;
}

bool types_is_atomic(Dwarf_Die *type)
{
    Dwarf_Die at = *type;
    for (int depth = 0; depth < 64; depth++) {
        int tag = dwarf_tag(&at);
        Dwarf_Die next;
        if (tag == DW_TAG_atomic_type)
            return true;
        if ((tag != DW_TAG_typedef && tag != DW_TAG_volatile_type && tag != DW_TAG_const_type) || !types_of(&at, &next))
            return false;
        at = next;
    }
    return false;
}

bool types_is_text(Dwarf_Die *type)
{
    Dwarf_Die bare, each;
    bool opaque;
    return strip(type, &bare, &opaque) && dwarf_tag(&bare) == DW_TAG_array_type && types_of(&bare, &each) &&
           types_size(&each) == 1 &&
           (types_is(&each, "char") || types_is(&each, "unsigned char") || types_is(&each, "signed char"));
}

static bool enumerator(Dwarf_Die *bare, int64_t value, struct buffer *out)
{
    Dwarf_Die child;
    if (dwarf_child(bare, &child))
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword known;
        if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_attr(&child, DW_AT_const_value, &attribute) ||
            dwarf_formsdata(&attribute, &known) || (uint32_t)known != (uint32_t)value || !dwarf_diename(&child))
            continue;
        buffer_add(out, "%s", dwarf_diename(&child));
        return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static int64_t sign_extend(uint64_t value, uint32_t size)
{
    unsigned shift = 64 - 8 * size;
    return (int64_t)(value << shift) >> shift;
}

static void add_character(uint64_t value, struct buffer *out)
{
    unsigned char c = (unsigned char)value;
    if (c >= ' ' && c < 127)
        buffer_add(out, "'%c'", c);
    else if (c == 0)
        buffer_add(out, "'\\0'");
    else
        buffer_add(out, "%d", (signed char)c);
}

static bool add_float(uint64_t value, uint32_t size, struct buffer *out)
{
    float single;
    double number;
    uint32_t low = (uint32_t)value;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &value, sizeof number);
    if (size == 4)
        number = (double)single;
    else if (size != 8)
        return false;
    buffer_add(out, "%.*g", size == 4 ? 7 : 15, number);
    return true;
}

static bool base_value(Dwarf_Die *bare, uint64_t value, uint32_t size, struct buffer *out)
{
    uint64_t encoding;
    if (!number_of(bare, DW_AT_encoding, &encoding))
        return false;
    switch (encoding) {
    case DW_ATE_boolean:
        buffer_add(out, value == 0 ? "false" : value == 1 ? "true" : "%llu", (unsigned long long)value);
        return true;
    case DW_ATE_signed:
        buffer_add(out, "%lld", (long long)sign_extend(value, size));
        return true;
    case DW_ATE_unsigned:
        buffer_add(out, value < 1u << 24 ? "%llu" : "0x%llx", (unsigned long long)value);
        return true;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
        add_character(value, out);
        return true;
    case DW_ATE_float:
        return add_float(value, size, out);
    default:
        return false;
    }
}

bool types_value(Dwarf_Die *type, uint64_t value, uint32_t size, struct buffer *out)
{
    Dwarf_Die bare;
    bool opaque;
    if (size == 0 || size > 8 || !strip(type, &bare, &opaque) || opaque || types_size(&bare) != size)
        return false;
    if (size < 8)
        value &= (UINT64_C(1) << 8 * size) - 1;
    if (dwarf_tag(&bare) == DW_TAG_enumeration_type) {
        if (!enumerator(&bare, sign_extend(value, size), out))
            buffer_add(out, "%lld", (long long)sign_extend(value, size));
        return true;
    }
    return dwarf_tag(&bare) == DW_TAG_base_type && base_value(&bare, value, size, out);
}

bool types_is(Dwarf_Die *type, const char *name)
{
    Dwarf_Die at = *type, next;
    for (int depth = 0; depth < 64; depth++, at = next) {
        const char *own = dwarf_diename(&at);
        if (own && !strcmp(own, name))
            return true;
        if (dwarf_tag(&at) != DW_TAG_typedef || !types_of(&at, &next))
            return false;
    }
    return false;
}

bool types_is_pointer(Dwarf_Die *type)
{
    Dwarf_Die bare;
    bool opaque;
    return strip(type, &bare, &opaque) && dwarf_tag(&bare) == DW_TAG_pointer_type;
}

bool types_pointee(Dwarf_Die *type, Dwarf_Die *target)
{
    Dwarf_Die bare, beyond;
    bool opaque;
    return strip(type, &bare, &opaque) && dwarf_tag(&bare) == DW_TAG_pointer_type && types_of(&bare, target) &&
           strip(target, &beyond, &opaque) && dwarf_tag(&beyond) != DW_TAG_subroutine_type;
}

void types_name(Dwarf_Die *type, struct buffer *out)
{
    Dwarf_Die bare;
    bool opaque;
    const char *name = dwarf_diename(type);
    bool general =
        name && (!strcmp(name, "element_type") || !strcmp(name, "value_type")); // as templates of C++ call it
    if (dwarf_tag(type) == DW_TAG_typedef && name && !general) {
        buffer_add(out, "%s", name);
        return;
    }
    if (!strip(type, &bare, &opaque) || !(name = dwarf_diename(&bare)))
        return;
    int tag = dwarf_tag(&bare);
    const char *word = tag == DW_TAG_structure_type ? "struct " : tag == DW_TAG_union_type ? "union " : "";
    buffer_add(out, "%s%s", word, name);
}
