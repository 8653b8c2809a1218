// The destructor writes again where the virtual functions are, while the other thread may still call one of them, and then
// waits for it.
#include <pthread.h>

struct base {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t over = PTHREAD_COND_INITIALIZER;
    bool used = false;
    virtual void use()
    {
        pthread_mutex_lock(&mutex);
        used = true;
        pthread_cond_signal(&over);
        pthread_mutex_unlock(&mutex);
    }
    virtual ~base() {}
};

struct user : base {
    ~user() override
    {
        pthread_mutex_lock(&mutex);
        while (!used)
            pthread_cond_wait(&over, &mutex);
        pthread_mutex_unlock(&mutex);
    }
};

static void *work(void *object)
{
    static_cast<base *>(object)->use();
    return nullptr;
}

int main()
{
    base *object = new user;
    pthread_t thread;
    pthread_create(&thread, nullptr, work, object);
    object->~base();
    pthread_join(thread, nullptr);
}
