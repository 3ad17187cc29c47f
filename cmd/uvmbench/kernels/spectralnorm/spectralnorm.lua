-- Lua twin of the kernel spectralnorm: the spectral norm of an infinite matrix, cut to size:
-- integer division and doubles.

-- Element i, j of the matrix.
local function element(i, j)
    local k = i + j
    return 1 / ((k * (k + 1) >> 1) + i + 1)
end

-- A v
local function times(v, n)
    local r = {}
    for i = 0, n - 1 do
        local sum = 0.0
        for j = 0, n - 1 do
            sum = sum + element(i, j) * v[j + 1]
        end
        r[i + 1] = sum
    end
    return r
end

-- (transposed A) v
local function transposed(v, n)
    local r = {}
    for i = 0, n - 1 do
        local sum = 0.0
        for j = 0, n - 1 do
            sum = sum + element(j, i) * v[j + 1]
        end
        r[i + 1] = sum
    end
    return r
end

local function run(size)
    local u, v = {}, nil
    for i = 1, size do
        u[i] = 1.0
    end
    for _ = 1, 10 do
        v = transposed(times(u, size), size)
        u = transposed(times(v, size), size)
    end
    local vbv, vv = 0.0, 0.0
    for i = 1, size do
        vbv = vbv + u[i] * v[i]
        vv = vv + v[i] * v[i]
    end
    return (string.unpack("<i8", string.pack("<d", math.sqrt(vbv / vv))))
end

local size = math.tointeger(arg[1]) or 2500
print(string.format("trap spectralnorm.done checksum=%d", run(size)))
