// Death tests of googletest, which run their statement in a process of their own.
#include <gtest/gtest.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
TEST(Dies, Aborts)
{
    EXPECT_DEATH(abort(), "");
}
TEST(Dies, Exits)
{
    EXPECT_EXIT(exit(3), testing::ExitedWithCode(3), "");
}
TEST(Dies, ExitsOtherwise)
{
    EXPECT_EXIT(exit(4), testing::ExitedWithCode(3), "");
}
TEST(Dies, NotAtAll)
{
    EXPECT_DEATH((void)0, "");
}
TEST(Dies, Killed)
{
    EXPECT_EXIT(raise(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}
TEST(Dies, Says)
{
    EXPECT_DEATH((fputs("too bad\n", stderr), abort()), "too bad");
}
TEST(Dies, SaysOtherwise)
{
    EXPECT_DEATH((fputs("too good\n", stderr), abort()), "too bad");
}
static int owner;
static std::mutex lock;
static void take(int who)
{
    std::lock_guard<std::mutex> held(lock);
    if (owner && owner != who)
        abort();
    owner = who;
}
TEST(Dies, AfterThreads)
{
    std::thread one([] { take(1); });
    one.join();
    EXPECT_DEATH(take(2), "");
}
TEST(Dies, BesideThreads)
{
    std::thread one([] { take(1); });
    EXPECT_DEATH(take(2), "");
    one.join();
}
