// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#ifndef SRC_SESSION_FRAME_NAMES_H
#define SRC_SESSION_FRAME_NAMES_H

/** The unwinder's names and lines as the frame describer that outputs ask. */

#include "event/frame_describer.h"

struct unwind_context;

/** @unwind must outlive the result. */
struct frame_describer frame_names_of(struct unwind_context *unwind);

#endif
