// The assembler, as the compiler finds it in the directory that `heddle cc` names by -B: rewrites inline assembly and goes
// on as the real one. The compiler does everything else as always, whatever its flags: pipes, kept temporaries, names of
// outputs.
#ifndef BUILD_ASSEMBLY_AS_H
#define BUILD_ASSEMBLY_AS_H

// Becomes the real assembler. Returns 2, after one sentence, only if that fails.
int assembly_as(int argc, char **argv);

#endif
