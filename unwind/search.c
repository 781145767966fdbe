// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "unwind/search.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "unwind/context.h"
#include "unwind/crc32.h"
#include "unwind/elf_file.h"
#include "unwind/minidebug.h"
#include "unwind/module.h"

enum {
	FOLDERS_MOST = 32,
	BUILD_ID_LEAST = 2,
};

static const char system_folder[] = "/usr/lib/debug";

/** What a candidate must be. */
struct wanted {
	struct unwind_module *module;
	/** NULL: the checksum counts. */
	const uint8_t *build_id;
	size_t build_id_size;
	uint32_t crc;
};

static char *tried_text(const struct wanted *wanted, int root, const char *path)
{
	if (root == ROOT_OWN)
		return xstrdup(path);
	return xasprintf("%s%s", wanted->module->context->roots.roots[root].path, path);
}

static const char *refuse(const struct wanted *wanted, const struct elf_file *file)
{
	const struct elf_file *own = wanted->module->file;
	uint32_t crc;

	if (own && !wanted->module->file_is_image && own->device == file->device &&
		own->inode == file->inode)
		return "the module itself";
	if (wanted->build_id) {
		if (elf_file_has_build_id(file, wanted->build_id, wanted->build_id_size))
			return NULL;
		return file->build_id_size ? "another build-id" : "no build-id";
	}
	if (!crc32_file(file->fd, &crc))
		return "cannot be read";
	return crc == wanted->crc ? NULL : "another checksum";
}

static struct elf_file *try_path(const struct wanted *wanted, int root, const char *path)
{
	cleanup_free char *tried = tried_text(wanted, root, path);
	const char *reason = NULL;
	struct elf_file *file;
	int fd = root_list_open(&wanted->module->context->roots, root, path);

	if (fd < 0) {
		module_note(wanted->module, take_ptr(tried), strerror(errno));
		return NULL;
	}
	file = elf_file_open(fd, tried, &reason);
	if (file && !(reason = refuse(wanted, file)))
		return file;
	elf_file_destroy(file);
	module_note(wanted->module, take_ptr(tried), reason);
	return NULL;
}

/** @path in the module's root, then in ours. */
static struct elf_file *try_roots(const struct wanted *wanted, const char *path)
{
	int root = wanted->module->root;
	struct elf_file *file = NULL;

	if (root != ROOT_OWN)
		file = try_path(wanted, root, path);
	return file ? file : try_path(wanted, ROOT_OWN, path);
}

/** Folders for debug files, those of the user first. */
static size_t list_folders(const struct unwind_context *context, const char *folders[FOLDERS_MOST])
{
	const char *const *given = context->options.debug_dirs;
	size_t count = 0;

	while (given && *given && count < FOLDERS_MOST - 1)
		folders[count++] = *given++;
	folders[count++] = system_folder;
	return count;
}

static void append_hex(struct buf *buf, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_printf(buf, "%02x", bytes[i]);
}

static struct elf_file *search_build_id(const struct wanted *wanted)
{
	const char *folders[FOLDERS_MOST];
	size_t count = list_folders(wanted->module->context, folders);
	struct elf_file *file = NULL;

	if (wanted->build_id_size < BUILD_ID_LEAST)
		return NULL;
	for (size_t i = 0; !file && i < count; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/.build-id/%02x/", folders[i], wanted->build_id[0]);
		append_hex(&path, wanted->build_id + 1, wanted->build_id_size - 1);
		buf_string(&path, ".debug");
		file = try_roots(wanted, buf_text(&path));
		buf_deinit(&path);
	}
	return file;
}

static struct elf_file *try_joined(
	const struct wanted *wanted, const char *folder, const char *below, const char *name)
{
	cleanup_free char *path = xasprintf("%s%s/%s", folder, below, name);

	return try_roots(wanted, path);
}

/** The places of GDB's manual, "Debugging Information in Separate Files". */
static struct elf_file *search_debuglink(const struct wanted *wanted, const char *name)
{
	const char *slash = strrchr(wanted->module->path, '/');
	cleanup_free char *folder = NULL;
	const char *folders[FOLDERS_MOST];
	size_t count = list_folders(wanted->module->context, folders);
	struct elf_file *file;

	if (!slash || strchr(name, '/') || !*name)
		return NULL;
	folder = xstrndup(wanted->module->path, (size_t)(slash - wanted->module->path));
	file = try_joined(wanted, folder, "", name);
	if (!file)
		file = try_joined(wanted, folder, "/.debug", name);
	for (size_t i = 0; !file && i < count; i++)
		file = try_joined(wanted, folders[i], folder, name);
	return file;
}

struct elf_file *search_debug_file(struct unwind_module *module)
{
	struct wanted wanted = {.module = module};
	const char *link;
	GElf_Word crc;

	if (module->debug_file_tried)
		return module->debug_file;
	module->debug_file_tried = true;
	if (module->identity.build_id_size) {
		wanted.build_id = module->identity.build_id;
		wanted.build_id_size = module->identity.build_id_size;
		module->debug_file = search_build_id(&wanted);
	}
	if (module->debug_file || !module->file)
		return module->debug_file;
	link = dwelf_elf_gnu_debuglink(module->file->elf, &crc);
	if (link) {
		wanted.crc = crc;
		module->debug_file = search_debuglink(&wanted, link);
	}
	return module->debug_file;
}

struct elf_file *search_dwarf_file(struct unwind_module *module)
{
	struct elf_file *debug_file;

	if (module->file && elf_file_has_dwarf(module->file))
		return module->file;
	debug_file = search_debug_file(module);
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

	if (path)
		file = try_path(wanted, ROOT_OWN, path);
	if (path && !file && wanted->module->root != ROOT_OWN)
		file = try_path(wanted, wanted->module->root, path);
	return file ? file : search_build_id(wanted);
}

/** From the context if another module has it, else from disk. */
static struct elf_file *share_alt(
	const struct wanted *wanted, const struct elf_file *dwarf_file, const char *name)
{
	struct hash *known = &wanted->module->context->alt_files;
	uint64_t key = hash_bytes(wanted->build_id, wanted->build_id_size);
	struct elf_file *file = hash_get(known, key);

	if (file && elf_file_has_build_id(file, wanted->build_id, wanted->build_id_size))
		return file;
	file = file ? NULL : find_alt(wanted, dwarf_file, name);
	if (file)
		hash_set(known, key, file);
	return file;
}

struct elf_file *search_alt_file(struct unwind_module *module)
{
	struct elf_file *dwarf_file = search_dwarf_file(module);
	struct wanted wanted = {.module = module};
	const void *build_id;
	const char *name;
	ssize_t size;
	Dwarf *dwarf;

	if (module->alt_file_tried)
		return module->alt_file;
	module->alt_file_tried = true;
	dwarf = dwarf_file ? elf_file_dwarf(dwarf_file) : NULL;
	size = dwarf ? dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &build_id) : 0;
	if (size > 0) {
		wanted.build_id = build_id;
		wanted.build_id_size = (size_t)size;
		module->alt_file = share_alt(&wanted, dwarf_file, name);
	}
	// Without this, libdw looks for one by itself and takes what it finds.
	if (dwarf)
		dwarf_setalt(dwarf, module->alt_file ? elf_file_dwarf(module->alt_file) : NULL);
	return module->alt_file;
}

struct elf_file *search_mini_file(struct unwind_module *module)
{
	const char *reason = NULL;
	const Elf_Data *data;
	size_t size;
	void *image;

	if (module->mini_file || !module->file)
		return module->mini_file;
	data = elf_file_section_data(module->file, ".gnu_debugdata");
	if (!data)
		return NULL;
	image = minidebug_unpack(data->d_buf, data->d_size, &size, &reason);
	if (image)
		module->mini_file = elf_file_from_image(image, size, ".gnu_debugdata", &reason);
	if (!module->mini_file)
		module_note(module, xstrdup(".gnu_debugdata"), reason);
	return module->mini_file;
}
