// Files that are memory of the program, so that heddle sees every access to them and can put them back: given to the
// compiler by -include, in front of lmdb's sources, whose calls of the system they answer.
#ifndef MEMORY_FILES_H
#define MEMORY_FILES_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

int memory_open(const char *path, int flags, ...);
int memory_close(int fd);
int memory_fcntl(int fd, int command, ...);
int memory_fstat(int fd, struct stat *to);
int memory_fstatfs(int fd, struct statfs *to);
int memory_ftruncate(int fd, off_t size);
off_t memory_lseek(int fd, off_t to, int whence);
ssize_t memory_pread(int fd, void *to, size_t size, off_t at);
ssize_t memory_pwrite(int fd, const void *from, size_t size, off_t at);
ssize_t memory_writev(int fd, const struct iovec *parts, int count);
int memory_sync(int fd);
void *memory_map(void *near, size_t size, int protection, int flags, int fd, off_t at);
int memory_unmap(void *start, size_t size);
int memory_advise(void *start, size_t size, int advice);

#ifndef MEMORY_FILES_THEMSELVES
#define open memory_open
#define close memory_close
#define fcntl memory_fcntl
#define fstat memory_fstat
#define fstatfs memory_fstatfs
#define ftruncate memory_ftruncate
#define lseek memory_lseek
#define pread memory_pread
#define pwrite memory_pwrite
#define writev memory_writev
#define fdatasync memory_sync
#define mmap memory_map
#define munmap memory_unmap
#define madvise memory_advise
#endif

#endif
