// Package gc is the managed heap: type descriptors, allocation, the shadow and alloca
// stacks, and a stop-the-world mark-region collector that does not move objects.
//
// It is not the threads layer: it knows threads only as something to stop, and stacks
// only as roots. Objects that stand for stacks and threads carry a word that hooks of
// that layer interpret.
package gc
