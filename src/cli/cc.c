// heddle cc, heddle c++: stand where the compiler stood. All arguments are the compiler's, so there are none to be read here.
#include "build/cc_driver.h"
#include "cli/commands.h"

int cli_cc(int argc, char **argv)
{
    return cc_act_as(false, argc, argv);
}

int cli_cxx(int argc, char **argv)
{
    return cc_act_as(true, argc, argv);
}
