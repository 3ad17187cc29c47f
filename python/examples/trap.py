"""A counter in Mu that asks Python, at a trap, how far to go: the handler reads a variable and answers with a value."""

import mu

BUNDLE = """
.typedef @i64 = int<64>
.const @0 <@i64> = 0
.const @1 <@i64> = 1
.funcsig @main_sig = () -> ()
.funcdef @count VERSION %v1 <@main_sig> {
  %entry():
    BRANCH %loop(@0)
  %loop(<@i64> %n):
    %step = [%ask] TRAP <@i64> KEEPALIVE (%n)
    %next = ADD <@i64> %n %step
    BRANCH %loop(%next)
}
"""


def handler(ctx, thread, stack, wpid):
    with ctx.new_cursor(stack) as cursor:
        (n,) = ctx.dump_keepalives(cursor)
        print(ctx.name_of(ctx.cur_inst(cursor)), int(n))
    if int(n) >= 6:
        return mu.ThreadExit()
    return mu.PassValues(stack, [ctx.handle_from_sint64(int(n) + 1)])


with mu.MuVM() as vm, vm.new_context() as ctx:
    ctx.load_bundle(BUNDLE)
    vm.set_trap_handler(handler)
    ctx.new_thread_nor(ctx.new_stack(ctx.handle_from_func("@count")))
    vm.execute()

# Output:
# @count.v1.loop.ask 0
# @count.v1.loop.ask 1
# @count.v1.loop.ask 3
# @count.v1.loop.ask 7
