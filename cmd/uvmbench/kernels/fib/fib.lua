-- Lua twin of the kernel fib: Fibonacci numbers by plain recursion: calls and little else.

local function fib(n)
    if n < 2 then
        return n
    end
    return fib(n - 1) + fib(n - 2)
end

local function run(size)
    return fib(size)
end

local size = math.tointeger(arg[1]) or 40
print(string.format("trap fib.done checksum=%d", run(size)))
