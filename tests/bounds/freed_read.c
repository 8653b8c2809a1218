// expect: verified
// A list is freed with the next node read before.
#include <stdlib.h>

struct node {
    struct node *next;
};

struct node *list;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
