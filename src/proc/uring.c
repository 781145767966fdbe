// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/uring.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "proc/mem.h"
#include "proc/task.h"
#include "proc/uring_forms.h"

enum {
	/** IORING_OFF_SQES: where in the ring's file its entries are. */
	ENTRIES_OFFSET = 0x10000000,
	ENTRY_SIZE = 64,
	/** With IORING_SETUP_SQE128. */
	WIDE_SIZE = 2 * ENTRY_SIZE,
	/** IORING_SETUP_* of linux/io_uring.h. */
	SQPOLL = 1 << 1,
	SQE128 = 1 << 10,
	NO_SQARRAY = 1 << 16,
	/** IORING_MAX_ENTRIES of the kernel's io_uring/io_uring.h. */
	ENTRIES_MAX = 32768,
	/** While another thread is in the kernel with the ring, it tells nothing. */
	TRIES = 20,
	TRY_AFTER_NS = 100000,
};

/** Where in the task's memory the entries of a ring are. */
struct mapping {
	taddr start;
	uint64_t size;
	/** Bytes of an entry; 0: not known. */
	uint64_t entry_size;
};

static bool field(const char *text, const char *name, long long *ret)
{
	const char *at = strstr(text, name);

	return at && sscanf(at + strlen(name), "%lli", ret) == 1;
}

static bool is_ring(int tid, int fd)
{
	char link[48], target[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", tid, fd);
	length = readlink(link, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	return strcmp(target, "anon_inode:[io_uring]") == 0;
}

static char *read_info(int tid, int fd)
{
	char name[32];
	size_t length;

	snprintf(name, sizeof(name), "fdinfo/%d", fd);
	return task_file(tid, name, &length);
}

unsigned long long uring_inode(int tid, int fd)
{
	cleanup_free char *text = is_ring(tid, fd) ? read_info(tid, fd) : NULL;
	long long inode = 0;

	return text && field(text, "\nino:", &inode) ? (unsigned long long)inode : 0;
}

static bool find_entries(int tid, unsigned long long inode, struct mapping *ret)
{
	size_t length;
	cleanup_free char *maps = task_file(tid, "maps", &length);

	for (const char *line = maps; line && *line; line = strchr(line, '\n')) {
		unsigned long long start, end, offset, found;

		line += *line == '\n';
		if (sscanf(line, "%llx-%llx %*s %llx %*s %llu", &start, &end, &offset, &found) ==
				4 &&
			found == inode && offset == ENTRIES_OFFSET) {
			ret->start = start;
			ret->size = end - start;
			return true;
		}
	}
	return false;
}

static void add_entry(
	struct uring *ring, const struct mapping *mapping, uint64_t index, uint64_t size)
{
	if (index < ENTRIES_MAX && (index + 1) * size <= mapping->size)
		*array_add(&ring->entries) = mapping->start + index * size;
}

// The lines after "SQEs:", one for each that waits; false if there is none.
static bool add_listed(struct uring *ring, const struct mapping *mapping, const char *line)
{
	static const char wide[] = ", e0:0x";
	bool any = false;

	while (line && ring->entries.count < ENTRIES_MAX) {
		const char *next = strchr(line + 1, '\n');
		const char *more =
			next ? memmem(line, (size_t)(next - line), wide, strlen(wide)) : NULL;
		unsigned index;
		int end = 0;

		if (sscanf(line, "\n%u: opcode:%n", &index, &end) != 1 || !end)
			break;
		// Of a wide entry the second half is listed, too.
		add_entry(ring, mapping, index, more ? WIDE_SIZE : ENTRY_SIZE);
		any = true;
		line = next;
	}
	return any;
}

// IORING_SETUP_NO_SQARRAY: entries are not listed, but wait in the order of memory.
static void add_in_order(
	struct uring *ring, const struct mapping *mapping, unsigned mask, unsigned count)
{
	uint64_t size = mapping->entry_size;
	long long head;

	if (!field(ring->text, "\nSqHead:", &head)) {
		ring->hidden = true;
		return;
	}
	// Small rings of wide entries do not differ from others by the size of the mapping.
	if (!size && mapping->size >= (uint64_t)(mask + 1) * WIDE_SIZE &&
		mapping->size > (uint64_t)sysconf(_SC_PAGESIZE))
		size = WIDE_SIZE;
	for (unsigned i = 0; i < count && i <= mask; i++)
		add_entry(ring, mapping, ((unsigned)head + i) & mask, size ? size : ENTRY_SIZE);
}

static void add_entries(
	struct uring *ring, int tid, unsigned long long inode, const struct uring_forms *forms)
{
	const struct uring_form *form = uring_forms_find(forms, inode);
	const char *line = strstr(ring->text, "\nSQEs:");
	struct mapping mapping = {0};
	long long waiting, mask;

	// Older kernels do not say.
	if (!line || !field(line, "\nSQEs:", &waiting) || !field(ring->text, "\nSqMask:", &mask)) {
		ring->hidden = true;
		return;
	}
	if (waiting <= 0)
		return;
	mask &= ENTRIES_MAX - 1;
	if (form)
		mapping.entry_size = form->is_wide ? WIDE_SIZE : ENTRY_SIZE;
	if (form && form->entries) {
		mapping.start = form->entries;
		mapping.size = (uint64_t)(mask + 1) * mapping.entry_size;
	} else if (!find_entries(tid, inode, &mapping)) {
		ring->hidden = true;
		return;
	}
	if (!add_listed(ring, &mapping, strchr(line + 1, '\n')))
		add_in_order(ring, &mapping, (unsigned)mask, (unsigned)waiting);
}

void uring_list_slots(struct uring *ring)
{
	static const char none[] = "<none>";
	const char *line = ring->text ? strstr(ring->text, "\nUserFiles:") : NULL;
	long long count;

	if (ring->slot_count || !line || !field(line, "\nUserFiles:", &count) || count < 0 ||
		count > UINT_MAX)
		return;
	ring->slot_count = (unsigned)count;
	line = strchr(line + 1, '\n');
	while (line) {
		const char *next = strchr(line + 1, '\n');
		struct uring_slot slot;
		int start = 0;

		if (sscanf(line, "\n%u:%n", &slot.number, &start) != 1 || !start ||
			line[start] != ' ')
			break;
		slot.text = line + start + 1;
		slot.length = next ? (size_t)(next - slot.text) : strlen(slot.text);
		ring->lists_slots = true;
		// As older kernels list the empty ones.
		if (slot.length != strlen(none) || memcmp(slot.text, none, slot.length) != 0)
			*array_add(&ring->slots) = slot;
		line = next;
	}
}

bool uring_read(int tid, int owner, int fd, const struct uring_forms *forms, struct uring *ret)
{
	const struct timespec pause = {.tv_nsec = TRY_AFTER_NS};
	long long inode, thread;

	*ret = (struct uring){0};
	if (!is_ring(owner, fd))
		return false;
	for (unsigned i = 0; i < TRIES; i++) {
		ret->text = read_info(owner, fd);
		if (ret->text && field(ret->text, "\nino:", &inode) &&
			field(ret->text, "\nSqThread:", &thread)) {
			ret->polled = thread >= 0;
			add_entries(ret, tid, (unsigned long long)inode, forms);
			return true;
		}
		free(ret->text);
		ret->text = NULL;
		nanosleep(&pause, NULL);
	}
	ret->hidden = true;
	return true;
}

// The number of the entry that is the one at @place of the queue.
static bool entry_at(
	struct mem *mem, const struct uring_memory *memory, uint32_t place, uint32_t *ret)
{
	*ret = place;
	return memory->flags & NO_SQARRAY ||
	       mem_read(mem, memory->ring + memory->array + place * sizeof(*ret), ret,
		       sizeof(*ret)) == sizeof(*ret);
}

void uring_read_memory(
	struct mem *mem, const struct uring_memory *memory, uint32_t count, struct uring *ret)
{
	const uint64_t size = memory->flags & SQE128 ? WIDE_SIZE : ENTRY_SIZE;
	const struct mapping mapping = {.start = memory->entries, .size = memory->count * size};
	uint32_t head, index;

	*ret = (struct uring){.polled = memory->flags & SQPOLL};
	if (!memory->count || memory->count & (memory->count - 1) ||
		mem_read(mem, memory->ring + memory->head, &head, sizeof(head)) != sizeof(head)) {
		ret->hidden = true;
		return;
	}
	for (uint32_t i = 0; i < count && i < memory->count; i++) {
		if (!entry_at(mem, memory, (head + i) & (memory->count - 1), &index)) {
			ret->hidden = true;
			return;
		}
		add_entry(ret, &mapping, index, size);
	}
}

void uring_deinit(struct uring *ring)
{
	array_deinit(&ring->entries);
	array_deinit(&ring->slots);
	free(ring->text);
	ring->text = NULL;
}

size_t uring_slot_at(const struct uring *ring, unsigned number)
{
	size_t low = 0, high = ring->slots.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ring->slots.data[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

bool uring_slot_name(const struct uring_slot *slot, struct buf *name)
{
	size_t start = name->length;
	const char *text;

	// Blanks, newlines and backslashes are listed as \ooo.
	for (size_t i = 0; i < slot->length; i++) {
		const char *at = slot->text + i;

		if (at[0] == '\\' && i + 3 < slot->length && is_octal(at[1]) && is_octal(at[2]) &&
			is_octal(at[3])) {
			buf_char(name,
				(char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0')));
			i += 3;
		} else {
			buf_char(name, *at);
		}
	}
	text = buf_text(name) + start;
	// Before Linux 6.14 it is but the last part of a path: no slash is in it. What has no path
	// is called KIND:[NAME].
	return text[0] == '/' || strstr(text, ":[");
}

bool uring_lists_all(const struct uring *ring)
{
	struct utsname name;
	unsigned major, minor;

	if (ring->lists_slots)
		return true;
	// Before Linux 6.16 it may be that the kernel could not look.
	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 16));
}
