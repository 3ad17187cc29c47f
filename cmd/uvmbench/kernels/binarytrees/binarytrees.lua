-- Lua twin of the kernel binarytrees: binary trees of many depths made and dropped while one stays:
-- allocation and collection.

local MIN_DEPTH <const> = 4

-- A complete tree.
local function make(depth)
    if depth == 0 then
        return {left = nil, right = nil}
    end
    return {left = make(depth - 1), right = make(depth - 1)}
end

-- The number of nodes.
local function count(node)
    if not node.left then
        return 1
    end
    return count(node.left) + count(node.right) + 1
end

local function run(size)
    local sum = count(make(size + 1))
    local longlived = make(size)
    for depth = MIN_DEPTH, size, 2 do
        local nodes = 0
        for _ = 1, 1 << (size - depth + MIN_DEPTH) do
            nodes = nodes + count(make(depth))
        end
        sum = sum * 31 + nodes
    end
    return sum * 31 + count(longlived)
end

local size = math.tointeger(arg[1]) or 17
print(string.format("trap binarytrees.done checksum=%d", run(size)))
