"""Threads, stacks and traps."""

import io
import os
import signal
import sys
import threading
import time
import traceback
import unittest

from support import WAITING, TestCase, each, mu

NOT_ATOMIC = mu.MU_ORD_NOT_ATOMIC

TEXT = """
.funcsig @ref = (@rvoid) -> () .global @cell <@i64> .const @c1 <@i64> = 1 .const @c0 <@i64> = 0 .const @c42 <@i64> = 42 .const @c43 <@i64> = 43
.const @null <@rvoid> = NULL
.funcdef @inc VERSION %v1 <@take> { %entry(<@i64> %x): %y = ADD <@i64> %x @c1 STORE <@i64> @cell %y COMMINST @uvm.thread_exit }
.funcdef @exit_test VERSION %v1 <@v> { %entry(): %a = ADD <@i64> @c42 @c0 %b = ADD <@i64> @c42 @c1
  [%trap_exit] TRAP <> KEEPALIVE (%a %b) STORE <@i64> @cell @c1 COMMINST @uvm.thread_exit }
.funcdef @trap_rebind_test VERSION %v1 <@v> { %entry():
  (%a %b %c) = [%trap1] TRAP <@i64 @i64 @i64> EXC (%nor(%a %b %c) %exc())
  %nor(<@i64> %a <@i64> %b <@i64> %c): [%trap_nor] TRAP <> KEEPALIVE (%a %b %c) COMMINST @uvm.thread_exit
  %exc()[%x]: [%trap_exc] TRAP <> KEEPALIVE (%x) COMMINST @uvm.thread_exit }
.funcdef @local_test VERSION %v1 <@ref> { %entry(<@rvoid> %p):
  %t = COMMINST @uvm.get_threadlocal [%first] TRAP <> KEEPALIVE (%p %t)
  %u = COMMINST @uvm.get_threadlocal [%second] TRAP <> KEEPALIVE (%p %u) COMMINST @uvm.thread_exit }
.funcdef @loop VERSION %v1 <@take> { %entry(<@i64> %x): BRANCH %head(%x) %head(<@i64> %x): %y = [%again] TRAP <@i64> KEEPALIVE (%x) BRANCH %head(%y) }
.funcdef @spin VERSION %v1 <@v> { %entry(): BRANCH %head() %head(): %x = LOAD SEQ_CST <@i64> @cell %z = EQ <@i64> %x @c0 BRANCH2 %z %head() %out()
  %out(): COMMINST @uvm.thread_exit }
.funcdef @throws VERSION %v1 <@v> { %entry(): %r = NEW <@i64> THROW %r }
.funcdef @watch VERSION %v1 <@v> { %entry(): WPBRANCH 7 %off() %on() %off(): STORE <@i64> @cell @c1 COMMINST @uvm.thread_exit
  %on(): STORE <@i64> @cell @c42 COMMINST @uvm.thread_exit }
"""


@each(*WAITING)
class Threads(TestCase):
    text = TEXT

    def test_thread(self):
        ctx = self.ctx
        stack = ctx.new_stack(ctx.handle_from_func(ctx.id_of("@inc")))
        self.assertIs(type(stack), mu.MuStackRefValue)
        thread = ctx.new_thread_nor(stack, None, [ctx.handle_from_sint64(42, 64)])
        self.assertIs(type(thread), mu.MuThreadRefValue)
        time.sleep(0.02)
        self.assertEqual(self.cell(), 0)  # no thread runs before execute
        self.vm.execute()
        self.assertEqual(self.cell(), 43)
        self.vm.execute()  # nothing to do

    def test_execute_in_thread(self):
        self.start("@inc", 10)
        t = threading.Thread(target=self.vm.execute)
        t.start()
        t.join()
        self.assertEqual(self.cell(), 11)

    def test_kill_and_frames(self):
        ctx = self.ctx
        stack = ctx.new_stack(ctx.handle_from_func("@throws"))
        with ctx.new_cursor(stack) as cursor:
            self.assertIs(type(cursor), mu.MuFCRefValue)
            self.assertEqual(ctx.cur_func(cursor), ctx.id_of("@throws"))
            ctx.pop_frames_to(cursor)
        ctx.push_frame(stack, ctx.handle_from_func("@inc"))
        ctx.new_thread_nor(stack, vals=[1])
        self.vm.execute()
        self.assertEqual(self.cell(), 2)
        stack = ctx.new_stack(ctx.handle_from_func("@inc"))
        ctx.kill_stack(stack)
        self.fails("new_thread_nor: E_STACK_STATE: the stack is DEAD", ctx.new_thread_nor, stack, None, [1])

    def test_watchpoint(self):
        for on, want in (None, 1), (self.ctx.enable_watchpoint, 42), (self.ctx.disable_watchpoint, 1):
            if on:
                on(7)
            self.start("@watch")
            self.vm.execute()
            self.assertEqual(self.cell(), want)

    def test_trap_exit(self):
        seen = []

        def handler(ctx, thread, stack, wpid):
            self.assertEqual((type(ctx), type(thread), type(stack), wpid), (mu.MuCtx, mu.MuThreadRefValue, mu.MuStackRefValue, 0))
            with ctx.new_cursor(stack) as cursor:
                seen.extend(int(v) for v in ctx.dump_keepalives(cursor, 2))
                with self.assertRaisesRegex(ValueError, "^dump_keepalives: 3 are expected, there are 2$"):
                    ctx.dump_keepalives(cursor, 3)
            return mu.ThreadExit()

        self.vm.set_trap_handler(handler)
        self.start("@exit_test")
        self.vm.execute()
        self.assertEqual(seen, [42, 43])
        self.assertEqual(self.cell(), 0)  # the thread has not gone on

    def rebind(self, resume):
        """Runs @trap_rebind_test, whose first trap resume answers; returns the names at the traps and the variables at the second."""
        names, vals = [], []

        def handler(ctx, thread, stack, wpid):
            with ctx.new_cursor(stack) as cursor:
                names.append([ctx.name_of(f(cursor)) for f in (ctx.cur_func, ctx.cur_func_ver, ctx.cur_inst)])
                if len(names) == 1:
                    return resume(ctx, stack)
                vals.extend(ctx.dump_keepalives(cursor))
                if names[1][2].endswith("trap_nor"):
                    vals[:] = [int(v) for v in vals]
                else:
                    vals[:] = [ctx.ref_eq(v, ctx.handle_from_const("@null")) for v in vals]

        self.vm.set_trap_handler(handler)
        self.start("@trap_rebind_test")
        self.vm.execute()
        self.assertEqual(names[0], ["@trap_rebind_test", "@trap_rebind_test.v1", "@trap_rebind_test.v1.entry.trap1"])
        return names[1][2], vals

    def test_trap_pass_values(self):
        at, vals = self.rebind(lambda ctx, stack: mu.PassValues(stack, [ctx.handle_from_sint64(1), ctx.handle_from_sint8(2), 3]))
        self.assertEqual((at, vals), ("@trap_rebind_test.v1.nor.trap_nor", [1, 2, 3]))

    def test_trap_throw(self):
        at, vals = self.rebind(lambda ctx, stack: mu.ThrowExc(stack, ctx.handle_from_const("@null")))
        self.assertEqual((at, vals), ("@trap_rebind_test.v1.exc.trap_exc", [True]))

    def test_trap_threadlocal(self):
        seen = []

        def handler(ctx, thread, stack, wpid):
            with ctx.new_cursor(stack) as cursor:
                p, t = ctx.dump_keepalives(cursor)
                at = ctx.name_of(ctx.cur_inst(cursor))
            local = ctx.get_threadlocal(thread)
            seen.append((at, ctx.ref_eq(p, t), ctx.ref_eq(t, local)))
            if at == "@local_test.v1.entry.first":
                ctx.set_threadlocal(thread, ctx.new_fixed("@i64"))
                return mu.PassValues(stack)

        self.vm.set_trap_handler(handler)
        r = self.ctx.new_fixed("@i64")  # a ref<int<64>> where a ref<void> is wanted
        self.start("@local_test", r, threadlocal=r)
        self.vm.execute()
        self.assertEqual(seen, [("@local_test.v1.entry.first", True, True), ("@local_test.v1.entry.second", False, True)])

    def test_many_traps(self):
        # With userdata; the values of each answer are freed.
        def handler(ctx, thread, stack, wpid, most):
            with ctx.new_cursor(stack) as cursor:
                x = int(ctx.dump_keepalives(cursor)[0])
            last.append(x)
            if x < most:
                return mu.PassValues(stack, (x + 1,))

        last = []
        self.vm.set_trap_handler(handler, 100)
        self.start("@loop", 0)
        self.start("@loop", 50)
        self.vm.execute()
        self.assertEqual(sorted(last), sorted(list(range(101)) + list(range(50, 101))))
        self.assertEqual(mu._trap.results, {})

    def test_handler_is_replaced(self):
        self.vm.set_trap_handler(lambda *args: 1 / 0)
        self.vm.set_trap_handler(lambda *args: None)
        self.start("@exit_test")
        self.vm.execute()
        self.vm.set_trap_handler(None)
        self.start("@exit_test")
        self.fails("execute: E_UNHANDLED_TRAP: a trap, or the call of an undefined function, without a trap handler", self.vm.execute)
        with self.assertRaisesRegex(TypeError, "^trap_handler: a int, want a callable or None$"):
            self.vm.set_trap_handler(5)

    def test_exception_in_handler(self):
        class Mine(BaseException):
            pass

        def handler(ctx, thread, stack, wpid):
            raise Mine("here")

        self.vm.set_trap_handler(handler)
        self.start("@exit_test")
        try:
            self.vm.execute()
            self.fail("no exception")
        except Mine as e:
            self.assertEqual(str(e), "here")
            self.assertEqual(traceback.extract_tb(e.__traceback__)[-1].line, 'raise Mine("here")')
        self.assertEqual(self.cell(), 0)  # the thread has ended
        self.start("@inc", 5)
        self.vm.execute()  # and the exception was raised once
        self.assertEqual(self.cell(), 6)

    def test_error_in_handler(self):
        self.vm.set_trap_handler(lambda ctx, *args: ctx.id_of("@nothing"))
        self.start("@exit_test")
        self.fails('id_of: E_NAME: nothing is named "@nothing"', self.vm.execute)

    def test_several_exceptions(self):
        # One is raised, the others are reported.
        reported = []
        hook, threading.excepthook = threading.excepthook, lambda u: reported.append(u.exc_value)
        try:
            self.vm.set_trap_handler(lambda *args: 1 / 0)
            for _ in range(3):
                self.start("@exit_test")
            with self.assertRaises(ZeroDivisionError):
                self.vm.execute()
        finally:
            threading.excepthook = hook
        self.assertEqual([type(e) for e in reported], [ZeroDivisionError] * 2)

    def test_interrupted_exceptions(self):
        # What an interrupted execute leaves is raised by the next one, or reported when the VM is closed.
        def handler(ctx, thread, stack, wpid):
            os.kill(os.getpid(), signal.SIGINT)
            interrupted.wait()
            1 / 0

        self.vm.set_trap_handler(handler)
        for end in self.vm.execute, self.vm.close:
            interrupted = threading.Event()
            self.start("@exit_test")
            with self.assertRaises(KeyboardInterrupt):
                self.vm.execute()
            interrupted.set()
            if end == self.vm.execute:
                with self.assertRaises(ZeroDivisionError):
                    end()
                continue
            begin = time.monotonic()
            while not self.vm._failures and time.monotonic() - begin < 60:
                time.sleep(0.001)
            reported = []
            hook, threading.excepthook = threading.excepthook, lambda u: reported.append(u.exc_value)
            try:
                end()
            finally:
                threading.excepthook = hook
            self.assertEqual([type(e) for e in reported], [ZeroDivisionError])

    def test_report(self):
        # The report of an exception that nobody can catch.
        stderr, sys.stderr = sys.stderr, io.StringIO()
        try:
            self.vm.set_trap_handler(lambda *args: {}["key"])
            self.start("@exit_test")
            self.start("@exit_test")
            with self.assertRaises(KeyError):
                self.vm.execute()
            text = sys.stderr.getvalue()
        finally:
            sys.stderr = stderr
        self.assertRegex(text, r"(?s)^Exception in thread .*Traceback .*KeyError: 'key'\n$")

    def test_wrong_results(self):
        ctx = self.ctx
        for result, error, text in (
            (5, TypeError, "a trap handler returns a int, want ThreadExit, PassValues, ThrowExc or None"),
            (mu.PassValues(None), TypeError, "stack: None, want a MuStackRefValue"),
            (mu.PassValues(ctx.new_stack(ctx.handle_from_func("@inc"))), mu.MuError, "stack: E_HANDLE: a value of another context"),
        ):
            self.vm.set_trap_handler(lambda *args: result)
            self.start("@exit_test")
            with self.assertRaises(error) as caught:
                self.vm.execute()
            self.assertEqual(str(caught.exception), text)
        self.vm.set_trap_handler(lambda ctx, thread, stack, wpid: mu.PassValues(stack, [1, 2, 3]))
        self.start("@exit_test")
        with self.assertRaisesRegex(mu.MuError, "^execute: E_TYPE: "):
            self.vm.execute()

    def test_context_of_handler(self):
        kept = []

        def handler(ctx, thread, stack, wpid):
            with self.assertRaisesRegex(mu.MuError, "^close_context: E_CTX_CLOSED: the context of a trap handler is not the handler's to close$"):
                ctx.close_context()
            kept.append((ctx, ctx.handle_from_sint64(1)))

        self.vm.set_trap_handler(handler)
        self.start("@exit_test")
        self.vm.execute()
        ctx, h = kept[0]
        self.assertIsNone(ctx._p)  # its memory is used again
        self.fails("handle_to_sint64: E_CTX_CLOSED: the context is closed", ctx.handle_to_sint64, h)
        del h
        kept.clear()

    def test_uncaught_exception(self):
        self.start("@throws")
        with self.assertRaisesRegex(mu.MuError, "^execute: uncaught exception in thread [0-9]+: object of type @i64$") as caught:
            self.vm.execute()
        self.assertEqual((caught.exception.function, caught.exception.code), ("execute", ""))

    def test_interrupt(self):
        # Ctrl-C ends the waiting; the thread goes on until the next execute.
        self.start("@spin")
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            self.vm.execute()
        self.assertLess(time.monotonic() - begin, 30)
        timer.join()
        self.ctx.store(mu.MU_ORD_SEQ_CST, self.ctx.handle_from_global("@cell"), 1)
        self.vm.execute()


class Zebu(TestCase):
    """Threads of zebu-2017 begin at once; there is no execute."""

    generation = "zebu-2017"
    text = TEXT

    def test_thread(self):
        self.vm.current_thread_as_mu_thread(0)
        self.start("@inc", 42)
        begin = time.monotonic()
        while self.cell() == 0 and time.monotonic() - begin < 60:
            time.sleep(0.001)
        self.assertEqual(self.cell(), 43)
        with self.assertRaisesRegex(AttributeError, "^zebu-2017 has no MuVM.execute$"):
            self.vm.execute()

    def test_exception_in_handler(self):
        # It is reported: nothing waits for the thread.
        reported = []
        hook, threading.excepthook = threading.excepthook, lambda u: reported.append(u.exc_value)
        try:
            self.vm.set_trap_handler(lambda *args: 1 / 0)
            self.start("@exit_test")
            begin = time.monotonic()
            while not reported and time.monotonic() - begin < 60:
                time.sleep(0.001)
        finally:
            threading.excepthook = hook
        self.assertEqual([type(e) for e in reported], [ZeroDivisionError])


if __name__ == "__main__":
    unittest.main()
