// Prices of options by the formula of Black and Scholes, the options shared out between two threads, several times over.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTIONS = 48, THREADS = 2, TIMES = 10 };

struct option {
    double spot, strike, rate, volatility, time;
    int put;
};

static struct option *options;
static double *prices;

// The cumulative normal distribution by a polynomial, and what it needs of the exponential function.
static double power_of_e(double x)
{
    double sum = 1, term = 1;
    for (int i = 1; i < 20; i++)
        sum += term *= x / i;
    return sum;
}

static double square_root(double x)
{
    double root = x > 1 ? x : 1;
    for (int i = 0; i < 20; i++)
        root = (root + x / root) / 2;
    return root;
}

static double logarithm(double x)
{
    double y = (x - 1) / (x + 1), square = y * y, sum = 0, power = y;
    for (int i = 1; i < 40; i += 2, power *= square)
        sum += power / i;
    return 2 * sum;
}

static double normal(double x)
{
    double t = 1 / (1 + 0.2316419 * (x < 0 ? -x : x));
    double density = 0.3989422804 * power_of_e(-x * x / 2);
    double tail = density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return x < 0 ? tail : 1 - tail;
}

static double price(const struct option *o)
{
    double root = square_root(o->time), spread = o->volatility * root;
    double first = (logarithm(o->spot / o->strike) + (o->rate + o->volatility * o->volatility / 2) * o->time) / spread;
    double second = first - spread, discounted = o->strike * power_of_e(-o->rate * o->time);
    return o->put ? discounted * (1 - normal(second)) - o->spot * (1 - normal(first))
                  : o->spot * normal(first) - discounted * normal(second);
}

static void *work(void *argument)
{
    long number = (long)argument;
    for (int k = 0; k < TIMES; k++)
        for (long i = number * OPTIONS / THREADS; i < (number + 1) * OPTIONS / THREADS; i++)
            prices[i] = price(&options[i]);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    char line[512];
    options = malloc(OPTIONS * sizeof *options);
    prices = calloc(OPTIONS, sizeof *prices);
    if (!options || !prices) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    for (int i = 0; i < OPTIONS; i++)
        options[i] = (struct option){90 + i % 20, 100, 0.05, 0.2 + 0.01 * (i % 5), 0.25 + 0.25 * (i % 4), i % 2};
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i))
            return 3;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < OPTIONS; i++)
        fwrite(line, 1, (size_t)snprintf(line, sizeof line, "%.6f\n", prices[i]), stdout);
    free(options);
    free(prices);
    return 0;
}
