// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/report/hints.h"

#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "unwind/diagnose.h"
#include "unwind/elf/elf_file.h"
#include "unwind/module/context.h"
#include "unwind/module/module.h"
#include "unwind/package.h"

enum { HINTS_MAX = 4 };

/** Advice for one module. */
struct adviser {
	struct arena *arena;
	struct diagnosis *diagnosis;
	enum package_system system;
	const struct package_query *query;
	const char *lines[HINTS_MAX];
	size_t count;
};

static bool is_complete(const struct diagnosis *diagnosis)
{
	return diagnosis->names.section && !diagnosis->names.limit && diagnosis->lines.section;
}

static void say(struct adviser *adviser, const char *line)
{
	if (adviser->count < HINTS_MAX)
		adviser->lines[adviser->count++] = line;
}

static const char *hex(struct arena *arena, const uint8_t *bytes, size_t size)
{
	char *text = arena_zalloc(arena, 2 * size + 1);

	for (size_t i = 0; i < size; i++) {
		text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return text;
}

/** Debian's automatic packages are in an archive of their own. */
static const char *archive_of(const struct adviser *adviser, const char *package)
{
	size_t length = strlen(package);

	if (length < 7 || strcmp(package + length - 7, "-dbgsym") != 0)
		return "";
	return adviser->system == PACKAGE_SYSTEM_UBUNTU
		       ? " (from the archive ddebs.ubuntu.com)"
		       : " (from the archive deb.debian.org/debian-debug)";
}

static void advise_debian(struct adviser *adviser)
{
	const struct package_query *query = adviser->query;
	const char *package = query->debug_package;

	if (!query->debug_version) {
		say(adviser, arena_printf(adviser->arena, "apt-get install %s%s", package,
				     archive_of(adviser, package)));
	} else if (query->version && strcmp(query->debug_version, query->version) != 0 &&
		   !query->is_certain) {
		say(adviser,
			arena_printf(adviser->arena,
				"%s is installed in version %s, but %s in version %s: "
				"install both in one version",
				package, query->debug_version, query->package, query->version));
	} else {
		say(adviser, arena_printf(adviser->arena,
				     "%s %s is installed, but does not fit: the file is not that "
				     "of %s %s, or the package is damaged",
				     package, query->debug_version, query->package,
				     query->version ? query->version : ""));
	}
}

/** The server of the distribution, from debuginfod.elfutils.org's list. */
static const char *server_of(enum package_system system)
{
	switch (system) {
	case PACKAGE_SYSTEM_DEBIAN:
		return "https://debuginfod.debian.net";
	case PACKAGE_SYSTEM_UBUNTU:
		return "https://debuginfod.ubuntu.com";
	case PACKAGE_SYSTEM_FEDORA:
		return "https://debuginfod.fedoraproject.org";
	case PACKAGE_SYSTEM_UNKNOWN:
		break;
	}
	return "https://debuginfod.elfutils.org";
}

static void advise_vdso(struct adviser *adviser)
{
	struct utsname system;

	if (uname(&system) == 0)
		say(adviser, arena_printf(adviser->arena,
				     "the debug package of kernel %s, such as linux-image-%s-dbg",
				     system.release, system.release));
}

/** The file was not to be had, so its names were not either. */
static void advise_file(struct adviser *adviser)
{
	for (size_t i = 0; i < adviser->diagnosis->failure_count; i++) {
		const struct lookup_failure *failure = adviser->diagnosis->failures[i];

		if (failure->wanted == LOOKUP_OF_FILE && failure->reason == LOOKUP_FORBIDDEN) {
			say(adviser, "run tracer as root, or with CAP_SYS_PTRACE and "
				     "CAP_CHECKPOINT_RESTORE");
			return;
		}
	}
	say(adviser, "the file is gone: put it back, or start the program again");
}

/** A stripped program that names its debug file: whoever stripped it has that. */
static const char *debug_link(const struct adviser *adviser)
{
	const struct elf_file *file = adviser->diagnosis->module->files.file;
	GElf_Word crc;

	return file ? dwelf_elf_gnu_debuglink(file->elf, &crc) : NULL;
}

static void advise_no_package(struct adviser *adviser)
{
	const struct diagnosis *diagnosis = adviser->diagnosis;
	const char *link = debug_link(adviser);

	if (link)
		say(adviser, arena_printf(adviser->arena,
				     "not from a package: put its debug file %s beside it", link));
	else if (diagnosis->names.section && !diagnosis->names.limit)
		say(adviser, "not from a package: build it with -g");
	else
		say(adviser, "not from a package: build it with -g, do not strip it");
}

static void advise_package(struct adviser *adviser)
{
	const struct package_query *query = adviser->query;
	const char *id = query->build_id;

	if (query->debug_package)
		advise_debian(adviser);
	else if (adviser->system == PACKAGE_SYSTEM_FEDORA && id)
		say(adviser, arena_printf(adviser->arena,
				     "debuginfo-install, or: dnf --enablerepo='*debug*' install "
				     "/usr/lib/debug/.build-id/%.2s/%s.debug",
				     id, id + 2));
	else if (adviser->system != PACKAGE_SYSTEM_UNKNOWN && !query->package)
		advise_no_package(adviser);
	if (id && (query->package || adviser->system != PACKAGE_SYSTEM_DEBIAN))
		say(adviser, arena_printf(adviser->arena, "or ask a server: --debuginfod=%s",
				     server_of(adviser->system)));
	if (!id && !adviser->diagnosis->module->files.failures.count)
		say(adviser, "it has neither build-id nor debug link, so that no debug file can "
			     "be found for it: link with -Wl,--build-id");
}

static void advise(struct adviser *adviser)
{
	struct diagnosis *diagnosis = adviser->diagnosis;

	if (is_complete(diagnosis))
		return;
	if (!strcmp(diagnosis->path, "[vdso]"))
		advise_vdso(adviser);
	else if (diagnosis->from_memory || !diagnosis->opened)
		advise_file(adviser);
	else
		advise_package(adviser);
	diagnosis->hints =
		arena_copy(adviser->arena, adviser->lines, adviser->count * sizeof(char *));
	diagnosis->hint_count = adviser->count;
}

/** All modules of one root at once. */
static void advise_root(struct diagnosis_list *list, int root)
{
	struct package_query *queries =
		arena_zalloc(&list->arena, list->items.count * sizeof(*queries));
	struct diagnosis **asked =
		arena_alloc(&list->arena, list->items.count * sizeof(struct diagnosis *));
	cleanup_free char *folder = NULL;
	enum package_system system;
	size_t count = 0;

	array_for_each (item, &list->items) {
		const struct root_list *roots = &item->module->context->search.roots;

		if (item->module->files.root != root || is_complete(item))
			continue;
		queries[count].path = item->module->files.inside;
		if (item->build_id_size)
			queries[count].build_id =
				hex(&list->arena, item->build_id, item->build_id_size);
		asked[count++] = item;
		// The process may be gone, its root is still open.
		if (!folder)
			folder = root == ROOT_OWN
					 ? xstrdup("")
					 : xasprintf("/proc/self/fd/%d", roots->roots[root].fd);
	}
	if (!count)
		return;
	system = package_find(folder, queries, count, &list->arena);
	for (size_t i = 0; i < count; i++) {
		struct adviser adviser = {.arena = &list->arena,
			.diagnosis = asked[i],
			.system = system,
			.query = &queries[i]};

		advise(&adviser);
	}
}

void hints_add(struct diagnosis_list *list)
{
	for (int root = ROOT_OWN; root < ROOTS_MAX; root++) {
		bool is_used = false;

		array_for_each (item, &list->items)
			is_used |= item->module->files.root == root;
		if (is_used)
			advise_root(list, root);
	}
}
