// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef TESTS_UNIT_NAMES_FORMAT_H
#define TESTS_UNIT_NAMES_FORMAT_H

/** The worked example of doc/add-an-output-format.md: one name per finished call. */

extern const struct output_format names_format;

#endif
