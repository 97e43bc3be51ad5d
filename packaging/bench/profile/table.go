package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

const heading = `# Where the encoder's time goes

Written by "go run ./packaging/bench/profile" with ONNX Runtime's profiler: %d s of speech in one utterance, one thread,
mean of %d runs, milliseconds (number of operators). "NeMo" is the graph as NeMo exported it, which sherpa-onnx
and onnx-asr run, "munadi" the form that Munadi runs. Both compute with the same weights, in the same ONNX Runtime.

`

// formatProfile returns the table: a row an operator, the dearest first, a column a form.
func formatProfile(o profileOptions, columns []profileColumn) string {
	var s strings.Builder
	fmt.Fprintf(&s, heading, o.seconds, o.runs)
	if o.note != "" {
		fmt.Fprintf(&s, "- %s\n", o.note)
	}
	now := time.Now().UTC().Format("2006-01-02 15:04 UTC")
	fmt.Fprintf(&s, "- %s, %d CPUs, %s\n\n| operator |", now, runtime.NumCPU(), runtime.GOARCH)
	for _, c := range columns {
		form := "munadi"
		if c.verbatim {
			form = "NeMo"
		}
		fmt.Fprintf(&s, " %s, %s |", c.model, form)
	}
	s.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(columns)) + "\n")
	for _, op := range operatorNames(columns) {
		fmt.Fprintf(&s, "| %s |", op)
		for _, c := range columns {
			fmt.Fprintf(&s, " %s |", formatCell(c.operators[op], c.calls[op]))
		}
		s.WriteString("\n")
	}
	s.WriteString("| all operators |")
	for _, c := range columns {
		all := time.Duration(0)
		for _, t := range c.operators {
			all += t
		}
		fmt.Fprintf(&s, " **%.1f** |", 1000*all.Seconds())
	}
	s.WriteString("\n| a run (median) |")
	for _, c := range columns {
		fmt.Fprintf(&s, " **%.1f** |", 1000*c.run.Seconds())
	}
	s.WriteString("\n")
	return s.String()
}

// operatorNames returns the operators that take 0.1 ms in some form at least, by their most.
func operatorNames(columns []profileColumn) []string {
	most := map[string]time.Duration{}
	for _, c := range columns {
		for op, t := range c.operators {
			most[op] = max(most[op], t)
		}
	}
	var names []string
	for op, t := range most {
		if t >= 100*time.Microsecond {
			names = append(names, op)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(most[b] - most[a]) })
	return names
}

func formatCell(t time.Duration, calls int) string {
	if calls == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f (%d)", 1000*t.Seconds(), calls)
}
