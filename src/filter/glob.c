// SPDX-License-Identifier: MIT
// Copyright the tracer authors
#include "filter/glob.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"

enum token_kind {
	TOKEN_CHAR,
	/** One of @set. */
	TOKEN_SET,
	/** Anything but a slash, any number of times. */
	TOKEN_STAR,
	/** Anything, any number of times. */
	TOKEN_DEEP,
	/** Whole parts, each with its slash, any number of times; in two states. */
	TOKEN_PARTS,
	TOKEN_IN_PART,
};

struct token {
	enum token_kind kind;
	unsigned char character;
	uint64_t set[BITS_WORDS(256)];
};

struct glob {
	ARRAY(struct token) tokens;
	/** Scratch of a match: which states are reached, now and after the next character. */
	bool *states;
};

bool glob_is(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

static struct token *add(struct glob *glob, enum token_kind kind)
{
	struct token *token = array_add(&glob->tokens);

	*token = (struct token){.kind = kind};
	return token;
}

static void fill(struct token *token, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		token->set[c / 64] |= UINT64_C(1) << c % 64;
}

// `[…]` at @text; what follows it, or NULL if it has no end and means itself.
static const char *add_set(struct glob *glob, const char *text)
{
	const unsigned char *at = (const unsigned char *)text + 1;
	bool inverted = *at == '!' || *at == '^';
	const unsigned char *first = at += inverted;
	struct token token = {.kind = TOKEN_SET};

	for (; *at && (*at != ']' || at == first); at++) {
		unsigned from = *at;

		if (from == '\\' && at[1])
			from = *++at;
		if (at[1] == '-' && at[2] && at[2] != ']') {
			fill(&token, from, at[2]);
			at += 2;
		} else {
			fill(&token, from, from);
		}
	}
	if (!*at)
		return NULL;
	for (size_t i = 0; inverted && i < BITS_WORDS(256); i++)
		token.set[i] = ~token.set[i];
	token.set['/' / 64] &= ~(UINT64_C(1) << '/' % 64);
	*array_add(&glob->tokens) = token;
	return (const char *)at + 1;
}

static const char *add_stars(struct glob *glob, const char *text, bool at_start)
{
	if (text[1] != '*') {
		add(glob, TOKEN_STAR);
		return text + 1;
	}
	text += strspn(text, "*");
	if (!at_start || *text != '/') {
		add(glob, TOKEN_DEEP);
		return text;
	}
	add(glob, TOKEN_PARTS);
	add(glob, TOKEN_IN_PART);
	return text + 1;
}

struct glob *glob_create(const char *pattern)
{
	struct glob *glob = xcalloc(1, sizeof(*glob));
	const char *at = pattern;

	while (*at) {
		const char *after = NULL;

		if (*at == '*') {
			at = add_stars(glob, at, at > pattern && at[-1] == '/');
			continue;
		}
		if (*at == '[')
			after = add_set(glob, at);
		if (after) {
			at = after;
			continue;
		}
		if (*at == '?') {
			struct token *token = add(glob, TOKEN_SET);

			fill(token, 1, 255);
			token->set['/' / 64] &= ~(UINT64_C(1) << '/' % 64);
			at++;
			continue;
		}
		if (*at == '\\' && at[1])
			at++;
		add(glob, TOKEN_CHAR)->character = (unsigned char)*at++;
	}
	glob->states = xcalloc(2 * (glob->tokens.count + 1), sizeof(*glob->states));
	return glob;
}

void glob_destroy(struct glob *glob)
{
	if (!glob)
		return;
	array_deinit(&glob->tokens);
	free(glob->states);
	free(glob);
}

// State @state is reached, and with it those that need no character to be reached.
static void reach(const struct glob *glob, bool *states, size_t state)
{
	while (!states[state]) {
		states[state] = true;
		if (state == glob->tokens.count)
			return;
		switch (glob->tokens.data[state].kind) {
		case TOKEN_STAR:
		case TOKEN_DEEP:
			state++;
			break;
		case TOKEN_PARTS:
			state += 2;
			break;
		case TOKEN_CHAR:
		case TOKEN_SET:
		case TOKEN_IN_PART:
			return;
		}
	}
}

static void step(const struct glob *glob, bool *next, size_t state, unsigned char c)
{
	const struct token *token = &glob->tokens.data[state];

	switch (token->kind) {
	case TOKEN_CHAR:
		if (token->character == c)
			reach(glob, next, state + 1);
		break;
	case TOKEN_SET:
		if (token->set[c / 64] >> c % 64 & 1)
			reach(glob, next, state + 1);
		break;
	case TOKEN_STAR:
		if (c != '/')
			reach(glob, next, state);
		break;
	case TOKEN_DEEP:
		reach(glob, next, state);
		break;
	case TOKEN_PARTS:
		if (c != '/')
			reach(glob, next, state + 1);
		break;
	case TOKEN_IN_PART:
		reach(glob, next, c == '/' ? state - 1 : state);
		break;
	}
}

bool glob_match(const struct glob *glob, const char *path, bool below)
{
	size_t count = glob->tokens.count;
	bool *now = glob->states, *next = now + count + 1;

	memset(now, 0, count + 1);
	reach(glob, now, 0);
	for (; *path; path++) {
		bool any = false;

		if (below && *path == '/' && now[count])
			return true;
		memset(next, 0, count + 1);
		for (size_t i = 0; i < count; i++) {
			if (!now[i])
				continue;
			step(glob, next, i, (unsigned char)*path);
			any = true;
		}
		if (!any)
			return false;
		bool *other = now;

		now = next;
		next = other;
	}
	return now[count];
}
