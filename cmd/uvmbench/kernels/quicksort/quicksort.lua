-- Lua twin of the kernel quicksort: quicksort of size pseudo-random integers: array accesses and
-- unpredictable branches.

-- Sorts p[lo..hi], both ends included: Hoare's partition round the middle element,
-- recursion into the left part, iteration on the right one.
local function quicksort(p, lo, hi)
    while lo < hi do
        local pivot, i, j = p[(lo + hi) // 2], lo, hi
        while i <= j do
            while p[i] < pivot do
                i = i + 1
            end
            while pivot < p[j] do
                j = j - 1
            end
            if i <= j then
                p[i], p[j] = p[j], p[i]
                i = i + 1
                j = j - 1
            end
        end
        quicksort(p, lo, j)
        lo = i
    end
end

local function run(size)
    local a, seed, sum = {}, 42, 0
    for i = 1, size do
        seed = seed * 6364136223846793005 + 1442695040888963407
        a[i] = seed // (1 << 20)
    end
    quicksort(a, 1, size)
    for i = 1, size do
        sum = sum * 31 + a[i]
    end
    return sum
end

local size = math.tointeger(arg[1]) or 4000000
print(string.format("trap quicksort.done checksum=%d", run(size)))
