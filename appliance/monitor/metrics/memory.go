package metrics

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// newMemoryGauge reports the anonymous memory of the process, beside process_resident_memory_bytes: the part of it that
// no file backs, which the kernel cannot give to others when memory is short.
func newMemoryGauge() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "munadi_anonymous_memory_bytes",
		Help: "Resident memory that no file backs: resident memory without mapped files. 0 where it is not known.",
	}, func() float64 { return anonymousBytes("/proc/self/status") })
}

// anonymousBytes returns RssAnon of a process's status file (proc_pid_status(5)), in bytes; 0 without one.
func anonymousBytes(path string) float64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		rest, found := strings.CutPrefix(lines.Text(), "RssAnon:")
		if !found {
			continue
		}
		kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64)
		if err != nil {
			return 0
		}
		return kib * 1024
	}
	return 0
}
