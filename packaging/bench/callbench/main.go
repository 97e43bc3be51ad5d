// Command callbench measures the call platform from outside: it starts the built binary with a temporary data folder,
// books over HTTP, receives the webhooks and writes the figures as a table.
//
//	go run ./packaging/bench/callbench [-munadi bin/munadi] [-out packaging/bench/CALLS.md]
//		[-parts book,hook,release,talk,queued,trunk,bridges,turns,replay,lists] [-stored 1000000] [-hold 60s] [-bridges 20]
//		[-calls 140]
//
// -stored is the number of calls in the store of lists. CALLBENCH_LISTS in its environment names a folder in which that
// store is kept for another run.
//
// MUNADI_MODEL in its environment names the folder of another speech model than the built-in one.
//
// Bookings and deliveries are compared with Badger's own rate of synced writes on the same disk, as measured by `go
// test -bench SyncedWrite ./store/badger`.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// figureRow is one figure.
type figureRow struct{ what, got, beside string }

// benchPart is one measurement.
type benchPart struct {
	name string
	run  func(*callBench) ([]figureRow, error)
}

func benchParts() []benchPart {
	return []benchPart{
		{"book", benchBookings},
		{"hook", benchDeliveries},
		{"release", benchReleases},
		{"talk", benchConversations},
		{"queued", benchQueued},
		{"trunk", benchTrunks},
		{"bridges", benchBridges},
		{"turns", benchTurns},
		{"replay", benchReplays},
		{"lists", benchLists},
	}
}

func main() {
	munadi := flag.String("munadi", "bin/munadi", "the binary")
	out := flag.String("out", "packaging/bench/CALLS.md", "file of the table")
	wanted := flag.String("parts", "book,hook,release,talk,queued,trunk,bridges,turns,replay,lists", "parts to measure")
	b := callBench{}
	flag.IntVar(&b.stored, "stored", 1_000_000, "calls in the store of lists")
	flag.DurationVar(&b.hold, "hold", time.Minute, "how long bridged calls last")
	flag.IntVar(&b.bridges, "bridges", 20, "bridged calls at once")
	flag.IntVar(&b.calls, "calls", 140, "calls at once, the bridged ones among them")
	flag.Parse()
	if err := b.runParts(*munadi, *out, strings.Split(*wanted, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "callbench:", err)
		os.Exit(1)
	}
}

func (b callBench) runParts(munadi, out string, wanted []string) error {
	path, err := filepath.Abs(munadi)
	if err != nil {
		return err
	}
	var rows []figureRow
	for _, p := range benchParts() {
		if !slices.Contains(wanted, p.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "callbench:", p.name)
		got, err := b.withAppliance(path, p.run)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		rows = append(rows, got...)
	}
	return os.WriteFile(out, []byte(renderPage(rows)), 0o644)
}

// withAppliance runs one part with a new data folder.
func (b callBench) withAppliance(munadi string, f func(*callBench) ([]figureRow, error)) ([]figureRow, error) {
	dir, err := os.MkdirTemp("", "callbench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b.munadi, b.dir = munadi, dir
	defer b.stopAppliance()
	return f(&b)
}

func renderPage(rows []figureRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# The call platform's figures

Written by `+"`go run ./packaging/bench/callbench`"+` (part of `+"`make bench`"+`) on %s, %d CPUs (%s/%s), %s.
The called people are the simulator's, or SIPp's where stated; the recognizer is the real one with the default model.
The figures are valid for this machine only; the third column has a goal or a figure to compare with.

| What | Measured | For comparison |
| --- | ---: | ---: |
`, time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, machineLoad())
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.what, r.got, r.beside)
	}
	return b.String()
}

// machineLoad describes the machine's load.
func machineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	return "load " + strings.Fields(string(text))[0] + " at the end"
}
