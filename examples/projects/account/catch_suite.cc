#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <thread>

#include "account.h"

TEST_CASE("deposits add up", "[account]")
{
    struct account account;
    account_open(&account, 100);
    std::thread other([&] { account_deposit(&account, 10); });
    account_deposit(&account, 20);
    other.join();
    CHECK(account_balance(&account) == 130);
    account_close(&account);
}

TEST_CASE("an account is never overdrawn", "[account]")
{
    struct account account;
    account_open(&account, 100);
    std::thread other([&] { account_withdraw(&account, 80); });
    account_withdraw(&account, 80);
    other.join();
    CHECK(account_balance(&account) >= 0);
    account_close(&account);
}
