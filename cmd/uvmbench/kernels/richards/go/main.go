// The Go twin of the kernel richards: the Richards benchmark, size times: an operating system's scheduler with tasks that exchange packets;
// objects, queues and calls through function references.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const (
	idIdle = iota
	idWorker
	idHandlerA
	idHandlerB
	idDeviceA
	idDeviceB
	tasks
)

const (
	kindDevice = iota
	kindWork
)

// Bits of the state.
const (
	runnable = 1 << iota
	suspended
	held
)

const count = 10000

type packet struct {
	link     *packet
	id, kind int
	datum    int64
	data     [4]int64
}

// add puts p at the end of a queue.
func (p *packet) add(queue *packet) *packet {
	p.link = nil
	if queue == nil {
		return p
	}
	last := queue
	for last.link != nil {
		last = last.link
	}
	last.link = p
	return queue
}

// A job is the work of a kind of task: it runs with a packet or nil and returns the task to
// run next.
type job interface {
	run(k *kernel, p *packet) *task
}

type task struct {
	link     *task
	id       int
	priority int
	queue    *packet
	state    int
	job      job
}

type kernel struct {
	list, current *task
	tasks         [tasks]*task
	queued, held  int64
}

func (k *kernel) add(id, priority int, queue *packet, j job) *task {
	t := &task{link: k.list, id: id, priority: priority, queue: queue, state: suspended, job: j}
	if queue != nil {
		t.state |= runnable
	}
	k.list = t
	k.tasks[id] = t
	return t
}

// release lets a task run again; it returns the more urgent of that task and the current one.
func (k *kernel) release(id int) *task {
	t := k.tasks[id]
	t.state &^= held
	if t.priority > k.current.priority {
		return t
	}
	return k.current
}

func (k *kernel) hold() *task {
	k.held++
	k.current.state |= held
	return k.current.link
}

func (k *kernel) suspend() *task {
	k.current.state |= suspended
	return k.current
}

// send sends a packet to the task it is addressed to.
func (k *kernel) send(p *packet) *task {
	t := k.tasks[p.id]
	k.queued++
	p.link = nil
	p.id = k.current.id
	if t.queue == nil {
		t.queue = p
		t.state |= runnable
		if t.priority > k.current.priority {
			return t
		}
		return k.current
	}
	t.queue = p.add(t.queue)
	return k.current
}

// schedule runs the tasks until none is left that can run.
func (k *kernel) schedule() {
	for t := k.list; t != nil; {
		if t.state&held != 0 || t.state == suspended {
			t = t.link
			continue
		}
		k.current = t
		var p *packet
		if t.state == suspended|runnable {
			p = t.queue
			t.queue = p.link
			t.state = 0
			if t.queue != nil {
				t.state = runnable
			}
		}
		t = t.job.run(k, p)
	}
}

// idle releases one device or the other; a shift register decides which.
type idle struct {
	register, left int64
}

func (t *idle) run(k *kernel, p *packet) *task {
	t.left--
	if t.left == 0 {
		return k.hold()
	}
	if t.register&1 == 0 {
		t.register >>= 1
		return k.release(idDeviceA)
	}
	t.register = t.register>>1 ^ 0xd008
	return k.release(idDeviceB)
}

// worker sends each packet to a handler, filled with letters.
type worker struct {
	handler int
	letter  int64
}

func (t *worker) run(k *kernel, p *packet) *task {
	if p == nil {
		return k.suspend()
	}
	if t.handler == idHandlerA {
		t.handler = idHandlerB
	} else {
		t.handler = idHandlerA
	}
	p.id = t.handler
	p.datum = 0
	for i := range p.data {
		t.letter++
		if t.letter > 26 {
			t.letter = 1
		}
		p.data[i] = t.letter
	}
	return k.send(p)
}

// handler copies work packets to device packets.
type handler struct {
	work, devices *packet
}

func (t *handler) run(k *kernel, p *packet) *task {
	if p != nil {
		if p.kind == kindWork {
			t.work = p.add(t.work)
		} else {
			t.devices = p.add(t.devices)
		}
	}
	if w := t.work; w != nil {
		if w.datum >= 4 {
			t.work = w.link
			return k.send(w)
		}
		if d := t.devices; d != nil {
			t.devices = d.link
			d.datum = w.data[w.datum]
			w.datum++
			return k.send(d)
		}
	}
	return k.suspend()
}

// device keeps a packet until it runs without one.
type device struct {
	kept *packet
}

func (t *device) run(k *kernel, p *packet) *task {
	if p != nil {
		t.kept = p
		return k.hold()
	}
	if t.kept == nil {
		return k.suspend()
	}
	p, t.kept = t.kept, nil
	return k.send(p)
}

// three makes the three packets of a device.
func three(id int) *packet {
	var p *packet
	for range 3 {
		p = &packet{link: p, id: id, kind: kindDevice}
	}
	return p
}

func once() int64 {
	k := new(kernel)
	k.add(idIdle, 0, nil, &idle{1, count}).state = 0
	work := &packet{id: idWorker, kind: kindWork}
	work = &packet{link: work, id: idWorker, kind: kindWork}
	k.add(idWorker, 1000, work, &worker{handler: idHandlerA})
	k.add(idHandlerA, 2000, three(idDeviceA), new(handler))
	k.add(idHandlerB, 3000, three(idDeviceB), new(handler))
	k.add(idDeviceA, 4000, nil, new(device))
	k.add(idDeviceB, 5000, nil, new(device))
	k.schedule()
	return k.queued*100000 + k.held
}

func run(size int64) int64 {
	var sum int64
	for range size {
		sum = sum*31 + once()
	}
	return sum
}

func main() {
	size := int64(600)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "richards: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap richards.done checksum=%d\n", run(size))
}
