package engine

import (
	"fmt"
	"strings"
	"time"
)

// LatencyList returns the latencies that a streaming model offers, the usual one first, such as "1120 ms, 80 ms".
func (i EngineInfo) LatencyList(separator string) string {
	parts := make([]string, len(i.Latencies))
	for n, d := range i.Latencies {
		parts[n] = fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return strings.Join(parts, separator)
}
