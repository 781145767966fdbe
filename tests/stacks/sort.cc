// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// Waits in read() in the comparison of a std::sort, as stacks.c does.

#include <algorithm>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

bool has_waited;

struct shorter {
	__attribute__((noinline)) bool operator()(const std::string &a, const std::string &b) const
	{
		char byte = 0;

		if (!has_waited) {
			has_waited = true;
			if (write(1, "x", 1) != 1 || read(0, &byte, 1) < 0)
				_exit(1);
		}
		return a.size() < b.size();
	}
};

} // namespace

namespace outer
{

template <typename T> __attribute__((noinline)) void arrange(std::vector<T> &list)
{
	std::sort(list.begin(), list.end(), shorter());
}

} // namespace outer

int main()
{
	std::vector<std::string> list = {"three", "one", "two", "eleven"};

	outer::arrange(list);
	return static_cast<int>(list[0].size()) - 3;
}
