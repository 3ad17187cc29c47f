// C twin of the kernel richards: the Richards benchmark, size times: an operating system's scheduler with tasks that exchange packets;
// objects, queues and calls through function references.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B, TASKS };
enum { KIND_DEVICE, KIND_WORK };
// Bits of the state.
enum { RUNNABLE = 1, SUSPENDED = 2, HELD = 4 };

#define COUNT 10000

struct packet {
    struct packet *link;
    int id, kind;
    int64_t datum, data[4];
};

struct kernel;
struct task;

// Runs a task with a packet or NULL; returns the task to run next.
typedef struct task *run_fn(struct kernel *, struct task *, struct packet *);

// A task; v1 and v2, or the queues p1 and p2, are what its kind of task keeps.
struct task {
    struct task *link;
    int id, priority;
    struct packet *queue;
    int state;
    run_fn *run;
    int64_t v1, v2;
    struct packet *p1, *p2;
};

struct kernel {
    struct task *list, *current, *tasks[TASKS];
    int64_t queued, held;
    // all packets, to be freed
    struct packet *packets[8];
    int npackets;
};

static struct packet *packet(struct kernel *k, struct packet *link, int id, int kind) {
    struct packet *p = calloc(1, sizeof *p);
    p->link = link;
    p->id = id;
    p->kind = kind;
    return k->packets[k->npackets++] = p;
}

// Puts p at the end of a queue.
static struct packet *append(struct packet *p, struct packet *queue) {
    p->link = NULL;
    if (!queue)
        return p;
    struct packet *last = queue;
    while (last->link)
        last = last->link;
    last->link = p;
    return queue;
}

static struct task *task(struct kernel *k, int id, int priority, struct packet *queue, run_fn *run) {
    struct task *t = calloc(1, sizeof *t);
    t->link = k->list;
    t->id = id;
    t->priority = priority;
    t->queue = queue;
    t->state = queue ? SUSPENDED | RUNNABLE : SUSPENDED;
    t->run = run;
    k->list = t;
    k->tasks[id] = t;
    return t;
}

// Lets a task run again; the more urgent of it and the current one.
static struct task *release(struct kernel *k, int id) {
    struct task *t = k->tasks[id];
    t->state &= ~HELD;
    return t->priority > k->current->priority ? t : k->current;
}

static struct task *hold(struct kernel *k) {
    k->held++;
    k->current->state |= HELD;
    return k->current->link;
}

static struct task *suspend(struct kernel *k) {
    k->current->state |= SUSPENDED;
    return k->current;
}

// Sends a packet to the task it is addressed to.
static struct task *sendpacket(struct kernel *k, struct packet *p) {
    struct task *t = k->tasks[p->id], *current = k->current;
    k->queued++;
    p->link = NULL;
    p->id = current->id;
    if (!t->queue) {
        t->queue = p;
        t->state |= RUNNABLE;
        return t->priority > current->priority ? t : current;
    }
    t->queue = append(p, t->queue);
    return current;
}

// Runs the tasks until none is left that can run.
static void schedule(struct kernel *k) {
    for (struct task *t = k->list; t;) {
        if (t->state & HELD || t->state == SUSPENDED) {
            t = t->link;
            continue;
        }
        k->current = t;
        struct packet *p = NULL;
        if (t->state == (SUSPENDED | RUNNABLE)) {
            p = t->queue;
            t->queue = p->link;
            t->state = t->queue ? RUNNABLE : 0;
        }
        t = t->run(k, t, p);
    }
}

// Releases one device or the other, as a shift register decides; v1 is the register, v2 the
// count.
static struct task *idle(struct kernel *k, struct task *t, struct packet *p) {
    (void)p;
    if (--t->v2 == 0)
        return hold(k);
    if ((t->v1 & 1) == 0) {
        t->v1 >>= 1;
        return release(k, DEVICE_A);
    }
    t->v1 = t->v1 >> 1 ^ 0xd008;
    return release(k, DEVICE_B);
}

// Sends each packet to a handler, filled with letters; v1 is the handler, v2 the letter.
static struct task *worker(struct kernel *k, struct task *t, struct packet *p) {
    if (!p)
        return suspend(k);
    t->v1 = t->v1 == HANDLER_A ? HANDLER_B : HANDLER_A;
    p->id = (int)t->v1;
    p->datum = 0;
    for (int i = 0; i < 4; i++) {
        if (++t->v2 > 26)
            t->v2 = 1;
        p->data[i] = t->v2;
    }
    return sendpacket(k, p);
}

// Copies work packets to device packets; p1 is the queue of work, p2 that of devices.
static struct task *handler(struct kernel *k, struct task *t, struct packet *p) {
    if (p) {
        if (p->kind == KIND_WORK)
            t->p1 = append(p, t->p1);
        else
            t->p2 = append(p, t->p2);
    }
    struct packet *work = t->p1, *device = t->p2;
    if (work) {
        if (work->datum >= 4) {
            t->p1 = work->link;
            return sendpacket(k, work);
        }
        if (device) {
            t->p2 = device->link;
            device->datum = work->data[work->datum++];
            return sendpacket(k, device);
        }
    }
    return suspend(k);
}

// Keeps a packet until it runs without one; p1 is the packet.
static struct task *device(struct kernel *k, struct task *t, struct packet *p) {
    if (p) {
        t->p1 = p;
        return hold(k);
    }
    p = t->p1;
    if (!p)
        return suspend(k);
    t->p1 = NULL;
    return sendpacket(k, p);
}

// The three packets of a device.
static struct packet *three(struct kernel *k, int id) {
    struct packet *p = NULL;
    for (int i = 0; i < 3; i++)
        p = packet(k, p, id, KIND_DEVICE);
    return p;
}

static int64_t once(void) {
    struct kernel *k = calloc(1, sizeof *k);
    struct task *t = task(k, IDLE, 0, NULL, idle);
    t->v1 = 1;
    t->v2 = COUNT;
    t->state = 0;
    struct packet *work = packet(k, NULL, WORKER, KIND_WORK);
    t = task(k, WORKER, 1000, packet(k, work, WORKER, KIND_WORK), worker);
    t->v1 = HANDLER_A;
    task(k, HANDLER_A, 2000, three(k, DEVICE_A), handler);
    task(k, HANDLER_B, 3000, three(k, DEVICE_B), handler);
    task(k, DEVICE_A, 4000, NULL, device);
    task(k, DEVICE_B, 5000, NULL, device);
    schedule(k);
    int64_t r = k->queued * 100000 + k->held;
    for (int i = 0; i < TASKS; i++)
        free(k->tasks[i]);
    for (int i = 0; i < k->npackets; i++)
        free(k->packets[i]);
    free(k);
    return r;
}

static int64_t run(int64_t size) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < size; i++)
        sum = sum * 31 + (uint64_t)once();
    return (int64_t)sum;
}

int main(int argc, char **argv) {
    int64_t size = argc > 1 ? strtoll(argv[1], NULL, 10) : 600;
    printf("trap richards.done checksum=%lld\n", (long long)run(size));
    return 0;
}
