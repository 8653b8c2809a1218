// Abseil's Mutex, with its conditions, and what is built on it.
#include <heddle/heddle.h>
#include <pthread.h>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

static absl::Mutex mutex;
static absl::CondVar changed;
static int counter, other;
static bool ready;

static void run_both(void *(*one)(void *), void *(*two)(void *))
{
    pthread_t t[2];
    pthread_create(&t[0], nullptr, one, nullptr);
    pthread_create(&t[1], nullptr, two, nullptr);
    for (pthread_t each : t)
        pthread_join(each, nullptr);
}

static void *adds(void *)
{
    absl::MutexLock lock(&mutex);
    counter++;
    return nullptr;
}

static void *reads(void *)
{
    absl::ReaderMutexLock lock(&mutex);
    heddle_assert(counter == other);
    return nullptr;
}

static void *writes(void *)
{
    absl::WriterMutexLock lock(&mutex);
    counter++;
    other++;
    return nullptr;
}

static void *sets(void *)
{
    absl::MutexLock lock(&mutex);
    ready = true;
    return nullptr;
}

static void *awaits(void *)
{
    mutex.LockWhen(absl::Condition(&ready));
    heddle_assert(ready);
    mutex.Unlock();
    return nullptr;
}

static void *signals(void *)
{
    mutex.Lock();
    ready = true;
    mutex.Unlock();
    changed.Signal();
    return nullptr;
}

static void *waits(void *)
{
    mutex.Lock();
    while (!ready)
        changed.Wait(&mutex);
    mutex.Unlock();
    return nullptr;
}

heddle_test("two threads lock")
{
    run_both(adds, adds);
    heddle_assert(counter == 2);
}

heddle_test("a reader beside a writer")
{
    run_both(reads, writes);
}

heddle_test("one waits for a condition")
{
    run_both(awaits, sets);
}

heddle_test("one waits for a signal")
{
    run_both(waits, signals);
}

heddle_test("a notification")
{
    static absl::Notification *done = new absl::Notification;
    run_both(
        [](void *) -> void * {
            counter = 1;
            done->Notify();
            return nullptr;
        },
        [](void *) -> void * {
            done->WaitForNotification();
            heddle_assert(counter == 1);
            return nullptr;
        });
}
