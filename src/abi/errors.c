// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "abi/errors.h"

#include <errno.h>
#include <stddef.h>

#include "base/array.h"

// x86-64 and i386 share asm-generic/errno.h; an ABI that does not gets its own table.
static const char *const error_names[] = {
	[EPERM] = "EPERM",
	[ENOENT] = "ENOENT",
	[ESRCH] = "ESRCH",
	[EINTR] = "EINTR",
	[EIO] = "EIO",
	[ENXIO] = "ENXIO",
	[E2BIG] = "E2BIG",
	[ENOEXEC] = "ENOEXEC",
	[EBADF] = "EBADF",
	[ECHILD] = "ECHILD",
	[EAGAIN] = "EAGAIN",
	[ENOMEM] = "ENOMEM",
	[EACCES] = "EACCES",
	[EFAULT] = "EFAULT",
	[ENOTBLK] = "ENOTBLK",
	[EBUSY] = "EBUSY",
	[EEXIST] = "EEXIST",
	[EXDEV] = "EXDEV",
	[ENODEV] = "ENODEV",
	[ENOTDIR] = "ENOTDIR",
	[EISDIR] = "EISDIR",
	[EINVAL] = "EINVAL",
	[ENFILE] = "ENFILE",
	[EMFILE] = "EMFILE",
	[ENOTTY] = "ENOTTY",
	[ETXTBSY] = "ETXTBSY",
	[EFBIG] = "EFBIG",
	[ENOSPC] = "ENOSPC",
	[ESPIPE] = "ESPIPE",
	[EROFS] = "EROFS",
	[EMLINK] = "EMLINK",
	[EPIPE] = "EPIPE",
	[EDOM] = "EDOM",
	[ERANGE] = "ERANGE",
	[EDEADLK] = "EDEADLK",
	[ENAMETOOLONG] = "ENAMETOOLONG",
	[ENOLCK] = "ENOLCK",
	[ENOSYS] = "ENOSYS",
	[ENOTEMPTY] = "ENOTEMPTY",
	[ELOOP] = "ELOOP",
	[ENOMSG] = "ENOMSG",
	[EIDRM] = "EIDRM",
	[ECHRNG] = "ECHRNG",
	[EL2NSYNC] = "EL2NSYNC",
	[EL3HLT] = "EL3HLT",
	[EL3RST] = "EL3RST",
	[ELNRNG] = "ELNRNG",
	[EUNATCH] = "EUNATCH",
	[ENOCSI] = "ENOCSI",
	[EL2HLT] = "EL2HLT",
	[EBADE] = "EBADE",
	[EBADR] = "EBADR",
	[EXFULL] = "EXFULL",
	[ENOANO] = "ENOANO",
	[EBADRQC] = "EBADRQC",
	[EBADSLT] = "EBADSLT",
	[EBFONT] = "EBFONT",
	[ENOSTR] = "ENOSTR",
	[ENODATA] = "ENODATA",
	[ETIME] = "ETIME",
	[ENOSR] = "ENOSR",
	[ENONET] = "ENONET",
	[ENOPKG] = "ENOPKG",
	[EREMOTE] = "EREMOTE",
	[ENOLINK] = "ENOLINK",
	[EADV] = "EADV",
	[ESRMNT] = "ESRMNT",
	[ECOMM] = "ECOMM",
	[EPROTO] = "EPROTO",
	[EMULTIHOP] = "EMULTIHOP",
	[EDOTDOT] = "EDOTDOT",
	[EBADMSG] = "EBADMSG",
	[EOVERFLOW] = "EOVERFLOW",
	[ENOTUNIQ] = "ENOTUNIQ",
	[EBADFD] = "EBADFD",
	[EREMCHG] = "EREMCHG",
	[ELIBACC] = "ELIBACC",
	[ELIBBAD] = "ELIBBAD",
	[ELIBSCN] = "ELIBSCN",
	[ELIBMAX] = "ELIBMAX",
	[ELIBEXEC] = "ELIBEXEC",
	[EILSEQ] = "EILSEQ",
	[ERESTART] = "ERESTART",
	[ESTRPIPE] = "ESTRPIPE",
	[EUSERS] = "EUSERS",
	[ENOTSOCK] = "ENOTSOCK",
	[EDESTADDRREQ] = "EDESTADDRREQ",
	[EMSGSIZE] = "EMSGSIZE",
	[EPROTOTYPE] = "EPROTOTYPE",
	[ENOPROTOOPT] = "ENOPROTOOPT",
	[EPROTONOSUPPORT] = "EPROTONOSUPPORT",
	[ESOCKTNOSUPPORT] = "ESOCKTNOSUPPORT",
	[EOPNOTSUPP] = "EOPNOTSUPP",
	[EPFNOSUPPORT] = "EPFNOSUPPORT",
	[EAFNOSUPPORT] = "EAFNOSUPPORT",
	[EADDRINUSE] = "EADDRINUSE",
	[EADDRNOTAVAIL] = "EADDRNOTAVAIL",
	[ENETDOWN] = "ENETDOWN",
	[ENETUNREACH] = "ENETUNREACH",
	[ENETRESET] = "ENETRESET",
	[ECONNABORTED] = "ECONNABORTED",
	[ECONNRESET] = "ECONNRESET",
	[ENOBUFS] = "ENOBUFS",
	[EISCONN] = "EISCONN",
	[ENOTCONN] = "ENOTCONN",
	[ESHUTDOWN] = "ESHUTDOWN",
	[ETOOMANYREFS] = "ETOOMANYREFS",
	[ETIMEDOUT] = "ETIMEDOUT",
	[ECONNREFUSED] = "ECONNREFUSED",
	[EHOSTDOWN] = "EHOSTDOWN",
	[EHOSTUNREACH] = "EHOSTUNREACH",
	[EALREADY] = "EALREADY",
	[EINPROGRESS] = "EINPROGRESS",
	[ESTALE] = "ESTALE",
	[EUCLEAN] = "EUCLEAN",
	[ENOTNAM] = "ENOTNAM",
	[ENAVAIL] = "ENAVAIL",
	[EISNAM] = "EISNAM",
	[EREMOTEIO] = "EREMOTEIO",
	[EDQUOT] = "EDQUOT",
	[ENOMEDIUM] = "ENOMEDIUM",
	[EMEDIUMTYPE] = "EMEDIUMTYPE",
	[ECANCELED] = "ECANCELED",
	[ENOKEY] = "ENOKEY",
	[EKEYEXPIRED] = "EKEYEXPIRED",
	[EKEYREVOKED] = "EKEYREVOKED",
	[EKEYREJECTED] = "EKEYREJECTED",
	[EOWNERDEAD] = "EOWNERDEAD",
	[ENOTRECOVERABLE] = "ENOTRECOVERABLE",
	[ERFKILL] = "ERFKILL",
	[EHWPOISON] = "EHWPOISON",
};

// Not in a user header: include/linux/errno.h of the kernel.
enum {
	KERNEL_FIRST = ERESTARTSYS,
};

static const char *const kernel_names[] = {
	[515 - KERNEL_FIRST] = "ENOIOCTLCMD",
	[517 - KERNEL_FIRST] = "EPROBE_DEFER",
	[518 - KERNEL_FIRST] = "EOPENSTALE",
	[519 - KERNEL_FIRST] = "ENOPARAM",
	[521 - KERNEL_FIRST] = "EBADHANDLE",
	[522 - KERNEL_FIRST] = "ENOTSYNC",
	[523 - KERNEL_FIRST] = "EBADCOOKIE",
	[524 - KERNEL_FIRST] = "ENOTSUPP",
	[525 - KERNEL_FIRST] = "ETOOSMALL",
	[526 - KERNEL_FIRST] = "ESERVERFAULT",
	[527 - KERNEL_FIRST] = "EBADTYPE",
	[528 - KERNEL_FIRST] = "EJUKEBOX",
	[529 - KERNEL_FIRST] = "EIOCBQUEUED",
	[530 - KERNEL_FIRST] = "ERECALLCONFLICT",
};

static const struct {
	const char *name;
	const char *text;
} restarts[] = {
	[ERESTARTSYS - KERNEL_FIRST] = {"ERESTARTSYS", "To be restarted if SA_RESTART is set"},
	[ERESTARTNOINTR - KERNEL_FIRST] = {"ERESTARTNOINTR", "To be restarted"},
	[ERESTARTNOHAND - KERNEL_FIRST] = {"ERESTARTNOHAND", "To be restarted if no handler"},
	[ERESTART_RESTARTBLOCK - KERNEL_FIRST] = {"ERESTART_RESTARTBLOCK", "Interrupted by signal"},
};

const char *errno_name(int code)
{
	if (code >= KERNEL_FIRST) {
		size_t index = (size_t)code - KERNEL_FIRST;

		return index < ARRAY_SIZE(kernel_names) ? kernel_names[index] : NULL;
	}
	return code >= 0 && (size_t)code < ARRAY_SIZE(error_names) ? error_names[code] : NULL;
}

const char *restart_name(int code)
{
	size_t index = (size_t)code - KERNEL_FIRST;

	return code >= KERNEL_FIRST && index < ARRAY_SIZE(restarts) ? restarts[index].name : NULL;
}

const char *restart_text(int code)
{
	size_t index = (size_t)code - KERNEL_FIRST;

	return code >= KERNEL_FIRST && index < ARRAY_SIZE(restarts) ? restarts[index].text : NULL;
}
