package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// figureRow is one line of the table.
type figureRow struct {
	what  string
	of    string // how many were measured
	times []time.Duration
	limit time.Duration // of the 95th percentile; 0: none
}

// finalLimit is how long after the end of a turn's silence its text may come.
const finalLimit = 300 * time.Millisecond

// measurePart has the part's clients speak at once.
func measurePart(a *benchAppliance, l *speechLibrary, p benchPart, o benchOptions) ([]figureRow, error) {
	ctx, cancel := context.WithCancel(context.Background())
	var busy sync.WaitGroup
	defer busy.Wait()
	defer cancel()
	var broken error
	if p.upload {
		busy.Go(func() { broken = a.uploadHours(ctx, l.joinSpeech(99, time.Minute).sound, 4) })
		time.Sleep(5 * time.Second) // until it is being decoded
	}
	began, had := time.Now(), a.process.ProcessorTime()
	all, err := runSpeakers(ctx, a, l, p, o)
	cores := (a.process.ProcessorTime() - had).Seconds() / time.Since(began).Seconds()
	cancel()
	busy.Wait()
	if err == nil {
		err = broken
	}
	if err != nil {
		return nil, err
	}
	return []figureRow{
		{what: p.what + ": processors used by munadi", of: fmt.Sprintf("%.2f", cores)},
		{p.what + ": a word's first text after its end", all.formatShare(len(all.partial)), all.partial, p.word},
		{p.what + ": a word's delta after its end", all.formatShare(len(all.delta)), all.delta, p.word},
		{p.what + ": final text after the last word and 500 ms", formatCount(all.final, "turns"), all.final, finalLimit},
		{p.what + ": final text after `audio_end_ms`", formatCount(all.noticed, "items"), all.noticed, finalLimit},
	}, nil
}

func formatCount(times []time.Duration, what string) string {
	return fmt.Sprintf("%d %s", len(times), what)
}

func (l textLags) formatShare(n int) string { return fmt.Sprintf("%d of %d words", n, l.words) }

func runSpeakers(
	ctx context.Context, a *benchAppliance, l *speechLibrary, p benchPart, o benchOptions,
) (all textLags, first error) {
	var mu sync.Mutex
	var busy sync.WaitGroup
	for i := range p.clients {
		said := l.joinSpeech(i, o.length)
		busy.Go(func() {
			time.Sleep(time.Duration(i) * 37 * time.Millisecond) // staggered starts
			events, err := speakAndListen(ctx, a.address, said)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && first == nil {
				first = err
			}
			all.addLags(measureLags(said, events, o.words))
		})
	}
	busy.Wait()
	return all, first
}

func renderPage(rows []figureRow, note string) string {
	if note != "" {
		note = "\n" + note
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# Latency of live text

Written by `+"`go run ./packaging/bench/livebench`"+` on %s, %d CPUs (%s/%s), %s.%s
Words of real speakers (Arabic Speech Commands, validation part), joined to turns of three to twelve words, are sent
to the realtime protocol in real time, 20 ms per message, pcm16 at 24 kHz, with default settings. A word's
end is 50 ms after its recording has fallen by 30 dB, or half the way to the noise of its room; a word that is
recognized wrongly has no time, one that is recognized before its end a negative one. The first text is that
of our event
`+"`partial`"+`, which the console shows; a delta is final. Times are milliseconds.

| What | Measured | p50 | p95 | Maximum | Limit of p95 |
| --- | ---: | ---: | ---: | ---: | ---: |
`, time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, machineLoad(), note)
	for _, r := range rows {
		if len(r.times) == 0 {
			fmt.Fprintf(&b, "| %s | %s | | | | |\n", r.what, r.of)
			continue
		}
		limit := ""
		if r.limit > 0 {
			limit = fmt.Sprint(r.limit.Milliseconds())
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", r.what, r.of,
			quantileMillis(r.times, 0.5), quantileMillis(r.times, 0.95), quantileMillis(r.times, 1), limit)
	}
	return b.String()
}

// quantileMillis returns a quantile in milliseconds.
func quantileMillis(times []time.Duration, q float64) int64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[int(q*float64(len(times)-1)+0.5)].Milliseconds()
}

// machineLoad says how busy the machine is.
func machineLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load unknown"
	}
	return "load of the last minute " + strings.Fields(string(text))[0]
}
