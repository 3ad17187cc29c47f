"""A compiler for expressions in reverse Polish notation, with the builder whose nodes are IDs: each becomes a Mu function, which Python calls."""

import ctypes

import mu

OPERATORS = {"+": mu.MU_BINOP_ADD, "-": mu.MU_BINOP_SUB, "*": mu.MU_BINOP_MUL, "/": mu.MU_BINOP_SDIV}


def compile(ctx, text):
    """Builds a function of an int<64> x, and returns it as a callable."""
    with ctx.new_ir_builder() as b:
        i64, sig, func, version, block, x, ret = (b.gen_sym() for _ in range(7))
        b.new_type_int(i64, 64)
        b.new_funcsig(sig, [i64], [i64])
        stack, insts = [], []
        for word in text.split():
            result = b.gen_sym()
            if word == "x":
                result = x
            elif word in OPERATORS:
                right, left = stack.pop(), stack.pop()
                insts.append(b.gen_sym())
                b.new_binop(insts[-1], result, OPERATORS[word], i64, left, right)
            else:
                b.new_const_int(result, i64, int(word))
            stack.append(result)
        b.new_ret(ret, stack)
        b.new_bb(block, [x], [i64], None, insts + [ret])
        b.new_func_ver(version, func, [block])
        b.new_func(func, sig)
    return ctx.function(func, ctypes.c_int64, ctypes.c_int64)


with mu.MuVM(generation="rmu-ref") as vm, vm.new_context() as ctx:
    for text in "x x * 1 +", "x 3 - x 3 + *", "7":
        f = compile(ctx, text)
        print(text, "=", [f(x) for x in range(5)])

# Output:
# x x * 1 + = [1, 2, 5, 10, 17]
# x 3 - x 3 + * = [-9, -8, -5, 0, 7]
# 7 = [7, 7, 7, 7, 7]
