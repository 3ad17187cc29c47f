-- Lua twin of the kernel richards: the Richards benchmark, size times: an operating system's
-- scheduler with tasks that exchange packets; objects, queues and calls through function
-- references.

local IDLE <const>, WORKER <const>, HANDLER_A <const>, HANDLER_B <const>, DEVICE_A <const>, DEVICE_B <const> = 1, 2, 3, 4, 5, 6
local KIND_DEVICE <const>, KIND_WORK <const> = 0, 1
-- Bits of the state.
local RUNNABLE <const>, SUSPENDED <const>, HELD <const> = 1, 2, 4
local COUNT <const> = 10000

local function new_packet(link, id, kind)
    return {link = link, id = id, kind = kind, datum = 0, data = {0, 0, 0, 0}}
end

-- Puts a packet at the end of a queue.
local function append(packet, queue)
    packet.link = nil
    if not queue then
        return packet
    end
    local last = queue
    while last.link do
        last = last.link
    end
    last.link = packet
    return queue
end

local Kernel = {}
Kernel.__index = Kernel

-- Adds a task of a class.
function Kernel:task(class, id, priority, queue)
    local t = setmetatable({link = self.list, id = id, priority = priority, queue = queue}, class)
    t.state = queue and SUSPENDED | RUNNABLE or SUSPENDED
    self.list = t
    self.tasks[id] = t
    return t
end

-- Lets a task run again; the more urgent of it and the current one.
function Kernel:release(id)
    local t = self.tasks[id]
    t.state = t.state & ~HELD
    if t.priority > self.current.priority then
        return t
    end
    return self.current
end

function Kernel:hold()
    self.held = self.held + 1
    self.current.state = self.current.state | HELD
    return self.current.link
end

function Kernel:suspend()
    self.current.state = self.current.state | SUSPENDED
    return self.current
end

-- Sends a packet to the task it is addressed to.
function Kernel:send(packet)
    local t, current = self.tasks[packet.id], self.current
    self.queued = self.queued + 1
    packet.link = nil
    packet.id = current.id
    if not t.queue then
        t.queue = packet
        t.state = t.state | RUNNABLE
        if t.priority > current.priority then
            return t
        end
        return current
    end
    t.queue = append(packet, t.queue)
    return current
end

-- Runs the tasks until none is left that can run.
function Kernel:schedule()
    local t = self.list
    while t do
        if t.state & HELD ~= 0 or t.state == SUSPENDED then
            t = t.link
        else
            self.current = t
            local packet
            if t.state == SUSPENDED | RUNNABLE then
                packet = t.queue
                t.queue = packet.link
                t.state = t.queue and RUNNABLE or 0
            end
            t = t:run(self, packet)
        end
    end
end

-- Releases one device or the other, as a shift register decides.
local Idle = {}
Idle.__index = Idle

function Idle:run(kernel)
    self.count = self.count - 1
    if self.count == 0 then
        return kernel:hold()
    end
    if self.register & 1 == 0 then
        self.register = self.register >> 1
        return kernel:release(DEVICE_A)
    end
    self.register = self.register >> 1 ~ 0xd008
    return kernel:release(DEVICE_B)
end

-- Sends each packet to a handler, filled with letters.
local Worker = {}
Worker.__index = Worker

function Worker:run(kernel, packet)
    if not packet then
        return kernel:suspend()
    end
    self.handler = self.handler == HANDLER_A and HANDLER_B or HANDLER_A
    packet.id = self.handler
    packet.datum = 0
    for i = 1, 4 do
        self.letter = self.letter + 1
        if self.letter > 26 then
            self.letter = 1
        end
        packet.data[i] = self.letter
    end
    return kernel:send(packet)
end

-- Copies work packets to device packets.
local Handler = {}
Handler.__index = Handler

function Handler:run(kernel, packet)
    if packet then
        if packet.kind == KIND_WORK then
            self.work = append(packet, self.work)
        else
            self.devices = append(packet, self.devices)
        end
    end
    local work, device = self.work, self.devices
    if work then
        if work.datum >= 4 then
            self.work = work.link
            return kernel:send(work)
        end
        if device then
            self.devices = device.link
            work.datum = work.datum + 1
            device.datum = work.data[work.datum]
            return kernel:send(device)
        end
    end
    return kernel:suspend()
end

-- Keeps a packet until it runs without one.
local Device = {}
Device.__index = Device

function Device:run(kernel, packet)
    if packet then
        self.packet = packet
        return kernel:hold()
    end
    packet = self.packet
    if not packet then
        return kernel:suspend()
    end
    self.packet = nil
    return kernel:send(packet)
end

-- The three packets of a device.
local function three(id)
    local packet
    for _ = 1, 3 do
        packet = new_packet(packet, id, KIND_DEVICE)
    end
    return packet
end

local function once()
    local k = setmetatable({tasks = {}, queued = 0, held = 0}, Kernel)
    local idle = k:task(Idle, IDLE, 0, nil)
    idle.register, idle.count, idle.state = 1, COUNT, 0
    local work = new_packet(nil, WORKER, KIND_WORK)
    local worker = k:task(Worker, WORKER, 1000, new_packet(work, WORKER, KIND_WORK))
    worker.handler, worker.letter = HANDLER_A, 0
    k:task(Handler, HANDLER_A, 2000, three(DEVICE_A))
    k:task(Handler, HANDLER_B, 3000, three(DEVICE_B))
    k:task(Device, DEVICE_A, 4000, nil)
    k:task(Device, DEVICE_B, 5000, nil)
    k:schedule()
    return k.queued * 100000 + k.held
end

local function run(size)
    local sum = 0
    for _ = 1, size do
        sum = sum * 31 + once()
    end
    return sum
end

local size = math.tointeger(arg[1]) or 600
print(string.format("trap richards.done checksum=%d", run(size)))
