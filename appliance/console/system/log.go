package system

import (
	"slices"
	"strings"
	"time"

	"munadi/ui/system"
)

// parseLog returns the lines of the log (time=… level=… msg=…), the newest first. A line of another form is kept whole.
func parseLog(lines []string) (all []system.LogLine) {
	for _, text := range slices.Backward(lines) {
		line := system.LogLine{Text: text}
		stamp, rest, _ := strings.Cut(text, " ")
		if at, err := time.Parse(time.RFC3339Nano, strings.TrimPrefix(stamp, "time=")); err == nil {
			line.At, line.Text = at, rest
		}
		if level, found := strings.CutPrefix(line.Text, "level="); found {
			line.Level, _, _ = strings.Cut(level, " ")
		}
		all = append(all, line)
	}
	return all
}
