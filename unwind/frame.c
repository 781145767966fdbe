// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/frame.h"

taddr frame_lookup_pc(enum frame_address address, taddr pc)
{
	switch (address) {
	case FRAME_ADDRESS_SYSCALL:
		// No system call instruction of any architecture is shorter.
		return pc - 2;
	case FRAME_ADDRESS_EXACT:
		return pc;
	case FRAME_ADDRESS_RETURN:
		// The call may be the last instruction of its function or of an inlined one.
		return pc - 1;
	}
	return pc;
}

const char *frame_origin_name(enum frame_origin origin)
{
	switch (origin) {
	case FRAME_ORIGIN_REGISTERS:
		return "registers";
	case FRAME_ORIGIN_EH_FRAME:
		return "cfi";
	case FRAME_ORIGIN_DEBUG_FRAME:
		return "debug_frame";
	case FRAME_ORIGIN_FRAME_POINTER:
		return "frame pointer";
	case FRAME_ORIGIN_GUESS:
		return "guess";
	}
	return "unknown";
}

const char *frame_end_text(enum frame_end end)
{
	switch (end) {
	case FRAME_END_OUTERMOST:
		return "outermost frame";
	case FRAME_END_NO_RULE:
		return "no unwind rule";
	case FRAME_END_NO_FRAME_POINTER:
		return "no frame pointer";
	case FRAME_END_UNREADABLE:
		return "stack memory unreadable";
	case FRAME_END_LOOP:
		return "stack does not advance";
	case FRAME_END_LIMIT:
		return "too many frames";
	case FRAME_END_BAD_ADDRESS:
		return "return address not in code";
	case FRAME_END_UNKNOWN_REGISTER:
		return "needed register not known";
	case FRAME_END_NO_STATE:
		return "process state not available";
	}
	return "unknown";
}
