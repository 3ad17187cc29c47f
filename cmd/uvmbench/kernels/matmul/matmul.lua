-- Lua twin of the kernel matmul: the product of two size by size matrices of doubles, row by row.

-- Element i*n+j of the result is ((i*a + j*b) mod 17) / 8; the first index is 0.
local function matrix(n, a, b)
    local m = {}
    for i = 0, n - 1 do
        for j = 0, n - 1 do
            m[i * n + j + 1] = (i * a + j * b) % 17 / 8
        end
    end
    return m
end

local function multiply(a, b, c, n)
    for i = 0, n - 1 do
        local row = i * n
        for k = 1, n do
            local x, other = a[row + k], (k - 1) * n
            for j = 1, n do
                c[row + j] = c[row + j] + x * b[other + j]
            end
        end
    end
end

local function run(size)
    local a, b, c = matrix(size, 3, 5), matrix(size, 7, 11), matrix(size, 0, 0)
    multiply(a, b, c, size)
    local trace, sum = 0.0, 0.0
    for i = 0, size - 1 do
        trace = trace + c[i * size + i + 1]
        for j = 0, size - 1 do
            sum = sum + c[i * size + j + 1] / (j + 1)
        end
    end
    return (string.unpack("<i8", string.pack("<d", sum + trace)))
end

local size = math.tointeger(arg[1]) or 800
print(string.format("trap matmul.done checksum=%d", run(size)))
