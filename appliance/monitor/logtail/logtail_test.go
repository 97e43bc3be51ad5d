package logtail

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
	var last LogTail
	log := AttachTail(slog.New(slog.NewTextHandler(&main, nil)), &last).With("worker", "jobs")
	for i := range maxLines + 5 {
		log.Info("line", "n", i)
	}
	log.Info("request", "path", "/livez")
	log.Debug("nobody sees it")
	lines := last.LastLines()
	if len(lines) != maxLines {
		t.Fatalf("%d lines are kept, want %d", len(lines), maxLines)
	}
	if newest := lines[len(lines)-1]; !strings.HasSuffix(newest, "worker=jobs n="+strconv.Itoa(maxLines+4)) {
		t.Errorf("the newest line is %q", newest)
	}
	if n := strings.Count(main.String(), "\n"); n != maxLines+6 {
		t.Errorf("the log itself has %d lines, want %d", n, maxLines+6)
	}
}
