// Stacks of all sizes: threads and main that use less than they have, or more. A program either stays well below the size of
// its stack, or goes well beyond it.
#include "draw.h"

#include <stdbool.h>

int main(int argc, char **argv)
{
    enum { USUAL = 8192, MARGIN = 96 }; // KiB
    static const unsigned sizes[] = {64, 128, 256, 1024, 2048, 8192, 12288, 16384, 20480, 65536};
    draw_begin(argc, argv);
    bool asks = draw(4) != 0, own = asks && draw(3) == 0, in_main = !asks && draw(2), bug = draw(2);
    unsigned size = asks ? sizes[draw(sizeof sizes / sizeof *sizes)] : USUAL;
    unsigned used = bug ? size + 2 * MARGIN + draw(4) * size : draw(2) ? size / 2 - draw(size / 4) : size - MARGIN / 2 - size / 8;
    bool frame = draw(2) || size > 1024, step = draw(2); // a deep recursion takes long to tell
    if (frame && bug && used > size + 3072)
        used = size + 3072; // what one frame skips is guarded no further
    printf("// expect: %s\n#include <pthread.h>\n#include <stdatomic.h>\n#include <string.h>\n\n", bug ? "bug signal" : "verified");
    printf("static atomic_int count;\n");
    if (own)
        printf("static char own[%uu << 10] __attribute__((aligned(4096)));\n", size);
    if (frame)
        printf("static int use(void)\n{\n    char room[%uu << 10], *volatile used = room;\n    memset(used, 1, sizeof room);\n    %s\n"
               "    return used[100] + used[sizeof room - 1];\n}\n\n",
               used, step ? "count++;" : "");
    else
        printf("static int down(int levels)\n{\n    char room[1024], *volatile used = room;\n    memset(used, levels, sizeof room);\n    if (levels)\n"
               "        return down(levels - 1) + used[levels %% 1024];\n    %s\n    return 0;\n}\n\n"
               "static int use(void)\n{\n    return down(%u);\n}\n\n",
               step ? "count++;" : "", bug ? used : used * 2 / 3);
    printf("static void *thread(void *argument)\n{\n    return %s ? argument : 0;\n}\n\n", in_main ? "count" : "use()");
    printf("int main(void)\n{\n    pthread_t t;\n");
    if (asks) {
        printf("    pthread_attr_t attributes;\n    pthread_attr_init(&attributes);\n");
        if (own)
            printf("    pthread_attr_setstack(&attributes, own, sizeof own);\n");
        else
            printf("    pthread_attr_setstacksize(&attributes, %uu << 10);\n", size);
    }
    printf("    pthread_create(&t, %s, thread, 0);\n    count++;\n", asks ? "&attributes" : "0");
    if (in_main)
        printf("    use();\n");
    printf("    pthread_join(t, 0);\n    return 0;\n}\n");
    return 0;
}
