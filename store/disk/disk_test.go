package disk

import (
	"strings"
	"testing"
)

func TestRoom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state DiskState
		says  string
	}{
		"enough":                   {DiskState{Free: 64 << 20, Files: 1000, counts: true}, ""},
		"does not count its files": {DiskState{Free: 64 << 20}, ""},
		"full":                     {DiskState{Free: 64<<20 - 1}, "full: 63 MiB are free"},
		"no more files":            {DiskState{Free: 64 << 20, Files: 3, counts: true}, "3 more files"},
		"read-only":                {DiskState{Free: 64 << 20, ReadOnly: true}, "read-only"},
	} {
		err := c.state.CheckRoom(64 << 20)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	s, err := ReadState(t.TempDir())
	if err != nil || s.Size == 0 || s.Free > s.Size || s.ReadOnly {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := ReadState("/nowhere/at/all"); err == nil {
		t.Error("looked at nothing")
	}
}
