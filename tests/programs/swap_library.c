// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Compiled twice with another NAME, for the program `swap`.

#include <unistd.h>

int NAME(void);
int act(void);

int NAME(void)
{
	return getppid() + 1;
}

int act(void)
{
	return NAME() + 1;
}
