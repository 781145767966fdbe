// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "walked.h"

#include "abi/abi.h"

void walked_start(struct walked *walked, enum abi_id abi)
{
	walked->options.string_limit = 32;
	view_recorded_init(&walked->task);
	walked->call.abi = abi;
	walked->walk = (struct walk){
		.call = &walked->call,
		.arena = &walked->call.arena,
		.options = &walked->options,
		.view = &walked->task.view,
		.abi = abi,
		.word = abi_get(abi)->word_size,
		.bytes_left = WALK_BYTES_MAX,
		.nodes_left = WALK_NODES_MAX,
		.room = UINT64_MAX,
	};
}

void walked_return(struct walked *walked, int64_t ret)
{
	walked->walk.at_exit = true;
	walked->walk.failed = ret < 0;
	walked->walk.ret = (uint64_t)ret;
}

void walked_end(struct walked *walked)
{
	call_deinit(&walked->call);
	view_recorded_deinit(&walked->task);
}

struct value *walked_at(struct walked *walked, const struct type *type, taddr address)
{
	struct place place = place_memory(address);

	return walk_type(&walked->walk, type, &place);
}
