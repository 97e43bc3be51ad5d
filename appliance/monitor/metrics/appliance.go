package metrics

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"munadi/engine"
	"munadi/store/disk"
)

// ApplianceReadings are the values of the appliance's gauges at a scrape.
type ApplianceReadings struct {
	EngineLoad       func() (requests, waiting int)
	LostTransactions func() int
	Ready            func() bool
	Writable         func() bool // new work can be stored
	HeldLines        func() int
	LineLimit        func() int
	LiveSessions     func() int
	LastBackup       func() (at time.Time, failing bool) // zero time: there is none
}

// ListGauges returns the gauges of these readings.
func (r ApplianceReadings) ListGauges() []Gauge {
	count := func(of func() int) func() float64 { return func() float64 { return float64(of()) } }
	flag := func(of func() bool) func() float64 { return func() float64 { return BoolGauge(of()) } }
	return []Gauge{
		{Name: "stt_requests", Help: "Requests that the speech engine has admitted.", Value: count(func() int {
			requests, _ := r.EngineLoad()
			return requests
		})},
		{Name: "stt_queue_length", Help: "Work items that wait for the speech engine.", Value: count(func() int {
			_, waiting := r.EngineLoad()
			return waiting
		})},
		{
			Name: "store_lost_transactions", Help: "Acknowledged changes that were lost to disk damage.",
			Value: count(r.LostTransactions),
		},
		{Name: "calls_running", Help: "Running calls.", Value: count(r.HeldLines)},
		{Name: "ready", Help: "1 while requests are served and all workers run, else 0.", Value: flag(r.Ready)},
		{Name: "lines", Help: "Largest number of concurrent calls.", Value: count(r.LineLimit)},
		{
			Name: "live_sessions", Help: "Open realtime sessions and live microphones of this machine.",
			Value: count(r.LiveSessions),
		},
		{
			Name: "storage_writable", Help: "1 while new work can be stored; 0 with a full or read-only disk.",
			Value: flag(r.Writable),
		},
		{
			Name: "backup_last_timestamp_seconds", Help: "Unix time of the latest nightly backup; 0: none.",
			Value: func() float64 {
				if at, _ := r.LastBackup(); !at.IsZero() {
					return float64(at.Unix())
				}
				return 0
			},
		},
		{
			Name: "backup_failing", Help: "1 while nightly backups fail, else 0.", Value: flag(func() bool {
				_, failing := r.LastBackup()
				return failing
			}),
		},
	}
}

// DiskGauges returns the gauges of the file system of a folder; 0 when it cannot be read.
func DiskGauges(folder string) []Gauge {
	read := func(of func(disk.DiskState) uint64) func() float64 {
		return func() float64 {
			s, err := disk.ReadState(folder)
			if err != nil {
				return 0
			}
			return float64(of(s))
		}
	}
	return []Gauge{
		{
			Name: "disk_free_bytes", Help: "Free bytes on the data disk.",
			Value: read(func(s disk.DiskState) uint64 { return s.Free }),
		},
		{
			Name: "disk_size_bytes", Help: "Size of the data disk in bytes.",
			Value: read(func(s disk.DiskState) uint64 { return s.Size }),
		},
	}
}

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

// decodingTotals sums the recognizer's audio and work, for the dashboard.
type decodingTotals struct {
	mu          sync.Mutex
	audio, work float64 // seconds
}

func (d *decodingTotals) addDecoding(audio float64, work time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.audio += max(audio, 0)
	d.work += max(work.Seconds(), 0)
}

// CountLiveSound counts seconds of live audio and the time that decoding it took, queuing included.
func (m *Metrics) CountLiveSound(seconds float64, took time.Duration) {
	m.audio.WithLabelValues(priorityLabel(engine.Live)).Add(max(seconds, 0))
	m.decoding.addDecoding(seconds, took)
}

// DecodingTotals returns how many seconds of audio were decoded since the start, and how many seconds of work that
// took.
func (m *Metrics) DecodingTotals() (audio, work float64) {
	m.decoding.mu.Lock()
	defer m.decoding.mu.Unlock()
	return m.decoding.audio, m.decoding.work
}
