package appliance

import (
	"bytes"
	"log/slog"
	"strconv"
	"strings"
	"testing"
)

func TestTailKeepsTheLastLines(t *testing.T) {
	t.Parallel()
	var main bytes.Buffer
	var last logTail
	log := keepTail(slog.New(slog.NewTextHandler(&main, nil)), &last).With("worker", "jobs")
	for i := range tailLines + 5 {
		log.Info("line", "n", i)
	}
	log.Info("request", "path", "/livez")
	log.Debug("nobody sees it")
	lines := last.lastLines()
	if len(lines) != tailLines {
		t.Fatalf("%d lines are kept, want %d", len(lines), tailLines)
	}
	if newest := lines[len(lines)-1]; !strings.HasSuffix(newest, "worker=jobs n="+strconv.Itoa(tailLines+4)) {
		t.Errorf("the newest line is %q", newest)
	}
	if n := strings.Count(main.String(), "\n"); n != tailLines+6 {
		t.Errorf("the log itself has %d lines, want %d", n, tailLines+6)
	}
}
