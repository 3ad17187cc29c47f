-- Lua twin of the kernel sieve: the sieve of Eratosthenes over two million bytes, size times.

local LIMIT <const> = 2000000

-- Crosses out the composites; the number of primes plus the sum of every 1000th.
local function sieve(marks, limit)
    for i = 1, limit do
        marks[i] = false
    end
    local count, sum = 0, 0
    for i = 2, limit - 1 do
        if not marks[i] then
            count = count + 1
            if count % 1000 == 0 then
                sum = sum + i
            end
            for j = i * i, limit - 1, i do
                marks[j] = true
            end
        end
    end
    return sum + count
end

local function run(size)
    local marks, sum = {}, 0
    for i = 0, size - 1 do
        sum = sum + sieve(marks, LIMIT - i)
    end
    return sum
end

local size = math.tointeger(arg[1]) or 80
print(string.format("trap sieve.done checksum=%d", run(size)))
