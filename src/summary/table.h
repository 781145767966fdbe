// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SUMMARY_TABLE_H
#define SRC_SUMMARY_TABLE_H

/**
 * A summary as text. All calls make the table of strace -c; threads one each as
 * perf-trace(1) -s prints them, with the least, mean and largest time and the standard
 * deviation of the mean in percent of it.
 */

struct buf;
struct summary;

/** Appends the tables to @buf: nothing if nothing was counted. Sorts the rows. */
void summary_print(struct summary *summary, struct buf *buf);

#endif
