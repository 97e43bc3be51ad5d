package ort

/*
#include <malloc.h>
*/
import "C"

// mappedFrom is the size in bytes from which malloc maps a block on its own.
const mappedFrom = 256 << 10

// mapLargeBlocks makes malloc map large blocks on their own, so that the system gets each back when it is freed. By
// default glibc raises its limit up to 32 MiB as such blocks are freed: weights then share heaps with what loading
// needed, whose gaps stay resident.
func mapLargeBlocks() { C.mallopt(C.M_MMAP_THRESHOLD, mappedFrom) }

// mappedBlocks returns the number of blocks that malloc has mapped on their own.
func mappedBlocks() int { return int(C.mallinfo2().hblks) }
