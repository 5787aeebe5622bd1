package plan

import (
	"fmt"

	"harrier/bridge"
	"harrier/internal/process/memory"
)

// MemoryLimit is how much memory a check may take in all: Go, the visited set and Java's virtual machine.
type MemoryLimit struct {
	Bytes uint64 // 0 for no limit
	share string // what the limit is nine tenths of, "" where --max-memory set it
}

// besideHeap is what a check takes beside Java's heap before its search begins, in bytes: the virtual
// machine's code and classes, and harrier itself. With the least heap, examples/paxos took 99 MiB.
const besideHeap = 128 << 20

// parseMemory reads the value of --max-memory; 0 stands for no limit.
func parseMemory(size string) (uint64, error) {
	if size == "none" || size == "0" {
		return 0, nil
	}
	bytes, err := memory.Parse(size)
	if err != nil {
		return 0, fmt.Errorf("--max-memory: %w, or none for no limit", err)
	}
	if bytes < besideHeap+bridge.LeastHeap {
		return 0, fmt.Errorf("--max-memory %s is too little: a check takes %s before its search begins; write 512m or 2g",
			size, memory.SizeText(besideHeap+bridge.LeastHeap))
	}
	return bytes, nil
}

// NewMemoryLimit is the limit that --max-memory sets, or without it nine tenths of the memory that there is.
// The last tenth is for other processes, and for the memory that a search takes between reaching
// the limit and ending. So a search that is too large ends with its figures, and not by the system's hand.
func NewMemoryLimit(flag string) (MemoryLimit, error) {
	if flag != "" {
		bytes, err := parseMemory(flag)
		return MemoryLimit{Bytes: bytes}, err
	}
	available, group := memory.Available()
	share := "this machine's memory"
	if group {
		share = "the memory of this process's control group"
	}
	return MemoryLimit{available / 10 * 9, share}, nil
}

// Left is how much memory is left to the check now, in bytes.
func (l MemoryLimit) Left() uint64 { return l.Bytes - min(l.Bytes, memory.Resident()) }

// UsedUp is the reason of a check that the limit ended.
func (l MemoryLimit) UsedUp() string {
	text := fmt.Sprintf("the memory of %s is used up", memory.SizeText(l.Bytes))
	if l.share == "" {
		return text + " (--max-memory)"
	}
	return fmt.Sprintf("%s: nine tenths of %s (--max-memory sets another limit)", text, l.share)
}

// Heap is the limit of Java's heap for the value of --java-heap. Without one, Java gets at most half of
// what there is to share, for the other half is the search's.
func (l MemoryLimit) Heap(flag string) (uint64, error) {
	if flag == "" {
		heap := uint64(bridge.DefaultHeap)
		if l.Bytes > 0 {
			heap = min(heap, (max(l.Bytes, besideHeap)-besideHeap)/2)
		}
		return max(heap, bridge.LeastHeap), nil
	}
	heap, err := memory.Parse(flag)
	if err != nil {
		return 0, fmt.Errorf("--java-heap: %w", err)
	}
	if heap < bridge.LeastHeap {
		return 0, fmt.Errorf("--java-heap must be at least %dm", bridge.LeastHeap>>20)
	}
	if l.Bytes > 0 && heap+besideHeap > l.Bytes {
		limit := "--max-memory"
		if l.share != "" {
			limit = "nine tenths of " + l.share + "; --max-memory sets another limit"
		}
		return 0, fmt.Errorf("--java-heap %s and %s for all else do not fit into the memory of %s (%s)",
			flag, memory.SizeText(besideHeap), memory.SizeText(l.Bytes), limit)
	}
	return heap, nil
}
