// A pipeline of STAGES workers, each with a mutex, a condition variable and one slot. A worker that finds its slot filled when it comes
// to wait goes on at once; only the last stage looks with `if' where it needs `while': it fails where a message that was
// withdrawn has woken it. The withdrawal has to come between the signal and the time it runs, at the end of the pipeline.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef STAGES
#define STAGES 6
#endif

static struct stage {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int messages;
} stage[STAGES];

static void send_to(struct stage *s)
{
    pthread_mutex_lock(&s->lock);
    s->messages++;
    pthread_cond_signal(&s->filled);
    pthread_mutex_unlock(&s->lock);
}

static void *pass_on(void *number)
{
    intptr_t n = (intptr_t)number;
    struct stage *s = &stage[n];
    pthread_mutex_lock(&s->lock);
    while (!s->messages)
        pthread_cond_wait(&s->filled, &s->lock);
    s->messages--;
    pthread_mutex_unlock(&s->lock);
    send_to(&stage[n + 1]);
    return NULL;
}

static void *receive(void *unused)
{
    struct stage *s = &stage[STAGES - 1];
    pthread_mutex_lock(&s->lock);
    if (!s->messages)
        pthread_cond_wait(&s->filled, &s->lock);
    assert(s->messages);
    s->messages--;
    pthread_mutex_unlock(&s->lock);
    return unused;
}

static void *withdraw(void *unused)
{
    struct stage *s = &stage[STAGES - 1];
    pthread_mutex_lock(&s->lock);
    int withdrawn = s->messages;
    s->messages = 0;
    pthread_mutex_unlock(&s->lock);
    for (; withdrawn; withdrawn--)
        send_to(s);
    return unused;
}

int main(void)
{
    pthread_t thread[STAGES + 1];
    for (intptr_t i = 0; i < STAGES; i++) {
        pthread_mutex_init(&stage[i].lock, NULL);
        pthread_cond_init(&stage[i].filled, NULL);
    }
    for (intptr_t i = 0; i < STAGES - 1; i++)
        pthread_create(&thread[i], NULL, pass_on, (void *)i);
    pthread_create(&thread[STAGES - 1], NULL, receive, NULL);
    pthread_create(&thread[STAGES], NULL, withdraw, NULL);
    send_to(&stage[0]);
    for (int i = 0; i <= STAGES; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
