#include <gtest/gtest.h>

#include <thread>

#include "account.h"

class Account : public ::testing::Test {
protected:
    void SetUp() override { account_open(&account, 100); }
    void TearDown() override { account_close(&account); }
    struct account account;
};

TEST_F(Account, DepositsAddUp)
{
    std::thread other([this] { account_deposit(&account, 10); });
    account_deposit(&account, 20);
    other.join();
    EXPECT_EQ(account_balance(&account), 130);
}

TEST_F(Account, IsNeverOverdrawn)
{
    std::thread other([this] { account_withdraw(&account, 80); });
    account_withdraw(&account, 80);
    other.join();
    EXPECT_GE(account_balance(&account), 0) << "after two withdrawals of 80";
}
