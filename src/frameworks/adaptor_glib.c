// GLib: its program lists and selects tests itself. What its assertions say is reported where they fail.
#include "frameworks/adaptor.h"

#include <stdarg.h>

void __wrap_g_assertion_message(const char *domain, const char *file, int line, const char *function, const char *text);
void __real_g_assertion_message(const char *domain, const char *file, int line, const char *function, const char *text);
void __wrap_g_assertion_message_expr(const char *domain, const char *file, int line, const char *function,
                                     const char *expression);
void __real_g_assertion_message_expr(const char *domain, const char *file, int line, const char *function,
                                     const char *expression);
void __wrap_g_assertion_message_cmpstr(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, const char *left, const char *compare,
                                       const char *right);
void __real_g_assertion_message_cmpstr(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, const char *left, const char *compare,
                                       const char *right);
void __wrap_g_assertion_message_cmpnum(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, long double left, const char *compare, long double right,
                                       char type);
void __real_g_assertion_message_cmpnum(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, long double left, const char *compare, long double right,
                                       char type);
void __wrap_g_test_fail(void);
void __real_g_test_fail(void);
void __wrap_g_test_fail_printf(const char *format, ...);

void __wrap_g_assertion_message(const char *domain, const char *file, int line, const char *function, const char *text)
{
    adaptor_fail(text, file, line);
    __real_g_assertion_message(domain, file, line, function, text);
}

void __wrap_g_assertion_message_expr(const char *domain, const char *file, int line, const char *function,
                                     const char *expression)
{
    adaptor_fail(expression ? expression : "code should not be reached", file, line);
    __real_g_assertion_message_expr(domain, file, line, function, expression);
}

void __wrap_g_assertion_message_cmpstr(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, const char *left, const char *compare, const char *right)
{
    char text[1024];
    snprintf(text, sizeof text, "%s: (%s%.300s%s %s %s%.300s%s)", expression, left ? "\"" : "", left ? left : "NULL",
             left ? "\"" : "", compare, right ? "\"" : "", right ? right : "NULL", right ? "\"" : "");
    adaptor_fail(text, file, line);
    __real_g_assertion_message_cmpstr(domain, file, line, function, expression, left, compare, right);
}

// `type` is i for integers, x for those in hexadecimal, f for others.
void __wrap_g_assertion_message_cmpnum(const char *domain, const char *file, int line, const char *function,
                                       const char *expression, long double left, const char *compare, long double right,
                                       char type)
{
    char text[1024];
    if (type == 'x')
        snprintf(text, sizeof text, "%s: (0x%08llx %s 0x%08llx)", expression, (unsigned long long)left, compare,
                 (unsigned long long)right);
    else
        snprintf(text, sizeof text, type == 'f' ? "%s: (%.9Lg %s %.9Lg)" : "%s: (%.0Lf %s %.0Lf)", expression, left,
                 compare, right);
    adaptor_fail(text, file, line);
    __real_g_assertion_message_cmpnum(domain, file, line, function, expression, left, compare, right, type);
}

void __wrap_g_test_fail(void)
{
    adaptor_fail("g_test_fail was called", "", 0);
    __real_g_test_fail();
}

// Since GLib 2.70; without heddle it is taken for g_test_fail.
void __wrap_g_test_fail_printf(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    adaptor_fail(text, "", 0);
    printf("# %s\n", text);
    __real_g_test_fail();
}
