// File system (Flanagan and Godefroid 2005): N threads each give an inode its first block. Thread t (from 0) takes
// inode t mod 32 and, if that is empty, the first free block from 2 * inode mod 26 on; a lock per inode and per block.
//
// Threads t and t + 13 meet at block 2t; whoever comes second takes block 2t + 1, which nobody else tries. Two orders
// for each such pair: 2^(N - 13) traces for N from 13 to 26, 8,192 for N = 26.
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 26
#endif

enum { INODES = 32, BLOCKS = 26 };

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES]; // its block + 1, or 0; protected by its lock
static bool busy[BLOCKS]; // protected by the block's lock

static void *worker(void *number)
{
    int i = (int)(intptr_t)number % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int block = i * 2 % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&block_lock[block]);
            if (!busy[block]) {
                busy[block] = true;
                inode[i] = block + 1;
                pthread_mutex_unlock(&block_lock[block]);
                break;
            }
            pthread_mutex_unlock(&block_lock[block]);
            block = (block + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
