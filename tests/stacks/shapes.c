// SPDX-License-Identifier: MIT
// Copyright the tracer authors

// More stacks that are worth looking at, in the way of stacks.c: `shapes MODE`. The mode
// "step" ends by itself: test_step.c looks at its stack at each instruction.

#include <alloca.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int after_call;

static NOINLINE void wait_here(void)
{
	char byte;

	if (write(1, "x", 1) != 1)
		_exit(1);
	after_call = (int)read(0, &byte, 1);
}

// Handlers in handlers, each on another stack.

static NOINLINE void inner_handler(int number)
{
	wait_here();
	after_call = number;
}

static NOINLINE void outer_handler(int number)
{
	raise(SIGUSR2);
	after_call = number;
}

static void mode_nested(void)
{
	static char memory[64 * 1024];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction outer = {.sa_handler = outer_handler};
	struct sigaction inner = {.sa_handler = inner_handler, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &outer, NULL);
	sigaction(SIGUSR2, &inner, NULL);
	raise(SIGUSR1);
	after_call = 3;
}

// Frames whose size is only known at run time.

static NOINLINE void use(volatile char *memory, size_t size)
{
	memory[size - 1] = 1;
	wait_here();
	after_call = memory[size - 1];
}

static NOINLINE void with_alloca(size_t size)
{
	use(alloca(size), size);
	after_call = 4;
}

// An array of such a size is what is tested.
#pragma GCC diagnostic ignored "-Wvla"
static NOINLINE void with_array(size_t size)
{
	volatile char array[size];

	array[0] = 1;
	with_alloca(size * 2);
	after_call = array[0];
}

static void mode_alloca(void)
{
	with_array(123);
	after_call = 3;
}

/** Realigns the stack and has a frame of unknown size: its CFA is an expression. */
static NOINLINE void realigned(size_t size)
{
	_Alignas(64) volatile char aligned[64];

	aligned[0] = (char)size;
	use(alloca(size), size);
	after_call = aligned[0];
}

static void mode_realigned(void)
{
	realigned(77);
	after_call = 3;
}

/** Keeps its return address and its CFA where only an expression finds them. */
void by_expression(void);
__attribute__((used)) static void from_expression(void)
{
	wait_here();
	after_call = 4;
}
#ifdef __x86_64__
__asm__(".text\n"
	".globl by_expression\n"
	".type by_expression, @function\n"
	"by_expression:\n"
	".cfi_startproc\n"
	"lea 8(%rsp), %r10\n"
	"push %rbx\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbx, -16\n"
	"sub $32, %rsp\n"
	"mov %r10, 16(%rsp)\n"
	// DW_CFA_def_cfa_expression: DW_OP_breg7 (%rsp) 16, DW_OP_deref
	".cfi_escape 0x0f, 3, 0x77, 16, 0x06\n"
	"call from_expression\n"
	"add $32, %rsp\n"
	".cfi_def_cfa %rsp, 16\n"
	"pop %rbx\n"
	".cfi_def_cfa_offset 8\n"
	"ret\n"
	".cfi_endproc\n"
	".size by_expression, . - by_expression\n");
#else
__asm__(".text\n"
	".globl by_expression\n"
	".type by_expression, @function\n"
	"by_expression:\n"
	".cfi_startproc\n"
	"lea 4(%esp), %ecx\n"
	"push %ebx\n"
	".cfi_def_cfa_offset 8\n"
	".cfi_offset %ebx, -8\n"
	"sub $40, %esp\n"
	"mov %ecx, 16(%esp)\n"
	// DW_CFA_def_cfa_expression: DW_OP_breg4 (%esp) 16, DW_OP_deref
	".cfi_escape 0x0f, 3, 0x74, 16, 0x06\n"
	"call from_expression\n"
	"add $40, %esp\n"
	".cfi_def_cfa %esp, 8\n"
	"pop %ebx\n"
	".cfi_def_cfa_offset 4\n"
	"ret\n"
	".cfi_endproc\n"
	".size by_expression, . - by_expression\n");
#endif

static void mode_expression(void)
{
	by_expression();
	after_call = 3;
}

#ifdef __x86_64__
/** Their rules say that they called themselves: at the same place, or one word farther out. */
void standing(void);
void climbing(void);
#define CALLS_ITSELF(name, offset)                                                                 \
	__asm__(".text\n"                                                                          \
		".globl " name "\n"                                                                \
		".type " name ", @function\n" name ":\n"                                           \
		".cfi_startproc\n"                                                                 \
		"sub $24, %rsp\n"                                                                  \
		".cfi_def_cfa %rsp, " offset                                                       \
		"\n" /* DW_CFA_val_expression 16 (RA): DW_OP_breg16 0 */                           \
		".cfi_escape 0x16, 16, 2, 0x80, 0\n"                                               \
		"call from_expression\n"                                                           \
		"add $24, %rsp\n"                                                                  \
		"ret\n"                                                                            \
		".cfi_endproc\n"                                                                   \
		".size " name ", . - " name "\n")
CALLS_ITSELF("standing", "0");
CALLS_ITSELF("climbing", "8");

static void mode_standing(void)
{
	standing();
	after_call = 3;
}

static void mode_climbing(void)
{
	climbing();
	after_call = 3;
}
#endif

// Stacks that are not the thread's own.

static ucontext_t main_context, other_context;

static void coroutine(void)
{
	wait_here();
	after_call = 5;
}

static void mode_coroutine(void)
{
	static char memory[64 * 1024];

	getcontext(&other_context);
	other_context.uc_stack.ss_sp = memory;
	other_context.uc_stack.ss_size = sizeof(memory);
	other_context.uc_link = &main_context;
	makecontext(&other_context, coroutine, 0);
	swapcontext(&main_context, &other_context);
	after_call = 3;
}

static int cloned(void *argument)
{
	wait_here();
	after_call = 5;
	return argument != NULL;
}

/** A task that shares memory, made without the C library's threads. */
static void mode_clone(void)
{
	static char memory[64 * 1024];
	pid_t pid = clone(cloned, memory + sizeof(memory), CLONE_VM | SIGCHLD, NULL);

	waitpid(pid, NULL, 0);
	after_call = 3;
}

/** Generated code that the program names in the file that profilers read. */
static void mode_named(void)
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
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "w");
	if (!file)
		_exit(1);
	fprintf(file, "%lx %zx generated by a test\n", (unsigned long)memory, sizeof(code));
	fclose(file);
	memcpy(memory, code, sizeof(code));
	memcpy(&generated, &memory, sizeof(generated));
	generated(wait_here);
	unlink(path);
	after_call = 3;
}

// What a debugger steps through: a first call by way of the linker, the vdso, a handler.

static NOINLINE void handled(int number)
{
	after_call = number;
}

static NOINLINE void step_here(void)
{
	struct timespec now;
	struct sigaction action = {.sa_handler = handled};
	char text[16];

	clock_gettime(CLOCK_MONOTONIC, &now);
	after_call = (int)strtol("123", NULL, 10);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	snprintf(text, sizeof(text), "%d", after_call);
	after_call = (int)sched_getcpu() + text[0];
}

/** Stops the process for its tracer around the part that is looked at. */
static void mode_step(void)
{
	raise(SIGSTOP);
	step_here();
	raise(SIGSTOP);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{"nested", mode_nested},
	{"alloca", mode_alloca},
	{"realigned", mode_realigned},
	{"expression", mode_expression},
	{"coroutine", mode_coroutine},
	{"clone", mode_clone},
	{"named", mode_named},
#ifdef __x86_64__
	{"standing", mode_standing},
	{"climbing", mode_climbing},
#endif
	{"step", mode_step},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run();
			return 0;
		}
	}
	fprintf(stderr, "usage: shapes MODE\n");
	return 2;
}
