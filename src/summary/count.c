// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "summary/count.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time_units.h"
#include "decode/call.h"
#include "event/event.h"
#include "schema/syscall.h"

void summary_init(struct summary *summary, const struct summary_options *options)
{
	*summary = (struct summary){.options = *options};
}

static void table_deinit(struct summary_table *table)
{
	array_for_each (row, &table->rows)
		array_deinit(&row->codes);
	array_deinit(&table->rows);
	hash_deinit(&table->index);
	free(table->comm);
}

static void places_deinit(struct summary_places *places)
{
	array_for_each (place, &places->places)
		free(place->name);
	array_deinit(&places->places);
	hash_deinit(&places->index);
}

void summary_deinit(struct summary *summary)
{
	table_deinit(&summary->all);
	array_for_each (table, &summary->threads)
		table_deinit(table);
	array_deinit(&summary->threads);
	hash_deinit(&summary->thread_index);
	places_deinit(&summary->functions);
	places_deinit(&summary->files);
}

static struct summary_row *row_of(struct summary_table *table, const struct call *call)
{
	uint64_t key = (uint64_t)call->abi << 56 ^ call->number;
	uintptr_t index = (uintptr_t)hash_get(&table->index, key);

	if (index)
		return &table->rows.data[index - 1];
	*array_add(&table->rows) = (struct summary_row){
		.abi = call->abi,
		.number = call->number,
		.name = call->syscall ? call->syscall->name : NULL,
	};
	hash_set(&table->index, key, (void *)(uintptr_t)table->rows.count);
	return &table->rows.data[table->rows.count - 1];
}

static struct summary_table *thread_of(struct summary *summary, const struct event *event)
{
	uintptr_t index = (uintptr_t)hash_get(&summary->thread_index, event->task.serial);
	struct summary_table *table;

	if (!index) {
		*array_add(&summary->threads) = (struct summary_table){0};
		index = summary->threads.count;
		hash_set(&summary->thread_index, event->task.serial, (void *)index);
	}
	table = &summary->threads.data[index - 1];
	table->tid = event->task.tid;
	table->pid = event->pid;
	if (!table->comm || strcmp(table->comm, event->comm) != 0) {
		free(table->comm);
		table->comm = xstrdup(event->comm);
	}
	return table;
}

static void count_code(struct summary_row *row, int code)
{
	array_for_each (error, &row->codes) {
		if (error->code == code) {
			error->count++;
			return;
		}
	}
	*array_add(&row->codes) = (struct summary_error){.code = code, .count = 1};
}

static void count_time(struct summary_row *row, uint64_t time)
{
	double distance = (double)time - row->mean;

	row->mean += distance / (double)row->calls;
	row->squares += distance * ((double)time - row->mean);
	row->total += time;
	row->least = row->calls == 1 || time < row->least ? time : row->least;
	row->most = time > row->most ? time : row->most;
}

static void count_wall(struct summary_row *row, uint64_t wall)
{
	row->wall_total += wall;
	row->wall_least = row->calls == 1 || wall < row->wall_least ? wall : row->wall_least;
	row->wall_most = wall > row->wall_most ? wall : row->wall_most;
}

static void count_call(
	struct summary_table *table, const struct call *call, uint64_t time, uint64_t wall)
{
	struct summary_row *row = row_of(table, call);

	table->calls++;
	row->calls++;
	count_time(row, time);
	count_wall(row, wall);
	if (call->result != CALL_ERROR && call->result != CALL_RESTART)
		return;
	row->errors++;
	count_code(row, (int)call->error);
}

void summary_call(struct summary *summary, const struct event *event)
{
	const struct call *call = event->call;
	uint64_t wall =
		(uint64_t)event->duration.tv_sec * NS_PER_S + (uint64_t)event->duration.tv_nsec;
	uint64_t time = summary->options.wall ? wall : event->cpu;

	if (call->result == CALL_UNFINISHED || call->result == CALL_NO_RESULT)
		return;
	time = time > summary->options.overhead ? time - summary->options.overhead : 0;
	count_call(&summary->all, call, time, wall);
	if (summary->options.by_thread)
		count_call(thread_of(summary, event), call, time, wall);
}

static void count_place(struct summary_places *places, const char *name, bool major)
{
	uint64_t key = hash_bytes(name, strlen(name));
	uintptr_t index;
	struct summary_place *place;

	// Another name with the same hash takes the next free key.
	while ((index = (uintptr_t)hash_get(&places->index, key)) &&
		strcmp(places->places.data[index - 1].name, name) != 0)
		key++;
	if (!index) {
		*array_add(&places->places) = (struct summary_place){.name = xstrdup(name)};
		index = places->places.count;
		hash_set(&places->index, key, (void *)index);
	}
	place = &places->places.data[index - 1];
	place->minor += !major;
	place->major += major;
}

void summary_fault(struct summary *summary, bool major, const char *function, const char *file)
{
	count_place(&summary->functions, function, major);
	count_place(&summary->files, file, major);
}
