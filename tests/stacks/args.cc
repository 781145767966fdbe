// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Functions with parameters of all kinds: test_args.py compares what the tracer says
// about them with gdb. Writes a byte to standard output and waits in read().

#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

enum color { RED, GREEN, BLUE };
enum flag { FLAG_READ = 1, FLAG_WRITE = 2, FLAG_SYNC = 8 };
enum signed_kind { NEGATIVE = -5, POSITIVE = 200 };
enum class scoped : unsigned char { FIRST = 1, LAST = 255 };
typedef unsigned long length;

struct pair {
	int first, second;
};

union either {
	int number;
	float real;
};

static volatile long after_call;

static NOINLINE void wait_here(int fd, char *byte, size_t count)
{
	if (write(1, "x", 1) != 1)
		_exit(1);
	after_call = read(fd, byte, count);
}

static NOINLINE void aggregates(pair small, either any, const pair *pointer, pair &reference)
{
	char byte = 0;

	wait_here(0, &byte, 1);
	after_call = small.first + any.number + pointer->first + reference.second + byte;
}

static NOINLINE void references(const int &number, char &&character, const char *const &text)
{
	pair values = {number, character};
	either any;

	any.number = 5;
	aggregates(values, any, &values, values);
	after_call = number + character + *text + values.first;
}

static NOINLINE void enums(color plain, flag flags, flag bad, signed_kind negative, scoped last)
{
	const char *text = "text";

	references(plain + 41, static_cast<char>('A' + flags), text);
	after_call = plain + flags + bad + negative + static_cast<int>(last);
}

static NOINLINE void strings(const char *text, const unsigned char *bytes, char *nothing,
	const char *quoted, const signed char *empty, void *unknown)
{
	enums(BLUE, static_cast<flag>(FLAG_READ | FLAG_SYNC), static_cast<flag>(64), NEGATIVE,
		scoped::LAST);
	after_call =
		*text + *bytes + (nothing != nullptr) + *quoted + *empty + (unknown != nullptr);
}

static NOINLINE void numbers(bool yes, char letter, signed char small, unsigned char byte,
	short half, unsigned short word, int number, unsigned count, long wide, length size,
	long long widest, unsigned long long most)
{
	strings("hello", reinterpret_cast<const unsigned char *>("bytes"), nullptr, "a \"b\"\n\t\\",
		reinterpret_cast<const signed char *>(""), nullptr);
	after_call = yes + letter + small + byte + half + word + number +
		     static_cast<long>(count + wide + size + widest + most);
}

static NOINLINE void reals(float single, double real, double zero, float negative)
{
	numbers(true, 'z', -1, 200, -300, 60000, -70000, 4000000000u, -5, 6, -7000000000LL,
		18000000000000000000ULL);
	after_call = static_cast<long>(single + real + zero + negative);
}

static NOINLINE void functions(void (*function)(float, double, double, float), int unused)
{
	function(1.5f, 0.1, 0, -2.25f);
	after_call = 1;
	(void)unused;
}

// The value of @kept lives on, that of @lost does not.
static NOINLINE void lost_and_kept(int lost, int kept)
{
	after_call = lost;
	functions(reals, 3);
	after_call = kept;
}

static inline __attribute__((always_inline)) void inlined_inner(int inner, const char *name)
{
	lost_and_kept(inner + 1, inner + 2);
	after_call = inner + *name;
}

static inline __attribute__((always_inline)) void inlined_outer(int outer)
{
	inlined_inner(outer + 10, "inlined");
	after_call = outer;
}

namespace
{

class thing
{
	int value = 7;

      public:
	NOINLINE void method(int argument)
	{
		inlined_outer(argument);
		after_call = value + argument;
	}
};

} // namespace

// Called by a jump: its caller called somebody else.
static NOINLINE void tail(int argument, long extra)
{
	thing it;

	it.method(argument + static_cast<int>(extra));
	after_call = argument;
}

static NOINLINE void jumps(int argument)
{
	tail(argument + 1, 100);
}

static NOINLINE void recurse(int depth)
{
	if (depth)
		recurse(depth - 1);
	else
		jumps(5);
	after_call = depth;
}

int main(int argc, char **argv)
{
	recurse(3);
	return argc + (argv == nullptr) - 1;
}
