// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "perf/kallsyms.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/parse.h"

struct kallsyms {
	char *text;
	ARRAY(struct kernel_symbol) symbols;
};

static bool is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

// "ffffffff81000000 T _stext" or "ffffffffc0000000 t f\t[module]"; the line is cut into strings.
static bool parse_line(char *line, char *end, struct kernel_symbol *ret)
{
	const char *cursor = line;
	char *name, *tab, *close;

	if (!parse_hex_at(&cursor, &ret->address) || end - cursor < 4 || *cursor != ' ')
		return false;
	if (!ret->address || !is_function(cursor[1]) || cursor[2] != ' ')
		return false;
	name = (char *)cursor + 3;
	tab = memchr(name, '\t', (size_t)(end - name));
	ret->name = name;
	ret->module = NULL;
	*end = 0;
	if (!tab)
		return true;
	*tab = 0;
	close = strchr(tab + 1, ']');
	if (tab[1] == '[' && close) {
		*close = 0;
		ret->module = tab + 2;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	// In the order of the file, in which the text is cut.
	return x->name < y->name ? -1 : x->name > y->name;
}

static bool is_sorted(const struct kallsyms *table)
{
	for (size_t i = 1; i < table->symbols.count; i++) {
		if (compare(&table->symbols.data[i - 1], &table->symbols.data[i]) > 0)
			return false;
	}
	return true;
}

struct kallsyms *kallsyms_create(char *text, size_t length)
{
	struct kallsyms *table = xcalloc(1, sizeof(*table));
	char *line = text, *end;

	table->text = text;
	for (; line < text + length; line = end + 1) {
		struct kernel_symbol symbol;

		end = memchr(line, '\n', (size_t)(text + length - line));
		if (!end)
			break;
		if (parse_line(line, end, &symbol))
			*array_add(&table->symbols) = symbol;
	}
	if (!is_sorted(table))
		qsort(table->symbols.data, table->symbols.count, sizeof(*table->symbols.data),
			compare);
	return table;
}

struct kallsyms *kallsyms_load(void)
{
	enum { PIECE = 256 * 1024 };
	cleanup_close int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	struct buf text = {0};
	ssize_t got;

	while (fd >= 0 && (got = read(fd, buf_reserve(&text, PIECE), PIECE)) > 0)
		text.length += (size_t)got;
	return kallsyms_create(text.data, text.length);
}

void kallsyms_destroy(struct kallsyms *table)
{
	if (!table)
		return;
	array_deinit(&table->symbols);
	free(table->text);
	free(table);
}

const struct kernel_symbol *kallsyms_find(const struct kallsyms *table, uint64_t address)
{
	size_t low = 0, high = table->symbols.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols.data[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	// Aliases share an address: the first is the one the kernel itself shows.
	while (low > 1 &&
		table->symbols.data[low - 2].address == table->symbols.data[low - 1].address)
		low--;
	return &table->symbols.data[low - 1];
}

size_t kallsyms_count(const struct kallsyms *table)
{
	return table->symbols.count;
}
