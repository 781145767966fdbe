// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/debuginfo/search.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "unwind/debuginfo/debug_files.h"
#include "unwind/elf/crc32.h"
#include "unwind/elf/elf_file.h"
#include "unwind/elf/minidebug.h"
#include "unwind/unwind.h"

enum {
	FOLDERS_MAX = 32,
	BUILD_ID_MIN = 2,
	/** Roots that files of one module are looked for in. */
	ROOTS_USED = 3,
};

static const char system_folder[] = "/usr/lib/debug";

/** What a candidate must be. */
struct wanted {
	struct debug_files *files;
	enum lookup_target what;
	/** NULL: the checksum counts. */
	const uint8_t *build_id;
	size_t build_id_size;
	uint32_t crc;
};

static char *tried_text(const struct wanted *wanted, int root, const char *path)
{
	if (root == ROOT_OWN)
		return xstrdup(path);
	return xasprintf("%s%s", wanted->files->search->roots.roots[root].path, path);
}

/** Whether @file is wanted; else @failure says why not. */
static bool accept(
	const struct wanted *wanted, const struct elf_file *file, struct lookup_failure *failure)
{
	const struct elf_file *own = wanted->files->file;
	uint32_t crc;

	if (own && !wanted->files->file_is_image && own->device == file->device &&
		own->inode == file->inode) {
		failure->reason = LOOKUP_SAME_FILE;
	} else if (wanted->build_id) {
		if (elf_file_has_build_id(file, wanted->build_id, wanted->build_id_size))
			return true;
		failure->reason = file->build_id_size ? LOOKUP_OTHER_BUILD_ID : LOOKUP_NO_BUILD_ID;
		failure->detail = lookup_failure_build_id_detail(file->build_id,
			file->build_id_size, wanted->build_id, wanted->build_id_size);
	} else if (!crc32_file(file->fd, &crc)) {
		failure->reason = LOOKUP_SYSTEM;
		failure->detail = xstrdup("cannot be read, or is mostly a hole");
	} else if (crc != wanted->crc) {
		failure->reason = LOOKUP_OTHER_CRC;
		failure->detail =
			xasprintf("CRC differs: is %08x and should be %08x", crc, wanted->crc);
	} else {
		return true;
	}
	return false;
}

static struct elf_file *try_path(const struct wanted *wanted, int root, const char *path)
{
	struct lookup_failure failure = {
		.wanted = wanted->what, .path = tried_text(wanted, root, path)};
	int fd = root_list_open(&wanted->files->search->roots, root, path);
	struct elf_file *file = NULL;

	if (fd < 0) {
		failure.reason = lookup_failure_of_errno(errno);
		if (failure.reason == LOOKUP_SYSTEM)
			failure.detail = xstrdup(strerror(errno));
	} else {
		file = elf_file_open(fd, failure.path, &failure.reason);
		if (file && accept(wanted, file, &failure)) {
			lookup_failure_deinit(&failure);
			return file;
		}
	}
	elf_file_destroy(file);
	debug_files_add_failure(wanted->files, failure);
	return NULL;
}

/** The roots to look into: the module's, then that of --sysroot, then ours. */
static size_t list_roots(const struct debug_files *files, int roots[ROOTS_USED])
{
	int sysroot = files->search->sysroot;
	size_t count = 0;

	if (files->root != ROOT_OWN)
		roots[count++] = files->root;
	if (sysroot != ROOT_OWN && sysroot != files->root)
		roots[count++] = sysroot;
	roots[count++] = ROOT_OWN;
	return count;
}

/** Folders for debug files, those of the user first. */
static size_t list_folders(const struct unwind_options *options, const char *folders[FOLDERS_MAX])
{
	const char *const *given = options->debug_dirs;
	size_t count = 0;

	while (given && *given && count < FOLDERS_MAX - 1)
		folders[count++] = *given++;
	folders[count++] = system_folder;
	return count;
}

static void append_hex(struct buf *buf, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_printf(buf, "%02x", bytes[i]);
}

static struct elf_file *search_build_id(const struct wanted *wanted, int root)
{
	const char *folders[FOLDERS_MAX];
	size_t count = list_folders(wanted->files->search->options, folders);
	struct elf_file *file = NULL;

	if (wanted->build_id_size < BUILD_ID_MIN)
		return NULL;
	for (size_t i = 0; !file && i < count; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/.build-id/%02x/", folders[i], wanted->build_id[0]);
		append_hex(&path, wanted->build_id + 1, wanted->build_id_size - 1);
		buf_string(&path, ".debug");
		file = try_path(wanted, root, buf_text(&path));
		buf_deinit(&path);
	}
	return file;
}

static struct elf_file *try_joined(const struct wanted *wanted, int root, const char *folder,
	const char *below, const char *name)
{
	cleanup_free char *path = xasprintf("%s%s/%s", folder, below, name);

	return try_path(wanted, root, path);
}

/**
 * What the folder @path is called on a system with the other idea of /lib, /bin and /sbin: they
 * were moved to /usr, and debug files of packages from before (or after) lie below the other
 * name. NULL if it is none of them; the caller frees it.
 */
static char *other_folder(const char *path)
{
	static const char *const moved[] = {"/lib", "/bin", "/sbin"};
	bool is_in_usr = strncmp(path, "/usr/", 5) == 0;
	const char *rest = is_in_usr ? path + 4 : path;

	for (size_t i = 0; i < ARRAY_SIZE(moved); i++) {
		if (strncmp(rest, moved[i], strlen(moved[i])) == 0)
			return is_in_usr ? xstrdup(rest) : xasprintf("/usr%s", path);
	}
	return NULL;
}

/**
 * The places of GDB's manual, "Debugging Information in Separate Files", for a module at @path
 * in that root.
 */
static struct elf_file *search_link_by(
	const struct wanted *wanted, int root, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *folder = NULL, *other = NULL;
	const char *folders[FOLDERS_MAX];
	size_t count = list_folders(wanted->files->search->options, folders);
	struct elf_file *file;

	if (!slash)
		return NULL;
	folder = xstrndup(path, (size_t)(slash - path));
	file = try_joined(wanted, root, folder, "", name);
	if (!file)
		file = try_joined(wanted, root, folder, "/.debug", name);
	for (size_t i = 0; !file && i < count; i++)
		file = try_joined(wanted, root, folders[i], folder, name);
	other = other_folder(folder);
	for (size_t i = 0; !file && other && i < count; i++)
		file = try_joined(wanted, root, folders[i], other, name);
	return file;
}

/** In ours also where the packages of the same system would put it. */
static struct elf_file *search_debuglink(const struct wanted *wanted, int root, const char *name)
{
	const struct debug_files *files = wanted->files;
	bool is_own = root == ROOT_OWN;
	struct elf_file *file =
		search_link_by(wanted, root, is_own ? files->path : files->inside, name);

	if (!file && is_own && strcmp(files->path, files->inside) != 0)
		file = search_link_by(wanted, root, files->inside, name);
	return file;
}

/** The kernel's own copy of the vdso, as `make vdso_install` puts it. */
static struct elf_file *search_vdso(const struct wanted *wanted)
{
	const struct elf_file *own = wanted->files->file;
	cleanup_free char *path = NULL;
	struct utsname system;

	if (strcmp(wanted->files->path, "[vdso]") != 0 || !own || uname(&system))
		return NULL;
	path = xasprintf(
		"/lib/modules/%s/vdso/vdso%s.so", system.release, own->headers.is_64 ? "64" : "32");
	return try_path(wanted, ROOT_OWN, path);
}

/** What debuginfod clients fetched before, as debuginfod_find_debuginfo(3) stores it. */
static struct elf_file *search_cache(const struct wanted *wanted)
{
	const char *cache = wanted->files->search->options->debuginfod_cache;
	struct elf_file *file = NULL;
	struct buf path = {0};

	if (!cache || !wanted->build_id_size)
		return NULL;
	buf_printf(&path, "%s/", cache);
	append_hex(&path, wanted->build_id, wanted->build_id_size);
	buf_string(&path, "/debuginfo");
	file = try_path(wanted, ROOT_OWN, buf_text(&path));
	buf_deinit(&path);
	return file;
}

static struct elf_file *search_everywhere(const struct wanted *wanted, const char *link)
{
	int roots[ROOTS_USED];
	size_t count = list_roots(wanted->files, roots);
	struct elf_file *file = NULL;

	if (wanted->build_id) {
		for (size_t i = 0; !file && i < count; i++)
			file = search_build_id(wanted, roots[i]);
	}
	if (link && *link && !strchr(link, '/')) {
		for (size_t i = 0; !file && i < count; i++)
			file = search_debuglink(wanted, roots[i], link);
	}
	if (!file && wanted->build_id)
		file = search_vdso(wanted);
	return file ? file : search_cache(wanted);
}

struct elf_file *search_debug_file(struct debug_files *files)
{
	struct wanted wanted = {.files = files, .what = LOOKUP_OF_DEBUG_FILE};
	const char *link = NULL;
	GElf_Word crc;

	if (files->debug_file_tried)
		return files->debug_file;
	files->debug_file_tried = true;
	if (files->identity.build_id_size) {
		wanted.build_id = files->identity.build_id;
		wanted.build_id_size = files->identity.build_id_size;
	}
	if (files->file)
		link = dwelf_elf_gnu_debuglink(files->file->elf, &crc);
	if (link)
		wanted.crc = crc;
	if (link || wanted.build_id)
		files->debug_file = search_everywhere(&wanted, link);
	return files->debug_file;
}

struct elf_file *search_dwarf_file(struct debug_files *files)
{
	struct elf_file *debug_file;

	if (files->file && elf_file_has_dwarf(files->file))
		return files->file;
	debug_file = search_debug_file(files);
	return debug_file && elf_file_has_dwarf(debug_file) ? debug_file : NULL;
}

static char *alt_path(const struct elf_file *dwarf_file, const char *name)
{
	cleanup_free char *link = NULL, *real = NULL;
	const char *slash;

	if (name[0] == '/')
		return xstrdup(name);
	// The name counts from the real file, which build-id folders only link to.
	link = xasprintf("/proc/self/fd/%d", dwarf_file->fd);
	real = realpath(link, NULL);
	slash = real ? strrchr(real, '/') : NULL;
	return slash ? xasprintf("%.*s/%s", (int)(slash - real), real, name) : NULL;
}

static struct elf_file *find_alt(
	const struct wanted *wanted, const struct elf_file *dwarf_file, const char *name)
{
	cleanup_free char *path = alt_path(dwarf_file, name);
	struct elf_file *file = NULL;
	int roots[ROOTS_USED];
	size_t count = list_roots(wanted->files, roots);

	// The path is one of ours even if the debug file is from another root.
	if (path)
		file = try_path(wanted, ROOT_OWN, path);
	for (size_t i = 0; path && !file && i + 1 < count; i++)
		file = try_path(wanted, roots[i], path);
	for (size_t i = 0; !file && i < count; i++)
		file = search_build_id(wanted, roots[i]);
	return file ? file : search_cache(wanted);
}

/** What another module found, else from disk. */
static struct elf_file *share_alt(
	const struct wanted *wanted, const struct elf_file *dwarf_file, const char *name)
{
	struct hash *known = &wanted->files->search->alt_files;
	uint64_t key = hash_bytes(wanted->build_id, wanted->build_id_size);
	struct elf_file *file = hash_get(known, key);

	if (file && elf_file_has_build_id(file, wanted->build_id, wanted->build_id_size))
		return file;
	file = file ? NULL : find_alt(wanted, dwarf_file, name);
	if (file)
		hash_set(known, key, file);
	return file;
}

struct elf_file *search_alt_file(struct debug_files *files)
{
	bool with_locations = files->search->options->args;
	struct elf_file *dwarf_file = search_dwarf_file(files);
	struct wanted wanted = {.files = files, .what = LOOKUP_OF_ALTERNATE};
	const void *build_id;
	const char *name;
	ssize_t size;
	Dwarf *dwarf;

	if (files->alt_file_tried)
		return files->alt_file;
	files->alt_file_tried = true;
	dwarf = dwarf_file ? elf_file_dwarf(dwarf_file, with_locations) : NULL;
	size = dwarf ? dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id) : 0;
	if (size > 0) {
		wanted.build_id = build_id;
		wanted.build_id_size = (size_t)size;
		files->alt_file = share_alt(&wanted, dwarf_file, name);
	}
	return files->alt_file;
}

bool search_alt_dwarf(struct debug_files *files)
{
	struct elf_file *file = search_alt_file(files);
	bool with_locations = files->search->options->args;
	Dwarf *dwarf = file ? elf_file_dwarf(file, with_locations) : NULL;

	if (dwarf && !files->alt_is_known) {
		dwarf_setalt(elf_file_dwarf(search_dwarf_file(files), with_locations), dwarf);
		files->alt_is_known = true;
	}
	return dwarf;
}

/** A file of which nothing but its name is known; what is in it is checked by the reader. */
static struct elf_file *try_split(
	struct debug_files *files, int root, const char *path, bool is_noted)
{
	struct wanted wanted = {.files = files, .what = LOOKUP_OF_SPLIT};
	struct lookup_failure failure = {
		.wanted = LOOKUP_OF_SPLIT, .path = tried_text(&wanted, root, path)};
	int fd = root_list_open(&files->search->roots, root, path);
	struct elf_file *file = NULL;

	if (fd < 0)
		failure.reason = lookup_failure_of_errno(errno);
	else
		file = elf_file_open(fd, failure.path, &failure.reason);
	if (file || !is_noted)
		lookup_failure_deinit(&failure);
	else
		debug_files_add_failure(files, failure);
	return file;
}

/** @path as it is and below each folder for debug files, in each root. */
static struct elf_file *try_split_everywhere(
	struct debug_files *files, const char *path, bool is_noted)
{
	const char *folders[FOLDERS_MAX];
	size_t folder_count = list_folders(files->search->options, folders);
	int roots[ROOTS_USED];
	size_t count = list_roots(files, roots);
	struct elf_file *file = NULL;

	for (size_t i = 0; !file && i < count; i++) {
		file = try_split(files, roots[i], path, is_noted);
		for (size_t j = 0; !file && j < folder_count; j++) {
			cleanup_free char *below = xasprintf("%s%s", folders[j], path);

			file = try_split(files, roots[i], below, is_noted);
		}
	}
	return file;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct elf_file *try_split_beside(
	struct debug_files *files, const char *path, const char *name, bool is_noted)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *beside =
		slash ? xasprintf("%.*s/%s", (int)(slash - path), path, name) : NULL;

	return beside ? try_split_everywhere(files, beside, is_noted) : NULL;
}

static struct elf_file *try_split_package(struct debug_files *files, const char *path)
{
	cleanup_free char *name = xasprintf("%s.dwp", path);

	return path[0] == '/' ? try_split_everywhere(files, name, /* is_noted= */ true) : NULL;
}

struct elf_file *search_split_file(struct debug_files *files, const char *folder, const char *name)
{
	cleanup_free char *path =
		name[0] == '/' || !folder ? xstrdup(name) : xasprintf("%s/%s", folder, name);
	bool is_noted = !files->split_missed;
	struct elf_file *file = NULL;

	if (path[0] == '/')
		file = try_split_everywhere(files, path, is_noted);
	// Where the program is, if they were moved together.
	if (!file)
		file = try_split_beside(files, files->inside, last_part(name), is_noted);
	if (!file && strcmp(files->path, files->inside) != 0)
		file = try_split_beside(files, files->path, last_part(name), is_noted);
	return file;
}

struct elf_file *search_split_package(struct debug_files *files)
{
	const struct elf_file *debug = search_dwarf_file(files);

	if (files->split_package_tried)
		return files->split_package;
	files->split_package_tried = true;
	files->split_package = try_split_package(files, files->inside);
	if (!files->split_package && strcmp(files->path, files->inside) != 0)
		files->split_package = try_split_package(files, files->path);
	if (!files->split_package && debug && debug != files->file) {
		cleanup_free char *other = xasprintf("%s.dwp", debug->path);

		files->split_package = try_split(files, ROOT_OWN, other, /* is_noted= */ true);
	}
	return files->split_package;
}

bool search_alt_id(struct debug_files *files, uint8_t ret[ELF_BUILD_ID_MAX], size_t *size_ret)
{
	struct elf_file *file = search_dwarf_file(files);
	const Elf_Data *data = file ? elf_file_section_data(file, ".gnu_debugaltlink") : NULL;
	const char *end = data ? memchr(data->d_buf, '\0', data->d_size) : NULL;
	size_t size = end ? data->d_size - (size_t)(end + 1 - (const char *)data->d_buf) : 0;

	if (size < BUILD_ID_MIN || size > ELF_BUILD_ID_MAX)
		return false;
	memcpy(ret, end + 1, size);
	*size_ret = size;
	return true;
}

void search_take_alt_file(struct debug_files *files, struct elf_file *file)
{
	uint64_t key = hash_bytes(file->build_id, file->build_id_size);
	struct hash *known = &files->search->alt_files;

	if (hash_get(known, key))
		elf_file_destroy(file);
	else
		hash_set(known, key, file);
	files->alt_file_tried = false;
	files->alt_is_known = false;
	search_alt_file(files);
}

struct elf_file *search_mini_file(struct debug_files *files)
{
	enum lookup_reason reason = LOOKUP_NONE;
	const Elf_Data *data;
	size_t size;
	void *image;

	if (files->mini_file_tried || !files->file)
		return files->mini_file;
	files->mini_file_tried = true;
	data = elf_file_section_data(files->file, ".gnu_debugdata");
	if (!data)
		return NULL;
	image = minidebug_unpack(
		data->d_buf, data->d_size, elf_file_unpacked_max(files->file), &size, &reason);
	if (image)
		files->mini_file = elf_file_from_image(image, size, ".gnu_debugdata", &reason);
	if (!files->mini_file)
		debug_files_add_failure(
			files, (struct lookup_failure){.wanted = LOOKUP_OF_MINI_SYMBOLS,
				       .reason = reason,
				       .path = xstrdup(".gnu_debugdata")});
	return files->mini_file;
}
