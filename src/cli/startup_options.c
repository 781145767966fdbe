// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "cli/startup_options.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"
#include "cli/options.h"

struct error *startup_options_environment(struct options *options, const char *argument)
{
	*array_add(&options->environment) = (char *)argument;
	return NULL;
}

static bool parse_ids(const char *text, struct startup_identity *ret)
{
	const char *cursor = text;
	uint64_t uid, gid;

	if (!parse_decimal_at(&cursor, &uid) || *cursor++ != ':' ||
		!parse_decimal_at(&cursor, &gid) || *cursor || uid >= UINT32_MAX ||
		gid >= UINT32_MAX)
		return false;
	*ret = (struct startup_identity){.uid = (uid_t)uid, .gid = (gid_t)gid};
	return true;
}

struct error *startup_options_user(struct options *options, const char *argument)
{
	const struct passwd *user;

	options->has_identity = true;
	if (parse_ids(argument, &options->identity))
		return NULL;
	user = getpwnam(argument);
	if (!user)
		return error_create("Cannot find user '%s' (a name, or UID:GID)", argument);
	options->identity = (struct startup_identity){
		.uid = user->pw_uid, .gid = user->pw_gid, .user = argument};
	return NULL;
}

struct error *startup_options_detach_on(struct options *options, const char *argument)
{
	if (strcmp(argument, "execve") != 0)
		return error_create("Syscall '%s' for -b isn't supported (only execve)", argument);
	options->session.detach_on_exec = true;
	return NULL;
}

struct error *startup_options_interruptible(struct options *options, const char *argument)
{
	// The first two are one for us: a call is never decoded for long.
	static const char *const names[] = {"anywhere", "waiting", "never", "never_tstp"};

	for (int i = 0; i < (int)ARRAY_SIZE(names); i++) {
		const char digit[] = {(char)('1' + i), 0};

		if (strcmp(argument, names[i]) == 0 || strcmp(argument, digit) == 0) {
			options->interruptible = i + 1;
			return NULL;
		}
	}
	return error_create("invalid -I argument: '%s' (1 anywhere, 2 waiting, 3 never or "
			    "4 never_tstp)",
		argument);
}

struct error *startup_options_finish(struct options *options)
{
	struct session_options *session = &options->session;

	session->startup.environment = options->environment.data;
	session->startup.environment_count = options->environment.count;
	if (options->has_identity)
		session->startup.identity = &options->identity;
	if (options->has_identity && geteuid() != 0)
		return error_create("You must be root to use the -u/--user option");
	if (session->kill_on_exit && session->pid_count)
		return error_create(
			"--kill-on-exit and -p/--attach are mutually exclusive options");
	if ((options->environment.count || session->startup.argv0 || options->has_identity) &&
		!session->command)
		return error_create("-E, -u and --argv0 are about a COMMAND, and there is none");
	session->never_stops = options->interruptible == 4;
	if (options->interruptible)
		session->leave_signals = options->interruptible >= 3;
	return NULL;
}
