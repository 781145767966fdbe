// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SCHEMA_ABI_ID_H
#define SRC_SCHEMA_ABI_ID_H

/** The system call ABIs we have descriptions for; tables are indexed by it. */
enum abi_id {
	ABI_X86_64,
	ABI_I386,
	ABI_X32,
	ABI_COUNT,
};

#endif
