// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/package.h"

#include <dirent.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "unwind/debuginfo/text_file.h"

/**
 * Source packages that bring the debug files of their packages by themselves, from before
 * there were automatic -dbgsym packages. * stands for the number in the source's name.
 */
static const struct {
	const char *source;
	/** Start of the package's name; NULL: all. */
	const char *package;
	const char *debug_package;
} own_debug_packages[] = {
	{"binutils", "binutils-x86-64-linux-gnu", "binutils-x86-64-linux-gnu-dbg"},
	{"binutils", "libbinutils", "libbinutils-dbg"},
	{"binutils", "libctf0", "libctf0-dbg"},
	{"binutils", "libctf-nobfd0", "libctf-nobfd0-dbg"},
	{"binutils", "libgprofng0", "libgprofng0-dbg"},
	{"glibc", NULL, "libc6-dbg"},
	{"openjdk-*", NULL, "openjdk-*-dbg"},
	{"python*", NULL, "python*-dbg"},
	{"valgrind", NULL, "valgrind-dbg"},
};

/** What dpkg's status says of one package. */
struct stanza {
	const char *package, *version, *source, *architecture, *build_ids, *status;
};

struct finder {
	struct arena *arena;
	struct package_query *queries;
	size_t count;
	/** From hash of a path to query index + 1. */
	struct hash paths;
	/** Source package of each query. */
	const char **sources;
};

/** The other name of a path where /lib is a link to /usr/lib: dpkg may know only one of them. */
static const char *unmerged(const char *path)
{
	static const char *const folders[] = {"/usr/bin/", "/usr/lib", "/usr/sbin/"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return path + strlen("/usr");
	}
	return NULL;
}

static void add_path(struct finder *finder, const char *path, size_t index)
{
	if (path)
		hash_set(&finder->paths, hash_bytes(path, strlen(path)),
			(void *)(uintptr_t)(index + 1));
}

static bool is_path(const struct package_query *query, const char *line, size_t length)
{
	const char *other = unmerged(query->path);

	return (strlen(query->path) == length && !memcmp(query->path, line, length)) ||
	       (other && strlen(other) == length && !memcmp(other, line, length));
}

/** @name is that of the list: "libc6:ARCHITECTURE.list". */
static void read_list(struct finder *finder, const char *root, const char *name, size_t length)
{
	cleanup_free char *path = xasprintf("/var/lib/dpkg/info/%s", name);
	struct text_file file;
	const char *line;
	size_t size;

	if (!text_file_open(&file, root, path))
		return;
	while (text_file_line(&file, &line, &size)) {
		uintptr_t found = (uintptr_t)hash_get(&finder->paths, hash_bytes(line, size));
		struct package_query *query = found ? &finder->queries[found - 1] : NULL;

		for (size_t i = 0; query && i < finder->count; i++) {
			struct package_query *each = &finder->queries[i];

			if (is_path(each, line, size))
				each->package = arena_strndup(finder->arena, name, length);
		}
	}
	text_file_close(&file);
}

static void read_lists(struct finder *finder, const char *root)
{
	cleanup_free char *path = xasprintf("%s/var/lib/dpkg/info", root);
	cleanup_closedir DIR *folder = opendir(path);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (length > 5 && !strcmp(entry->d_name + length - 5, ".list"))
			read_list(finder, root, entry->d_name, length - 5);
	}
}

static bool take_field(
	struct arena *arena, const char *line, size_t size, const char *name, const char **ret)
{
	size_t length = strlen(name);

	if (size <= length || strncmp(line, name, length) != 0)
		return false;
	line += length;
	size -= length;
	while (size && *line == ' ') {
		line++;
		size--;
	}
	*ret = arena_strndup(arena, line, size);
	return true;
}

/** The next package of the file; false at its end. */
static bool read_stanza(struct text_file *file, struct arena *arena, struct stanza *ret)
{
	const char *line;
	size_t size;

	*ret = (struct stanza){0};
	while (text_file_line(file, &line, &size)) {
		if (!size && ret->package)
			return true;
		if (take_field(arena, line, size, "Package:", &ret->package) ||
			take_field(arena, line, size, "Version:", &ret->version) ||
			take_field(arena, line, size, "Source:", &ret->source) ||
			take_field(arena, line, size, "Status:", &ret->status) ||
			take_field(arena, line, size, "Architecture:", &ret->architecture) ||
			take_field(arena, line, size, "Build-Ids:", &ret->build_ids))
			continue;
	}
	return ret->package;
}

/** "libc6:ARCHITECTURE" is package libc6 of that architecture. */
static bool is_package(const char *name, const struct stanza *stanza)
{
	const char *colon = strchr(name, ':');
	size_t length = colon ? (size_t)(colon - name) : strlen(name);

	return strlen(stanza->package) == length && !strncmp(name, stanza->package, length) &&
	       (!colon || !stanza->architecture || !strcmp(colon + 1, stanza->architecture));
}

static bool is_installed(const struct stanza *stanza)
{
	return stanza->status && strstr(stanza->status, " installed");
}

/** @pattern with its * replaced by what it stood for in the source's name. */
static const char *replace_star(
	struct arena *arena, const char *pattern, const char *star, size_t length)
{
	const char *at = strchr(pattern, '*');

	return at ? arena_printf(arena, "%.*s%.*s%s", (int)(at - pattern), pattern, (int)length,
			    star, at + 1)
		  : pattern;
}

static bool match_source(
	const char *pattern, const char *source, const char **star_ret, size_t *length_ret)
{
	const char *star = strchr(pattern, '*');

	*length_ret = 0;
	if (!star)
		return !strcmp(pattern, source);
	if (strncmp(pattern, source, (size_t)(star - pattern)) != 0)
		return false;
	*star_ret = source + (star - pattern);
	*length_ret = strlen(*star_ret);
	return strspn(*star_ret, "0123456789.") == *length_ret && *length_ret;
}

static const char *name_debug_package(struct arena *arena, const char *package, const char *source)
{
	const char *colon = strchr(package, ':'), *star = NULL;
	size_t length;

	for (size_t i = 0; i < ARRAY_SIZE(own_debug_packages); i++) {
		const char *start = own_debug_packages[i].package;

		if (match_source(own_debug_packages[i].source, source, &star, &length) &&
			(!start || !strncmp(package, start, strlen(start))))
			return replace_star(
				arena, own_debug_packages[i].debug_package, star, length);
	}
	return colon ? arena_printf(arena, "%.*s-dbgsym", (int)(colon - package), package)
		     : arena_printf(arena, "%s-dbgsym", package);
}

/** What a stanza says about the packages of the queries themselves. */
static void match_packages(struct finder *finder, const struct stanza *stanza)
{
	for (size_t i = 0; i < finder->count; i++) {
		struct package_query *query = &finder->queries[i];
		const char *source;

		if (!query->package || query->version || !is_package(query->package, stanza))
			continue;
		query->version = stanza->version;
		// "Source: gcc-12 (12.2.0-14)" where the versions differ.
		source = stanza->source ? stanza->source : stanza->package;
		finder->sources[i] = arena_strndup(finder->arena, source, strcspn(source, " ("));
	}
}

/** And about those of their debug files. */
static void match_debug_packages(struct finder *finder, const struct stanza *stanza)
{
	for (size_t i = 0; i < finder->count; i++) {
		struct package_query *query = &finder->queries[i];

		if (query->build_id && stanza->build_ids &&
			strstr(stanza->build_ids, query->build_id)) {
			query->debug_package = stanza->package;
			query->is_certain = true;
			query->debug_version = is_installed(stanza) ? stanza->version : NULL;
		} else if (query->debug_package && !query->is_certain && is_installed(stanza) &&
			   !strcmp(query->debug_package, stanza->package)) {
			query->debug_version = stanza->version;
		}
	}
}

static void read_stanzas(struct finder *finder, const char *root, const char *path,
	void (*match)(struct finder *finder, const struct stanza *stanza))
{
	struct text_file file;
	struct stanza stanza;

	if (!text_file_open(&file, root, path))
		return;
	while (read_stanza(&file, finder->arena, &stanza))
		match(finder, &stanza);
	text_file_close(&file);
}

/** What apt knows of packages that are not installed, where its lists are not compressed. */
static void read_apt_lists(struct finder *finder, const char *root)
{
	cleanup_free char *path = xasprintf("%s/var/lib/apt/lists", root);
	cleanup_closedir DIR *folder = opendir(path);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);

		if (length > 9 && !strcmp(entry->d_name + length - 9, "_Packages")) {
			cleanup_free char *list = xasprintf("/var/lib/apt/lists/%s", entry->d_name);

			read_stanzas(finder, root, list, match_debug_packages);
		}
	}
}

static enum package_system detect(const char *root)
{
	enum package_system system = PACKAGE_SYSTEM_UNKNOWN;
	struct text_file file;
	const char *line;
	size_t size;

	if (!text_file_open(&file, root, "/etc/os-release"))
		return system;
	while (text_file_line(&file, &line, &size)) {
		cleanup_free char *text = xstrndup(line, size);
		bool is_id = !strncmp(text, "ID=", 3) || !strncmp(text, "ID_LIKE=", 8);

		if (is_id && strstr(text, "ubuntu"))
			system = PACKAGE_SYSTEM_UBUNTU;
		else if (is_id && strstr(text, "debian") && system == PACKAGE_SYSTEM_UNKNOWN)
			system = PACKAGE_SYSTEM_DEBIAN;
		else if (is_id && (strstr(text, "fedora") || strstr(text, "rhel")))
			system = PACKAGE_SYSTEM_FEDORA;
	}
	text_file_close(&file);
	return system;
}

enum package_system package_find(
	const char *root, struct package_query *queries, size_t count, struct arena *arena)
{
	struct finder finder = {.arena = arena, .queries = queries, .count = count};
	enum package_system system = detect(root);
	static const char status[] = "/var/lib/dpkg/status";

	if (system != PACKAGE_SYSTEM_DEBIAN && system != PACKAGE_SYSTEM_UBUNTU)
		return system;
	finder.sources = arena_zalloc(arena, count * sizeof(*finder.sources));
	for (size_t i = 0; i < count; i++) {
		add_path(&finder, queries[i].path, i);
		add_path(&finder, unmerged(queries[i].path), i);
	}
	read_lists(&finder, root);
	read_stanzas(&finder, root, status, match_packages);
	for (size_t i = 0; i < count; i++) {
		if (queries[i].package && finder.sources[i])
			queries[i].debug_package =
				name_debug_package(arena, queries[i].package, finder.sources[i]);
	}
	read_stanzas(&finder, root, status, match_debug_packages);
	read_apt_lists(&finder, root);
	hash_deinit(&finder.paths);
	return system;
}
