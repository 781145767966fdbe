// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Packages by made-up databases, written as dpkg(5), deb-control(5) and os-release(5) say.

#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "unwind/package.h"

#define ID "0123456789abcdef0123456789abcdef01234567"

/** A root directory of our own. */
struct root {
	char path[32];
	struct arena arena;
};

static void put(struct root *root, const char *name, const char *text)
{
	cleanup_free char *path = xasprintf("%s/%s", root->path, name);
	FILE *file;

	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void start(struct root *root, const char *os_release)
{
	*root = (struct root){.path = "/tmp/test_package.XXXXXX"};
	assert_non_null(mkdtemp(root->path));
	put(root, "etc/os-release", os_release);
}

static void end(struct root *root)
{
	cleanup_free char *command = xasprintf("rm -r '%s'", root->path);

	assert_int_equal(system(command), 0);
	arena_deinit(&root->arena);
}

static enum package_system find(struct root *root, struct package_query *query)
{
	return package_find(root->path, query, 1, &root->arena);
}

CASE(automatic_debug_package)
{
	struct package_query query = {.path = "/usr/bin/frob", .build_id = ID};
	struct root root;

	start(&root, "ID=debian\n");
	put(&root, "var/lib/dpkg/info/other.list", "/usr/bin/frobber\n/usr/bin\n");
	put(&root, "var/lib/dpkg/info/frob.list", "/.\n/usr\n/usr/bin\n/usr/bin/frob\n");
	put(&root, "var/lib/dpkg/status",
		"Package: frob\nStatus: install ok installed\nVersion: 1.2-3\n"
		"Architecture: amd64\n\nPackage: other\nVersion: 9\n");
	assert_int_equal(find(&root, &query), PACKAGE_SYSTEM_DEBIAN);
	assert_string_equal(query.package, "frob");
	assert_string_equal(query.version, "1.2-3");
	assert_string_equal(query.debug_package, "frob-dbgsym");
	assert_null(query.debug_version);
	assert_false(query.is_certain);
	end(&root);
}

CASE(library_of_an_architecture_in_a_merged_usr)
{
	struct package_query query = {.path = "/usr/lib/x86_64-linux-gnu/libc.so.6"};
	struct root root;

	start(&root, "ID=debian\n");
	put(&root, "var/lib/dpkg/info/libc6:amd64.list", "/lib/x86_64-linux-gnu/libc.so.6\n");
	put(&root, "var/lib/dpkg/status",
		"Package: libc6\nStatus: install ok installed\nArchitecture: i386\n"
		"Source: glibc\nVersion: 1\n\n"
		"Package: libc6\nStatus: install ok installed\nArchitecture: amd64\n"
		"Source: glibc\nVersion: 2\n");
	find(&root, &query);
	assert_string_equal(query.package, "libc6:amd64");
	assert_string_equal(query.version, "2");
	assert_string_equal(query.debug_package, "libc6-dbg");
	end(&root);
}

CASE(debug_packages_of_some_sources)
{
	static const struct {
		const char *package, *source, *expected;
	} cases[] = {
		{"python3.11-minimal", "python3.11", "python3.11-dbg"},
		{"libpython3.11-stdlib", "python3.11", "python3.11-dbg"},
		{"openjdk-17-jre-headless", "openjdk-17", "openjdk-17-dbg"},
		{"valgrind", "valgrind (1:3.19)", "valgrind-dbg"},
		{"binutils-x86-64-linux-gnu", "binutils", "binutils-x86-64-linux-gnu-dbg"},
		{"python3-apt", "python-apt", "python3-apt-dbgsym"},
		{"libstdc++6", "gcc-12", "libstdc++6-dbgsym"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct package_query query = {.path = "/opt/file"};
		cleanup_free char *list = xasprintf("var/lib/dpkg/info/%s.list", cases[i].package);
		cleanup_free char *status = xasprintf(
			"Package: %s\nSource: %s\nVersion: 1\n", cases[i].package, cases[i].source);
		struct root root;

		start(&root, "ID=debian\n");
		put(&root, list, "/opt/file\n");
		put(&root, "var/lib/dpkg/status", status);
		find(&root, &query);
		assert_string_equal(query.debug_package, cases[i].expected);
		end(&root);
	}
}

CASE(installed_debug_package_of_another_version)
{
	struct package_query query = {.path = "/usr/bin/frob", .build_id = ID};
	struct root root;

	start(&root, "ID=ubuntu\nID_LIKE=debian\n");
	put(&root, "var/lib/dpkg/info/frob.list", "/usr/bin/frob\n");
	put(&root, "var/lib/dpkg/status",
		"Package: frob-dbgsym\nStatus: install ok installed\nVersion: 1\n\n"
		"Package: frob\nStatus: install ok installed\nVersion: 2\n");
	assert_int_equal(find(&root, &query), PACKAGE_SYSTEM_UBUNTU);
	assert_string_equal(query.debug_package, "frob-dbgsym");
	assert_string_equal(query.debug_version, "1");
	end(&root);
}

CASE(build_ids_are_certain)
{
	struct package_query query = {.path = "/usr/bin/frob", .build_id = ID};
	struct root root;

	start(&root, "ID=debian\n");
	put(&root, "var/lib/dpkg/info/frob.list", "/usr/bin/frob\n");
	put(&root, "var/lib/dpkg/status",
		"Package: frob\nStatus: install ok installed\nVersion: 2\n");
	put(&root, "var/lib/apt/lists/debug_Packages",
		"Package: wrong\nBuild-Ids: 00 11\n\nPackage: frobnicate-dbg\nVersion: 2\n"
		"Build-Ids: 22 " ID " 33\n");
	find(&root, &query);
	assert_string_equal(query.debug_package, "frobnicate-dbg");
	assert_true(query.is_certain);
	assert_null(query.debug_version);
	end(&root);
}

CASE(file_of_no_package)
{
	struct package_query query = {.path = "/srv/prog"};
	struct root root;

	start(&root, "ID=debian\n");
	put(&root, "var/lib/dpkg/info/frob.list", "/usr/bin/frob\n");
	assert_int_equal(find(&root, &query), PACKAGE_SYSTEM_DEBIAN);
	assert_null(query.package);
	assert_null(query.debug_package);
	end(&root);
}

CASE(other_systems)
{
	struct package_query query = {.path = "/usr/bin/frob"};
	struct root root;

	start(&root, "NAME=x\nID=rocky\nID_LIKE=\"rhel centos fedora\"\n");
	assert_int_equal(find(&root, &query), PACKAGE_SYSTEM_FEDORA);
	end(&root);
	start(&root, "ID=arch\n");
	assert_int_equal(find(&root, &query), PACKAGE_SYSTEM_UNKNOWN);
	end(&root);
	assert_null(query.package);
}

RUN_CASES(ADD(automatic_debug_package), ADD(library_of_an_architecture_in_a_merged_usr),
	ADD(debug_packages_of_some_sources), ADD(installed_debug_package_of_another_version),
	ADD(build_ids_are_certain), ADD(file_of_no_package), ADD(other_systems));
