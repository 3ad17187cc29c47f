# Python twin of the kernel richards: the Richards benchmark, size times: an operating system's
# scheduler with tasks that exchange packets; objects, queues and calls through function references.

import sys


def signed(n):
    """The low 64 bits of a number, with their sign."""
    n &= (1 << 64) - 1
    return n - (1 << 64) if n >> 63 else n


IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = range(6)
KIND_DEVICE, KIND_WORK = range(2)
# Bits of the state.
RUNNABLE, SUSPENDED, HELD = 1, 2, 4
COUNT = 10000


class Packet:
    __slots__ = ("link", "id", "kind", "datum", "data")

    def __init__(self, link, id, kind):
        self.link = link
        self.id = id
        self.kind = kind
        self.datum = 0
        self.data = [0] * 4


def append(packet, queue):
    """Puts a packet at the end of a queue."""
    packet.link = None
    if queue is None:
        return packet
    last = queue
    while last.link is not None:
        last = last.link
    last.link = packet
    return queue


class Task:
    __slots__ = ("link", "id", "priority", "queue", "state")

    def __init__(self, kernel, id, priority, queue):
        self.link = kernel.list
        self.id = id
        self.priority = priority
        self.queue = queue
        self.state = SUSPENDED | RUNNABLE if queue is not None else SUSPENDED
        kernel.list = self
        kernel.tasks[id] = self


class Idle(Task):
    """Releases one device or the other, as a shift register decides."""

    __slots__ = ("register", "count")

    def run(self, kernel, packet):
        self.count -= 1
        if self.count == 0:
            return kernel.hold()
        if self.register & 1 == 0:
            self.register >>= 1
            return kernel.release(DEVICE_A)
        self.register = self.register >> 1 ^ 0xD008
        return kernel.release(DEVICE_B)


class Worker(Task):
    """Sends each packet to a handler, filled with letters."""

    __slots__ = ("handler", "letter")

    def run(self, kernel, packet):
        if packet is None:
            return kernel.suspend()
        self.handler = HANDLER_B if self.handler == HANDLER_A else HANDLER_A
        packet.id = self.handler
        packet.datum = 0
        for i in range(4):
            self.letter += 1
            if self.letter > 26:
                self.letter = 1
            packet.data[i] = self.letter
        return kernel.send(packet)


class Handler(Task):
    """Copies work packets to device packets."""

    __slots__ = ("work", "devices")

    def run(self, kernel, packet):
        if packet is not None:
            if packet.kind == KIND_WORK:
                self.work = append(packet, self.work)
            else:
                self.devices = append(packet, self.devices)
        work = self.work
        device = self.devices
        if work is not None:
            if work.datum >= 4:
                self.work = work.link
                return kernel.send(work)
            if device is not None:
                self.devices = device.link
                device.datum = work.data[work.datum]
                work.datum += 1
                return kernel.send(device)
        return kernel.suspend()


class Device(Task):
    """Keeps a packet until it runs without one."""

    __slots__ = ("packet",)

    def run(self, kernel, packet):
        if packet is not None:
            self.packet = packet
            return kernel.hold()
        packet = self.packet
        if packet is None:
            return kernel.suspend()
        self.packet = None
        return kernel.send(packet)


class Kernel:
    __slots__ = ("list", "current", "tasks", "queued", "held")

    def __init__(self):
        self.list = self.current = None
        self.tasks = [None] * 6
        self.queued = self.held = 0

    def release(self, id):
        """Lets a task run again; the more urgent of it and the current one."""
        task = self.tasks[id]
        task.state &= ~HELD
        return task if task.priority > self.current.priority else self.current

    def hold(self):
        self.held += 1
        self.current.state |= HELD
        return self.current.link

    def suspend(self):
        self.current.state |= SUSPENDED
        return self.current

    def send(self, packet):
        """Sends a packet to the task it is addressed to."""
        task = self.tasks[packet.id]
        current = self.current
        self.queued += 1
        packet.link = None
        packet.id = current.id
        if task.queue is None:
            task.queue = packet
            task.state |= RUNNABLE
            return task if task.priority > current.priority else current
        task.queue = append(packet, task.queue)
        return current

    def schedule(self):
        """Runs the tasks until none is left that can run."""
        task = self.list
        while task is not None:
            if task.state & HELD or task.state == SUSPENDED:
                task = task.link
                continue
            self.current = task
            packet = None
            if task.state == SUSPENDED | RUNNABLE:
                packet = task.queue
                task.queue = packet.link
                task.state = RUNNABLE if task.queue is not None else 0
            task = task.run(self, packet)


def three(id):
    """The three packets of a device."""
    packet = None
    for _ in range(3):
        packet = Packet(packet, id, KIND_DEVICE)
    return packet


def once():
    kernel = Kernel()
    idle = Idle(kernel, IDLE, 0, None)
    idle.register = 1
    idle.count = COUNT
    idle.state = 0
    work = Packet(None, WORKER, KIND_WORK)
    worker = Worker(kernel, WORKER, 1000, Packet(work, WORKER, KIND_WORK))
    worker.handler = HANDLER_A
    worker.letter = 0
    for id, priority, device in ((HANDLER_A, 2000, DEVICE_A), (HANDLER_B, 3000, DEVICE_B)):
        handler = Handler(kernel, id, priority, three(device))
        handler.work = handler.devices = None
    for id, priority in ((DEVICE_A, 4000), (DEVICE_B, 5000)):
        Device(kernel, id, priority, None).packet = None
    kernel.schedule()
    return kernel.queued * 100000 + kernel.held


def run(size):
    total = 0
    for _ in range(size):
        total = total * 31 + once() & (1 << 64) - 1
    return signed(total)


size = int(sys.argv[1]) if len(sys.argv) > 1 else 600
print(f"trap richards.done checksum={run(size)}")
