// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <errno.h>
#include <sys/stat.h>

#include "base/bits.h"
#include "base/time_units.h"
#include "decode/annotate.h"
#include "decode/call.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/pointer.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "schema/type.h"

struct value *hook_utimens(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	struct value *value = type->target ? walk_type(walk, type->target, place) : NULL;
	const struct value *fraction = value && value->first ? value->first->next : NULL;
	uint64_t unit = args[0] ? args[0] : 1;

	if (!fraction)
		return value;
	if (unit == 1 && fraction->number == UTIME_NOW)
		return value_named(walk->arena, UTIME_NOW, "UTIME_NOW");
	if (unit == 1 && fraction->number == UTIME_OMIT)
		return value_named(walk->arena, UTIME_OMIT, "UTIME_OMIT");
	if (fraction->number < NS_PER_S / unit)
		annotate_date(walk, value, (int64_t)value->first->number, fraction->number * unit,
			unit == 1000);
	return value;
}

struct value *hook_remaining(struct walk *walk, const struct type *type, const struct place *place,
	const uint64_t args[HOOK_ARGS_MAX])
{
	const struct type *pointer = type->target;
	const struct call *call = walk->call;
	struct place target;
	uint64_t address;

	if (!fetch_word(walk, place, &address))
		return NULL;
	if (!walk->at_exit)
		walk->pending = walk->pending_failed = true;
	target = place_memory(address);
	if (address && !args[0] && pointer && pointer->target &&
		(call->result == CALL_RESTART ||
			(call->result == CALL_ERROR && call->error == EINTR)))
		return pointer_ref(walk, address, walk_type(walk, pointer->target, &target));
	return value_address(walk->arena, address, false);
}
