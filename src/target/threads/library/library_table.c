// Which functions stand here was decided by going through all functions that the libraries export (glibc 2.36,
// libstdc++ 12):
//
//                     exported   defined by heddle   in the table   not known
//     libc.so.6          2,594                 577            290       1,727
//     libm.so.6          1,146                   0          1,047          99
//     libstdc++.so.6     4,467                   6            588       3,873
//
// - Heddle *defines* functions that block, are events, allocate, have formats, or write as much as they find (strsep,
//   sscanf).
// - The *table* has functions that compute from values, whose accesses follow from the arguments, or that keep what
//   they have under a lock or once for each thread, so that nobody can see an order (inet_ntoa, newlocale, gettext).
// - Left out on purpose are functions that keep something for all threads without a lock (getpwnam, hsearch, ecvt),
//   that change how others work (setlocale, umask, most of prctl), that depend on the machine's state (std::random_device), and rare ones. Of the C library's 1,733, names
//   inside glibc that begin with an underscore are 681; others are RPC, the resolver, accounts and terminals. Of
//   libstdc++ it is locales, wchar_t streams and old strings.
//
// C++: most of its code is in headers and has hooks. What is left:
//
// - std::string would be in the library for the compiler (`extern template`), where a race on it is not seen. `heddle
//   cc` defines _GLIBCXX_ASSERTIONS, which takes that declaration away, and makes the library check indices and
//   iterators as well.
// - Nodes of std::map, std::set and std::list are linked by the library. The walk along a tree is announced as it is.
//   Linking and taking out count as a change of all nodes on the way to the root and beside it: a superset, and a race
//   by the standard's rules for containers.
// - Streams count as one object each, and their buffers as one or two: formatting changes them, str() looks at them
//   (stream_effects.h).
// - Virtual functions stand here as well: the program calls them through the library's tables (library_calls.h). Those of
//   facets that have more than six arguments, and all of wchar_t, do not. Functions without a name of their own stand
//   here by the name of the table (_ZTV…).
// - Exceptions are each thread's own, unless they are shared by std::exception_ptr (exceptions.h).
//   pthread/cxx_threads.c defines std::thread's join and detach; what the library does with condition variables,
//   futexes and call_once arrives at pthread calls.
//
// Taken on trust: that a format of printf, paths given to calls on files, and a floating-point environment that is set
// do not change meanwhile.
#include "target/threads/library/library_table.h"

#include <stddef.h>
#include <string.h>

#include "base/glob.h"

struct group {
    const char *effects;
    const char *names; // separated by spaces; in those of C++, * stands for any text
};

static const struct group c_library[] = {
    // ---- computing, and what is the thread's own ----
    {"", "abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll htonl htons ntohl ntohs "
         "gnu_dev_major gnu_dev_minor gnu_dev_makedev difftime dysize"},
    {"", "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit "
         "toascii tolower toupper _tolower _toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc "
         "__ctype_get_mb_cur_max"},
    {"",
     "isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l "
     "isxdigit_l tolower_l toupper_l __tolower_l __toupper_l"},
    {"", "iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper "
         "iswxdigit towlower towupper towctrans wcwidth btowc wctob isw*_l towlower_l towupper_l towctrans_l"},
    {"s1", "wctype wctrans"},
    {"",
     "copysign copysignf copysignl finite finitef finitel isinf isinff isinfl isnan isnanf isnanl __finite __finitef "
     "__finitel __isinf __isinff __isinfl __isnan __isnanf __isnanl __signbit __signbitf __signbitl ldexp ldexpf "
     "ldexpl scalbn scalbnf scalbnl"},
    {"", "__errno_location __h_errno_location strerrorname_np strerrordesc_np sigabbrev_np "
         "sigdescr_np gai_strerror hstrerror"},
    {"w2*3", "strerror_r __xpg_strerror_r"},
    {"~", "inet_ntoa"},
    {"", "nl_langinfo nl_langinfo_l"},
    {"s1", "inet_addr a64l basename"},
    {"s1 w2:4", "inet_aton"},

    // ---- jumps: within one thread, or the behaviour is undefined ----
    {"w1:72", "_setjmp"},
    {"w1:200 m1:72", "setjmp"},
    {"k1", "__sigsetjmp"},
    {"r1:200 j1", "longjmp _longjmp siglongjmp __longjmp_chk"},
    {"w1:968 m1:296", "getcontext"},

    // ---- texts and memory ----
    {"s1 s2 w3:56", "strptime"},
    {"s1 s2", "strcasestr strcoll_l strcasecmp_l strverscmp fnmatch"},
    {"w1*3 s2", "strxfrm strxfrm_l"},
    {"r1*2 r3*4", "memmem"},
    {"r1*2 w1*2", "memfrob"},
    {"r1*3 w2*3", "swab"},
    {"S1", "wcslen wcschr wcsrchr wcschrnul"},
    {"S1 S2", "wcscmp wcscoll wcscasecmp wcsspn wcscspn wcspbrk wcsstr"},
    {"S1 w2:8", "wcstol wcstoul wcstoll wcstoull wcstod wcstof wcstold wcstoimax wcstoumax"},
    {"r1:8", "mbsinit"},
    {"w1*3:4 r2*3:4", "wmemcpy wmemmove wmempcpy"},
    {"w1*3:4", "wmemset"},
    {"r1*3:4 r2*3:4", "wmemcmp"},
    {"~S1", "wcsdup"},

    // ---- trees and lists of <search.h>, regular expressions ----
    {"r3:8", "lfind"},
    {"~w2:8", "tsearch tdelete"},
    {"r2:8", "tfind"},
    {"", "twalk twalk_r"},
    {"~", "tdestroy"},
    {"w1:16 l2", "insque"},
    {"l1", "remque"},
    {"~w1:64 s2", "regcomp"},
    {"~r1:64 s2 w4*3:8", "regexec"},
    {"~w1:64", "regfree"},
    {"r2:64 w3*4", "regerror"},

    // ---- locales, each thread's own or with a lock ----
    {"~", "uselocale duplocale freelocale tzset"},
    {"~s2", "newlocale"},
    {"~s1", "gettext"},
    {"~s1 s2", "dgettext dcgettext ngettext"},
    {"~s1 s2 s3", "dngettext dcngettext"},

    // ---- the machine and the process, as they are from the beginning ----
    {"", "__sysconf getpagesize __getpagesize get_nprocs get_nprocs_conf get_phys_pages getauxval __getauxval "
         "gnu_get_libc_version gnu_get_libc_release getuid geteuid getgid getegid getpgrp "
         "sched_get_priority_max sched_get_priority_min __libc_current_sigrtmin "
         "__libc_current_sigrtmax"},
    {"w1:16", "timespec_getres"},
    {"w2*3", "confstr"},
    {"", "localeconv"}, // the same in each call: setlocale is not known
    {"w1:390", "uname"},
    {"w1*2", "gethostname getdomainname"},
    {"w2*1:4", "getgroups"},
    {"w1:4 w2:4 w3:4", "getresuid getresgid"},
    {"r2*1", "__sched_cpucount"},
    {"~", "__sched_cpualloc __sched_cpufree"},
    {"r1:128", "sigisemptyset"},
    {"w1:128 r2:128 r3:128", "sigandset sigorset"},
    {"", "posix_madvise mlock munlock mlockall munlockall msync malloc_trim mallopt"},
    {"w1*2:8", "backtrace"},
    {"w2:32", "dladdr"},
    {"~d1 s2", "dlsym"},
    {"", "dl_iterate_phdr"}, // what it finds is the caller's function's affair

    // ---- directories, once they are open ----
    {"~w1:8", "readdir readdir64 rewinddir seekdir telldir closedir"},
    {"r1:8", "dirfd"},

    // ---- how the program begins and ends; settings that make no difference to the search ----
    {"", "__chk_fail __fortify_fail __cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable "
         "_ITM_registerTMCloneTable __libc_start_main pthread_atfork "
         "__pthread_get_minstack __pthread_cleanup_routine "
         "pthread_kill_other_threads_np"},
    {NULL, NULL},
};

// All others of the mathematical library compute.
static const struct group mathematics[] = {
    {"g1", "lgamma lgammaf lgammal gamma gammaf gammal"},
    {"w1:4", "frexp* remquo* modff lgamma_r lgammaf_r lgammal_r gamma_r"},
    {"w1:8", "modf"},
    {"w1:16", "modfl"},
    {"w1:8 w2:8", "sincos"},
    {"w1:4 w2:4", "sincosf"},
    {"w1:16 w2:16", "sincosl"},
    // Each thread has its own floating-point environment (floats.h).
    {"", "fegetround fesetround feclearexcept feraiseexcept fetestexcept fesetexcept feenableexcept fedisableexcept "
         "fegetexcept fesetenv feupdateenv fesetmode"},
    {"w1:2", "fegetexceptflag"},
    {"r1:2", "fesetexceptflag fetestexceptflag"},
    {"w1:32", "fegetenv feholdexcept"},
    {"w1:8", "fegetmode"},
    {NULL, NULL},
};

static const char unlike_others[] = "__lgamma* __gamma* " // they set a variable of all threads
                                    "fe* "
                                    "nan* modf* sincos* canonicalize* setpayload* getpayload* totalorder*";

static const struct group cxx_library[] = {
    // ---- memory, conversions, clocks ----
    {"", "_Znw* _Zna* _Zdl* _Zda* _ZNSaI* __gxx_personality_v0 __cxa_pure_virtual __cxa_bad_cast __cxa_bad_typeid"},
    {"r1:8", "__dynamic_cast"},
    {"", "_ZNSt6chrono*3nowEv _ZNSt3_V215system_categoryEv _ZNSt3_V216generic_categoryEv _ZSt15future_categoryv"},
    {"r1*2", "_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm"},
    {"~w1:64", "_ZNSt3pmr25monotonic_buffer_resource* _ZTVNSt3pmr25monotonic_buffer_resourceE"},
    {"~w1:16", "_ZNSt3pmr28unsynchronized_pool_resource*"},
    {"", "_ZNSt3pmr15memory_resourceD* _ZNSt3pmr19new_delete_resourceEv _ZNSt3pmr20null_memory_resourceEv "
         "_ZNSt3pmr20get_default_resourceEv"},

    // ---- throwing and catching: each thread has its own stack of exceptions ----
    {"~", "__cxa_allocate_exception __cxa_free_exception __cxa_init_primary_exception __cxa_throw __cxa_rethrow "
          "__cxa_get_exception_ptr __cxa_get_globals __cxa_current_exception_type __cxa_uncaught_exceptions"},
    {"~", "_ZSt17current_exceptionv _ZSt17rethrow_exception* _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv "
          "_ZSt*__throw_* _ZSt13get_terminatev _ZSt9terminatev _ZSt22__glibcxx_assert_failPKciS0_S0_ "
          "_ZSt20__glibcxx_assert_failPKciS0_S0_ _ZSt21__glibcxx_assert_failPKciS0_S0_"},
    {"~F1", "__cxa_end_catch"},
    {"~r1:8", "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv"},
    {"~r1:8 f1:0", "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"},
    {"~w1:16 f1:8", "_ZNSt16nested_exceptionD*"},
    {"w1:16 f1:8", "_ZNSt13__future_base12_Result_baseD*"},
    {"~w1:8", "_ZNSt15__exception_ptr13exception_ptrC*"},
    {"", "_ZNSt9exceptionD* _ZNSt8bad_castD* _ZNSt10bad_typeidD* _ZNSt9bad_allocD* _ZNSt13bad_exceptionD* "
         "_ZNKSt*4whatEv _ZNKSt9type_info* _ZNK10__cxxabiv1*"},
    {"", "_ZNKSt3_V214error_category*"},
    {"~w1:16 y1:8", "_ZNSt11logic_errorD* _ZNSt13runtime_errorD* _ZNSt12system_errorD* _ZNSt12future_errorD* "
                    "_ZNSt16invalid_argumentD* _ZNSt12out_of_rangeD* _ZNSt12length_errorD* _ZNSt12domain_errorD* "
                    "_ZNSt11range_errorD* _ZNSt14overflow_errorD* _ZNSt15underflow_errorD* _ZNSt11logic_erroraS* "
                    "_ZNSt13runtime_erroraS*"},
    {"~w1:16",
     "_ZNSt11logic_error* _ZNSt13runtime_error* _ZNSt12system_error* _ZNSt12future_error* _ZNSt16invalid_argument* "
     "_ZNSt12out_of_range* _ZNSt12length_error* _ZNSt12domain_error* _ZNSt11range_error* _ZNSt14overflow_error* "
     "_ZNSt15underflow_error* _ZNSt16nested_exception* _ZNSt17bad_function_call*"},

    // ---- threads; what they call of pthreads is seen there ----
    {"",
     "__cxa_thread_atexit _ZNSt6thread15_M_start_thread* _ZNSt6thread20hardware_concurrencyEv _ZNSt6thread6_StateD* "
     "__once_proxy "
     "_ZNSt18condition_variable10notify_oneEv _ZNSt18condition_variable10notify_allEv _ZNSt18condition_variableC1Ev "
     "_ZNSt18condition_variableD1Ev _ZNSt28__atomic_futex_unsigned_base* _ZNSt10_Sp_lockerC* _ZNSt10_Sp_lockerD*"},
    {"r2:16", "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"},
    {"w1:16", "_ZNSt13__future_base12_Result_baseC2Ev"},
    {"~", "_ZNSt13__future_base13_State_baseV2* _ZSt25notify_all_at_thread_exit* "
          "_ZNSt13__future_base19_Async_state_common*"},

    // ---- containers ----
    {"t2", "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"},
    {"e1", "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"},
    {"n1", "_ZSt18_Rb_tree_incrementP*"},
    {"p1", "_ZSt18_Rb_tree_decrementP*"},
    {"w1:16 l2", "_ZNSt8__detail15_List_node_base7_M_hookEPS0_"},
    {"v1", "_ZNSt8__detail15_List_node_base10_M_reverseEv"},
    {"l1", "_ZNSt8__detail15_List_node_base9_M_unhookEv"},
    {"l1 l2 l3", "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_"},
    {"l1 l2", "_ZNSt8__detail15_List_node_base4swapERS0_S1_"},
    {"w1:16",
     "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm"},

    // ---- streams ----
    {"", "_ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev"},
    {"~o1 s2", "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc"},
    {"~o1 r2*3", "_ZSt16__ostream_insertIc* _ZNSo5writeEPKcl"},
    {"~o1 b2", "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostream*"},
    {"~w1:16 o2", "_ZNSo6sentryC*"},
    {"~", "_ZNSo6sentryD*"},
    {"~w1:8", "_ZNSoC* _ZNSoD*"},
    {"~o1", "_ZNSo* _ZStlsI* _ZSt4endlIc* _ZSt4endsIc* _ZSt5flushIc*"},
    {"~x1 w2:1", "_ZNSi3getERc _ZNSirsERb _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_"},
    {"~x1 w2:2", "_ZNSirsERs _ZNSirsERt"},
    {"~x1 w2:4", "_ZNSirsERi _ZNSirsERj _ZNSirsERf _ZNSi10_M_extractIfEERSiRT_ _ZNSi10_M_extractIjEERSiRT_"},
    {"~x1 w2:8",
     "_ZNSirsERl _ZNSirsERm _ZNSirsERx _ZNSirsERy _ZNSirsERd _ZNSi10_M_extractIdEERSiRT_ _ZNSi10_M_extractIlEERSiRT_ "
     "_ZNSi10_M_extractImEERSiRT_"},
    {"~x1 B2", "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istream* _ZSt7getlineIcSt11char_traitsIcESaIcEE*"},
    {"~x1",
     "_ZNSi3getEv _ZNSi4peekEv _ZNSi5ungetEv _ZNSi6ignore* _ZNSi7putbackEc _ZNSi5tellgEv _ZNSi5seekg* _ZNSi4syncEv "
     "_ZNSirsEPF* _ZSt2wsIc*"},
    {"~i1", "_ZNSt9basic_iosIcSt11char_traitsIcEE5clear* _ZNSt9basic_iosIcSt11char_traitsIcEE8setstate* "
            "_ZNSt9basic_iosIcSt11char_traitsIcEE4fill* _ZNSt9basic_iosIcSt11char_traitsIcEE5rdbuf*"},
    {"I1", "_ZNKSt9basic_iosIcSt11char_traitsIcEE*"},
    {"~w1:32 O2", "_ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv "
                  "_ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv "
                  "_ZNKSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv "
                  "_ZNKRSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv "
                  "_ZNKRSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv"},
    {"~w1:32 U2", "_ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv "
                  "_ZNKRSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv"},
    {"~o1", "_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3str* "
            "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3str* "
            "_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3str*"},
    {"~w1:104", "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEC* "
                "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEED* "
                "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3str* "
                "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE17_M_stringbuf_init*"},
    {"~w1:32 u2", "_ZNOSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv"},
    {"w1:16 U2", "_ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE4viewEv"},
    {"~u1", "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE*"},
    {"", "_ZNKSt7__cxx11*basic_*stringstreamIcSt11char_traitsIcESaIcEE5rdbufEv"},
    {"~", "_ZThn16_NSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEED* "
          "_ZTv0_n24_NSt7__cxx11*basic_*stringstreamIcSt11char_traitsIcESaIcEED*"},
    {"~w1:368", "_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEC* "
                "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC* "
                "_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEC* "
                "_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEED* "
                "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEED* "
                "_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEED*"},
    {"~w1:264", "_ZNSt9basic_iosIcSt11char_traitsIcEEC* _ZNSt9basic_iosIcSt11char_traitsIcEED*"},
    {"~w1:264", "_ZNSt9basic_iosIcSt11char_traitsIcEE15_M_cache_localeERKSt6locale"},
    {"~w1:216 w2:216", "_ZNSt8ios_base7_M_moveERS_ _ZNSt8ios_base7_M_swapERS_"},
    {"~w1:216", "_ZNSt8ios_baseC2Ev _ZNSt8ios_baseD2Ev _ZNSt9basic_iosIcSt11char_traitsIcEE4initE*"},
    {"~w1:64", "_ZNSt15basic_streambufIcSt11char_traitsIcEEC* _ZNSt15basic_streambufIcSt11char_traitsIcEED*"},
    {"~a1 r2*3", "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl "
                 "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl"},
    {"~a1", "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sputcEc "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE8overflowEi"},
    {"~c1 w2*3", "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sgetnEPcl "
                 "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl"},
    {"~c1", "_ZNSt15basic_streambufIcSt11char_traitsIcEE5sgetcEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE6snextcEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE6sbumpcEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE7sungetcEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE9sputbackcEc "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE6stosscEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE8in_availEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE9underflowEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE9pbackfailEi "
            "_ZNSt15basic_streambufIcSt11char_traitsIcEE9showmanycEv"},
    {"h1", "_ZNSt15basic_streambufIcSt11char_traitsIcEE4setpEPcS3_ "
           "_ZNSt15basic_streambufIcSt11char_traitsIcEE5pbumpEi "
           "_ZNSt15basic_streambufIcSt11char_traitsIcEE12__safe_pbumpEl"},
    {"q1", "_ZNSt15basic_streambufIcSt11char_traitsIcEE4setgEPcS3_S3_ "
           "_ZNSt15basic_streambufIcSt11char_traitsIcEE5gbumpEi "
           "_ZNSt15basic_streambufIcSt11char_traitsIcEE12__safe_gbumpEl"},
    {"H1", "_ZNKSt15basic_streambufIcSt11char_traitsIcEE4pptrEv "
           "_ZNKSt15basic_streambufIcSt11char_traitsIcEE5pbaseEv "
           "_ZNKSt15basic_streambufIcSt11char_traitsIcEE5epptrEv"},
    {"Q1", "_ZNKSt15basic_streambufIcSt11char_traitsIcEE4gptrEv "
           "_ZNKSt15basic_streambufIcSt11char_traitsIcEE5ebackEv "
           "_ZNKSt15basic_streambufIcSt11char_traitsIcEE5egptrEv"},
    {"~u1", "_ZNSt15basic_streambufIcSt11char_traitsIcEE*"}, // seeking, synchronizing, another area or locale
    {"~u1 r2*3", "_ZNSt13basic_filebufIcSt11char_traitsIcEE6xsputnEPKcl"},
    {"~u1 w2*3", "_ZNSt13basic_filebufIcSt11char_traitsIcEE6xsgetnEPcl"},
    {"~u1",
     "_ZNSt13basic_filebufIcSt11char_traitsIcEE8overflowEi _ZNSt13basic_filebufIcSt11char_traitsIcEE9underflowEv "
     "_ZNSt13basic_filebufIcSt11char_traitsIcEE9pbackfailEi _ZNSt13basic_filebufIcSt11char_traitsIcEE4syncEv "
     "_ZNSt13basic_filebufIcSt11char_traitsIcEE7seek* _ZNSt13basic_filebufIcSt11char_traitsIcEE9showmanycEv"},
    {"~w1:240", "_ZNSt13basic_filebufIcSt11char_traitsIcEEC1Ev _ZNSt13basic_filebufIcSt11char_traitsIcEEC2Ev "
                "_ZNSt13basic_filebufIcSt11char_traitsIcEED*"},
    {"~w1:240 w2:240",
     "_ZNSt13basic_filebufIcSt11char_traitsIcEEC*EOS2_ _ZNSt13basic_filebufIcSt11char_traitsIcEEaSEOS2_ "
     "_ZNSt13basic_filebufIcSt11char_traitsIcEE4swapERS2_"},
    {"~u1 s2", "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKc*"},
    {"~u1 b2", "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openERKNSt7__cxx11*"},
    {"~u1", "_ZNSt13basic_filebufIcSt11char_traitsIcEE5closeEv _ZNSt13basic_filebufIcSt11char_traitsIcEE5imbue* "
            "_ZNSt13basic_filebufIcSt11char_traitsIcEE6setbuf*"},
    {"U1", "_ZNKSt13basic_filebufIcSt11char_traitsIcEE7is_openEv"},
    {"r1:8", "_ZNKSt12__basic_fileIcE7is_openEv"},
    {"~w1:16", "_ZNSt12__basic_fileIcED*"},
    {"~w1:512 s2", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEC1EPKc*"},
    {"~w1:512 b2", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx11*"},
    {"~w1:512 w2:512", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEC1EOS2_ "
                       "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEaSEOS2_ "
                       "_ZNSt*basic_*fstreamIcSt11char_traitsIcEE4swapERS2_"},
    {"~w1:512", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEC1Ev _ZNSt*basic_*fstreamIcSt11char_traitsIcEED1Ev "
                "_ZNSt*basic_*fstreamIcSt11char_traitsIcEED0Ev"},
    {"~w1:248", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEEC2* _ZNSt*basic_*fstreamIcSt11char_traitsIcEED2Ev"},
    {"~o1 s2", "_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openEPKc*"},
    {"~o1 b2", "_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openERKNSt7__cxx11*"},
    {"~o1", "_ZNSt14basic_ofstreamIcSt11char_traitsIcEE5closeEv"},
    {"~x1 s2", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEE4openEPKc*"},
    {"~x1 b2", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEE4openERKNSt7__cxx11*"},
    {"~x1", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEE5closeEv"},
    {"O1", "_ZNSt*basic_*fstreamIcSt11char_traitsIcEE7is_openEv _ZNKSt*basic_*fstreamIcSt11char_traitsIcEE7is_openEv"},
    {"", "_ZNKSt*basic_*fstreamIcSt11char_traitsIcEE5rdbufEv"},
    {"~", "_ZThn16_NSt13basic_fstreamIcSt11char_traitsIcEED* _ZTv0_n24_NSt*basic_*fstreamIcSt11char_traitsIcEED*"},
    {"~r2*3", "_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsputnEPKcl"},
    {"~w2*3", "_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsgetnEPcl"},
    {"~", "_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE*"},

    // ---- facets of locales, which nobody changes ----
    {"~r2-3 w2-3", "_ZNKSt5ctypeIcE*EPcPKc"}, // whole texts to upper or lower case
    {"~w1:32 r3-4", "_ZNKSt7__cxx117collateIcE12do_transformEPKcS3_ _ZNKSt7__cxx117collateIcE9transformEPKcS3_"},
    {"~r2-3 r4-5", "_ZNKSt7__cxx117collateIcE10do_compareEPKcS3_S3_S3_"},
    {"~r2-3", "_ZNKSt7__cxx117collateIcE7do_hashEPKcS3_"},
    {"~", "_ZNKSt5ctypeIcE*Ec _ZNKSt5ctypeIcE*Ecc _ZNKSt5ctypeIcE*_initEv _ZSt9use_facet* "
          "_ZSt9has_facet* _ZNKSt6locale* _ZNSt6locale7classicEv"},
    {"~w1:8", "_ZNSt6localeC* _ZNSt6localeD* _ZNSt6localeaS*"},
    {NULL, NULL},
};

// Defined here, but mostly they go on to the system, or change what the C library keeps: no log has that.
static const char goes_on[] = "setenv unsetenv putenv clearenv __cxa_throw";

static bool is_among(const char *names, const char *name)
{
    char pattern[256];
    while (*names) {
        size_t length = strcspn(names, " ");
        if (length && length < sizeof pattern) {
            memcpy(pattern, names, length);
            pattern[length] = 0;
            if (glob_matches(pattern, name))
                return true;
        }
        names += length + (names[length] == ' ');
    }
    return false;
}

static const char *library_table_find(const struct group *groups, const char *name)
{
    for (; groups->names; groups++)
        if (is_among(groups->names, name))
            return groups->effects;
    return NULL;
}

const char *library_known(const char *name, const char *library)
{
    if (!strncmp(library, "libstdc++.so", 12))
        return library_table_find(cxx_library, name);
    if (!strncmp(library, "libgcc_s.so", 11))
        return is_among("_Unwind_* __gcc_personality_v0", name) ? "" : NULL;
    if (!strncmp(library, "libm.so", 7) && !library_table_find(mathematics, name))
        return is_among(unlike_others, name) ? NULL : "";
    const char *effects = library_table_find(mathematics, name); // some of these are in the C library too
    return effects ? effects : library_table_find(c_library, name);
}

const char *library_passes_on(const char *name)
{
    static const char unlogged[] = "~";
    return is_among(goes_on, name) ? unlogged : "";
}
