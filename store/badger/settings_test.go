package badger

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestBadgerLogsAtDebugLevel: Badger's messages are logged at debug level only.
func TestBadgerLogsAtDebugLevel(t *testing.T) {
	t.Parallel()
	for level, want := range map[slog.Level]bool{slog.LevelInfo: false, slog.LevelDebug: true} {
		var log bytes.Buffer
		l := newLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level})))
		l.Errorf("lost %d of %s\n", 3, "x")
		l.Infof("opened")
		if said := strings.Contains(log.String(), `level=DEBUG msg="lost 3 of x"`); said != want {
			t.Errorf("at %v the log has %q", level, log.String())
		}
	}
	newLogger(nil).Warningf("to nobody")
}

// TestDurabilitySettings: the settings on which the durability of acknowledged writes depends.
func TestDurabilitySettings(t *testing.T) {
	t.Parallel()
	s := badgerOptions("x", OpenOptions{})
	if !s.SyncWrites || !s.VerifyValueChecksum || s.DetectConflicts || s.InMemory || s.BypassLockGuard {
		t.Errorf("settings %+v", s)
	}
}
