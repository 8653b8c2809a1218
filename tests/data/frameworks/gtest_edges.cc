// Tests of googletest and googlemock that fail or not in ways of their own; tests/frameworks.test.sh says which.
#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> seen;

TEST(Threads, AssertInThread)
{
    seen = 0;
    std::thread other([] { EXPECT_EQ(seen.load(), 0); });
    seen = 1;
    other.join();
}

TEST(Threads, Skipped)
{
    GTEST_SKIP() << "not here";
}

TEST(Threads, DISABLED_Off)
{
    FAIL();
}

TEST(Threads, Succeeds)
{
    SUCCEED();
}

TEST(Threads, Throws)
{
    seen = 0;
    std::thread other([] { seen = 1; });
    bool early = seen;
    other.join();
    if (early)
        throw std::runtime_error("early");
}

class Parameter : public testing::TestWithParam<int> {
};

TEST_P(Parameter, IsSmall)
{
    EXPECT_LT(GetParam(), 2);
}

INSTANTIATE_TEST_SUITE_P(Two, Parameter, testing::Values(1, 2));

struct sink {
    virtual ~sink() {}
    virtual void put(int) = 0;
};

struct mock_sink : sink {
    MOCK_METHOD(void, put, (int), (override));
};

TEST(Mock, CalledOnce)
{
    testing::StrictMock<mock_sink> sink;
    EXPECT_CALL(sink, put(1)).Times(1);
    seen = 0;
    std::thread other([] { seen = 1; });
    sink.put(1);
    if (seen)
        sink.put(1);
    other.join();
}

int main(int count, char **words)
{
    testing::InitGoogleMock(&count, words);
    return RUN_ALL_TESTS();
}
