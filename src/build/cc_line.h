// The command line of a C or C++ compiler, understood as far as it takes to split one call into compiling each source
// and linking the result. What is not known is a flag that goes to both steps, as it was written.
#ifndef BUILD_CC_LINE_H
#define BUILD_CC_LINE_H

#include <stdbool.h>

#include "base/strings.h"

enum line_part_kind {
    PART_FLAG,         // for compiling and linking
    PART_COMPILE_FLAG, // for compiling only
    PART_LINK_FLAG,    // for linking only; the compiler would complain
    PART_LANGUAGE,     // -x
    PART_OUTPUT,       // -o
    PART_SOURCE,       // to be compiled
    PART_INPUT,        // an object, archive, shared library or linker script
    PART_DROPPED       // not to be passed on at all
};

struct line_part {
    enum line_part_kind kind;
    const char *text;
    const char *argument; // the word after it, if it takes one
    const char *language; // of a source: what -x said, or null if its name tells
};

enum line_mode {
    LINE_QUERY,   // asks the compiler something: to be passed on as it is
    LINE_COMPILE, // one call that does not link
    LINE_LINK     // ends with linking; sources, if any, are compiled before
};

struct line {
    struct strings words; // owns all text
    struct line_part *part;
    size_t parts;
    enum line_mode mode;
    size_t sources;
    bool all_assembler;       // every source is assembler, where no instrumentation applies
    bool shared;              // links a shared library
    bool relocatable;         // links a partial object (-r)
    bool is_static;           // -static or -static-pie
    bool dependencies;        // -MD or -MMD
    bool dependency_file;     // -MF
    bool dependency_target;   // -MT or -MQ
    bool preprocesses;        // shows what the preprocessor makes of a file
    bool auxiliary_files;     // writes more files named after its output (coverage, kept temporaries)
    bool few_inlined;         // only functions that are declared inline are to be inlined
    bool memory_errors;       // what finds uses of memory that nobody wrote is to be kept (assembly_defined.h)
    bool flows;               // where values go that are read is to be kept (assembly_flows.h)
    bool openmp;              // compiled or linked with OpenMP
    bool clear_dead;          // values that nobody will read again are to be cleared (assembly_remains.h)
    const char *output;       // -o, or null
    const char *incompatible; // a sanitizer that heddle cannot be combined with, or null
};

// Reads argv[1…], with response files (@FILE) put in place of their names. line_free releases it.
void line_read(struct line *line, int argc, char **argv);
void line_free(struct line *line);

// Whether a source is assembler, by what -x said or by its name.
bool part_is_assembler(const struct line_part *source);

#endif
