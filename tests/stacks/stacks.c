// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// A program whose stack is worth looking at: `stacks MODE` builds one, writes a
// byte to standard output and waits in read(). tests/unit/test_walk.c says
// what is expected for each mode.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

/** Keeps calls from becoming jumps. */
static volatile int after_call;

static NOINLINE void wait_here(void)
{
	char byte;

	if (write(1, "x", 1) != 1)
		_exit(1);
	after_call = (int)read(0, &byte, 1);
}

static NOINLINE void middle(void)
{
	wait_here();
	after_call = 2;
}

static void mode_read(void)
{
	middle();
	after_call = 3;
}

// Signal handlers.

static NOINLINE void handler(int number)
{
	wait_here();
	after_call = number;
}

static void handle(int number, int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(number, &action, NULL);
}

static void mode_handler(void)
{
	handle(SIGUSR1, 0);
	raise(SIGUSR1);
	after_call = 3;
}

static void mode_altstack(void)
{
	static char memory[64 * 1024];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};

	sigaltstack(&stack, NULL);
	handle(SIGUSR1, SA_ONSTACK);
	raise(SIGUSR1);
	after_call = 3;
}

/** Its first instruction faults: the address one before is another function's. */
void fault_at_once(void);
__asm__(".text\n"
	".globl fault_at_once\n"
	".type fault_at_once, @function\n"
	"fault_at_once:\n"
	".cfi_startproc\n"
	"ud2\n"
	"ret\n"
	".cfi_endproc\n"
	".size fault_at_once, . - fault_at_once\n");

static void mode_fault(void)
{
	handle(SIGILL, 0);
	fault_at_once();
	after_call = 3;
}

static void mode_null(void)
{
	void (*volatile nowhere)(void) = NULL;

	handle(SIGSEGV, 0);
	nowhere();
	after_call = 3;
}

// Inlined calls.

static inline __attribute__((always_inline)) void inlined_twice(int number)
{
	after_call = number;
	wait_here();
	after_call = number + 1;
}

static inline __attribute__((always_inline)) void inlined_once(int number)
{
	after_call = number + 2;
	inlined_twice(number);
	after_call = number + 3;
}

static NOINLINE void not_inlined(int number)
{
	after_call = number + 4;
	inlined_once(number);
	after_call = number + 5;
}

static void mode_inline(void)
{
	not_inlined(7);
	after_call = 3;
}

/** Ends with a call that does not return: the return address is behind the function. */
static NOINLINE __attribute__((noreturn)) void does_not_return(void)
{
	wait_here();
	exit(0);
}

static NOINLINE __attribute__((noreturn)) void ends_with_call(void)
{
	after_call = 1;
	does_not_return();
}

static void mode_noreturn(void)
{
	ends_with_call();
}

// Tasks.

static void *thread(void *argument)
{
	middle();
	return argument;
}

static void mode_thread(void)
{
	pthread_t id;

	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
}

static void mode_vfork(void)
{
	pid_t child = vfork();

	if (!child) {
		middle();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

// Code without unwind rules.

#ifdef __x86_64__
#define FRAME_BEGIN "push %rbp\nmov %rsp, %rbp\nsub $32, %rsp\n"
#define FRAME_END "leave\nret\n"
#else
#define FRAME_BEGIN "push %ebp\nmov %esp, %ebp\nsub $40, %esp\n"
#define FRAME_END "leave\nret\n"
#endif

__attribute__((used)) static void from_assembler(void)
{
	wait_here();
	after_call = 4;
}

/** Keeps a frame pointer but has no rules. */
void with_frame_pointer(void);
/** Has neither, so nothing can be said about its caller. */
void without_anything(void);
__asm__(".text\n"
	".globl with_frame_pointer\n"
	".type with_frame_pointer, @function\n"
	"with_frame_pointer:\n" FRAME_BEGIN "call from_assembler\n" FRAME_END
	".size with_frame_pointer, . - with_frame_pointer\n"
	".globl without_anything\n"
	".type without_anything, @function\n"
	"without_anything:\n"
#ifdef __x86_64__
	"push %rbp\nxor %ebp, %ebp\n"
	"sub $32, %rsp\ncall from_assembler\nadd $32, %rsp\n"
	"pop %rbp\nret\n"
#else
	"push %ebp\nxor %ebp, %ebp\n"
	"sub $40, %esp\ncall from_assembler\nadd $40, %esp\n"
	"pop %ebp\nret\n"
#endif
	".size without_anything, . - without_anything\n");

static void mode_frame_pointer(void)
{
	with_frame_pointer();
	after_call = 3;
}

static void mode_no_rule(void)
{
	without_anything();
	after_call = 3;
}

/** The system call itself (pause), in a function without rules and without a frame. */
void bare_wait(void);
__asm__(".text\n"
	".globl bare_wait\n"
	".type bare_wait, @function\n"
	"bare_wait:\n"
#ifdef __x86_64__
	"mov $34, %eax\nsyscall\nret\n"
#else
	"mov $29, %eax\nint $0x80\nret\n"
#endif
	".size bare_wait, . - bare_wait\n");

static void mode_leaf(void)
{
	if (write(1, "x", 1) != 1)
		_exit(1);
	bare_wait();
	after_call = 3;
}

/** Generated code in anonymous memory, with a frame pointer, that calls back. */
static void mode_generated(void)
{
#ifdef __x86_64__
	// push %rbp; mov %rsp,%rbp; sub $16,%rsp; call *%rdi; leave; ret
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 0x10, 0xff, 0xd7, 0xc9, 0xc3};
#else
	// push %ebp; mov %esp,%ebp; sub $24,%esp; call *8(%ebp); leave; ret
	static const unsigned char code[] = {
		0x55, 0x89, 0xe5, 0x83, 0xec, 0x18, 0xff, 0x55, 0x08, 0xc9, 0xc3};
#endif
	void *memory = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*generated)(void (*)(void));

	memcpy(memory, code, sizeof(code));
	memcpy(&generated, &memory, sizeof(generated));
	generated(from_assembler);
	after_call = 3;
}

static NOINLINE void recurse(int depth)
{
	if (depth)
		recurse(depth - 1);
	else
		wait_here();
	after_call = depth;
}

static void mode_deep(void)
{
	recurse(20000);
	after_call = 3;
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"read", mode_read},
	{"handler", mode_handler},
	{"altstack", mode_altstack},
	{"fault", mode_fault},
	{"null", mode_null},
	{"inline", mode_inline},
	{"noreturn", mode_noreturn},
	{"thread", mode_thread},
	{"vfork", mode_vfork},
	{"frame_pointer", mode_frame_pointer},
	{"no_rule", mode_no_rule},
	{"leaf", mode_leaf},
	{"generated", mode_generated},
	{"deep", mode_deep},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	}
	fprintf(stderr, "usage: stacks MODE\n");
	return 2;
}
