// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "proc/file_id.h"
#include "base/time_units.h"

#include <fcntl.h>
#include <sys/stat.h>

bool file_id_get(int dir, const char *path, int flags, struct file_id *ret)
{
	struct statx st;
	unsigned mask =
		STATX_TYPE | STATX_MODE | STATX_INO | STATX_NLINK | STATX_BTIME | STATX_MNT_ID;

	// What the kernel remembers is enough: a server that is asked could be what we trace.
	flags |= AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
	if (statx(dir, path, flags, mask, &st) != 0)
		return false;
	*ret = (struct file_id){
		.major = st.stx_dev_major,
		.minor = st.stx_dev_minor,
		.inode = st.stx_ino,
		.mode = st.stx_mode,
		.links = st.stx_nlink,
	};
	if (st.stx_mask & STATX_BTIME)
		ret->birth = st.stx_btime.tv_sec * NS_PER_S + st.stx_btime.tv_nsec;
	if (st.stx_mask & STATX_MNT_ID)
		ret->mount = st.stx_mnt_id;
	return true;
}

bool file_id_equal(const struct file_id *a, const struct file_id *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       a->birth == b->birth;
}
