// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include <string.h>

#include "base/arena.h"
#include "decode/fetch.h"
#include "decode/hook.h"
#include "decode/scalar.h"
#include "decode/value.h"
#include "decode/walk.h"
#include "proc/view.h"
#include "schema/const_set.h"
#include "schema/lookup.h"
#include "schema/type.h"

enum {
	/** The field of a code that says how many bytes the argument points to. */
	SIZE_SHIFT = 16,
	SIZE_MASK = 0x3fff << SIZE_SHIFT,
};

/** Devices whose drivers share codes with others, and how the names of their requests begin. */
static const struct {
	const char *path;
	const char *name;
} devices[] = {
	{"/dev/tty", "TC"},
	{"/dev/tty", "VT_"},
	{"/dev/pts/", "TC"},
	{"/dev/ptmx", "TC"},
	{"/dev/console", "TC"},
	{"/dev/console", "VT_"},
	{"/dev/rtc", "RTC_"},
	{"/dev/random", "RND"},
	{"/dev/urandom", "RND"},
	{"/dev/uinput", "UI_"},
	{"/dev/lirc", "LIRC_"},
	{"/dev/mtd", "MEM"},
	{"/dev/mtd", "OTP"},
	{"/dev/mtd", "ECC"},
	{"/dev/mixer", "MIXER_"},
	{"/dev/dsp", "SNDCTL_"},
	{"/dev/sequencer", "SNDCTL_"},
	{"/dev/sr", "CDROM"},
	{"/dev/cdrom", "CDROM"},
	{"/dev/sg", "SCSI_"},
	{"/dev/hidraw", "HIDIOCGRDESCSIZE"},
};

static const char *const directions[] = {
	"_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE"};

// A field as strace writes it: 0 without a prefix.
static const char *field(struct walk *walk, unsigned number)
{
	return number ? arena_printf(walk->arena, "%#x", number) : "0";
}

// Codes whose size is the caller's: set ioctl_sized has them with size 0. "EVIOCGABS(ABS_X)" is
// whole, "EVIOCGBIT(EV_KEY" open.
static const char *sized_name(struct walk *walk, unsigned code)
{
	const struct const_set *set = const_set_by_name("ioctl_sized");
	const char *name = set ? const_set_name(set, walk->abi, code & ~(unsigned)SIZE_MASK) : NULL;

	if (!name)
		return NULL;
	if (strchr(name, ')'))
		return name;
	return arena_printf(walk->arena, "%s%s%u)", name, strchr(name, '(') ? ", " : "(",
		(code & SIZE_MASK) >> SIZE_SHIFT);
}

static const char *parts_name(struct walk *walk, unsigned code)
{
	return arena_printf(walk->arena, "_IOC(%s, %s, %s, %s)", directions[code >> 30],
		field(walk, code >> 8 & 0xff), field(walk, code & 0xff),
		field(walk, (code & SIZE_MASK) >> SIZE_SHIFT));
}

// Of the names in "A or B" the one that begins with @prefix; NULL if none does.
static const char *alternative(struct walk *walk, const char *names, const char *prefix)
{
	static const char between[] = " or ";

	for (const char *name = names;;) {
		const char *end = strstr(name, between);

		if (strncmp(name, prefix, strlen(prefix)) == 0)
			return end ? arena_strndup(walk->arena, name, (size_t)(end - name)) : name;
		if (!end)
			return NULL;
		name = end + strlen(between);
	}
}

// Where drivers share a code, what the descriptor refers to may tell whose it is.
static void choose_name(struct walk *walk, struct value *value, int fd)
{
	const char *path;

	if (!value->name || !strstr(value->name, " or ") || fd < 0)
		return;
	path = view_fd_path(walk->view, walk->arena, fd);
	for (size_t i = 0; path && i < sizeof(devices) / sizeof(devices[0]); i++) {
		const char *name;

		if (strncmp(path, devices[i].path, strlen(devices[i].path)) != 0)
			continue;
		name = alternative(walk, value->name, devices[i].name);
		if (name) {
			value->name = name;
			return;
		}
	}
}

struct value *hook_ioctl_request(struct walk *walk, const struct type *type,
	const struct place *place, const uint64_t args[HOOK_ARGS_MAX])
{
	const struct const_set *set = type->target ? type->target->set : NULL;
	struct value *value;
	const char *name;
	uint64_t code;

	if (!fetch_number(walk, place, 4, false, false, &code))
		return NULL;
	if (set && const_set_name(set, walk->abi, code)) {
		value = scalar_named(walk, type->target, set, code);
		choose_name(walk, value, (int)args[0]);
		return value;
	}
	name = sized_name(walk, (unsigned)code);
	value = value_named(walk->arena, code, name ? name : parts_name(walk, (unsigned)code));
	value->radix = RADIX_HEX;
	value->size = 4;
	return value;
}
