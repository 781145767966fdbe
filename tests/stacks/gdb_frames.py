# SPDX-License-Identifier: MIT
# Copyright the tracer authors
"""Run inside gdb by test_walk.c: prints the selected thread's frames, one a line.

FRAME <tab> name <tab> line (0 if unknown). Frames that gdb only infers from tail calls are
left out: they are not on the stack.
"""

import gdb

gdb.execute("set backtrace past-main on")
frame = gdb.newest_frame()
while frame is not None:
    if frame.type() == gdb.SIGTRAMP_FRAME:
        print("FRAME\tsignal handler\t0")
    elif frame.type() != gdb.TAILCALL_FRAME:
        line = frame.find_sal().line if frame.function() or frame.find_sal().symtab else 0
        print("FRAME\t%s\t%d" % (frame.name() or "??", line))
    frame = frame.older()
