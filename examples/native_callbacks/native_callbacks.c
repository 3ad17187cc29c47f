// A small event source: handlers are registered, each with a pointer to data, and called later.

#include <stdint.h>

typedef struct { int32_t kind; double x, y; } event;
typedef int32_t (*handler)(event e, void *data);

static struct { handler f; void *data; } handlers[8];
static int count;

int32_t events_on(handler f, void *data) {
	if (count == 8) return -1;
	handlers[count].f = f;
	handlers[count].data = data;
	return count++;
}

// Fires an event; returns the number of handlers that took it.
int32_t events_fire(int32_t kind, double x, double y) {
	int32_t taken = 0;
	for (int i = 0; i < count; i++) {
		event e = {kind, x, y};
		if (handlers[i].f(e, handlers[i].data)) taken++;
	}
	return taken;
}
