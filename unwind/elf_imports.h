// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef UNWIND_ELF_IMPORTS_H
#define UNWIND_ELF_IMPORTS_H

#include <stdbool.h>

/**
 * Whether the program or library at @path has the function @name from another library: it is
 * undefined in its table of dynamic symbols (SHT_DYNSYM, SHN_UNDEF; elf(5)). False for what is not
 * ELF or cannot be read.
 */
bool elf_imports(const char *path, const char *name);

#endif
