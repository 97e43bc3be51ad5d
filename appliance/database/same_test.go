package database_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/storetest/fixture"
)

// random matches what is different in each installation: UUIDs, the end of live sessions' ids, secrets.
var random = regexp.MustCompile(
	`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|-[0-9a-f]{8}$|whsec_[A-Za-z0-9+/=]+`)

// ignoreRandom compares texts and bytes without what is random in them.
var ignoreRandom = cmp.Options{
	cmp.Comparer(func(a, b string) bool { return random.ReplaceAllString(a, "") == random.ReplaceAllString(b, "") }),
	cmp.Comparer(func(a, b []byte) bool {
		return (a == nil) == (b == nil) && bytes.Equal(random.ReplaceAll(a, nil), random.ReplaceAll(b, nil))
	}),
}

// TestSameOnBothDatabases checks that an installation made by the same changes reads the same from both databases.
func TestSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	cfg := newSettings(t)
	var readings []map[string]any
	for _, s := range []store.Store{openEmbedded(t, cfg), openShared(t, cfg, needServer(t).NewURL(t))} {
		defer func() { _ = s.Close() }()
		in := fixture.FillStore(t, s)
		// Their transactions have different sizes, so that an unfinished erasure is at different places.
		if _, err := s.ResumeErasures(t.Context(), in.Now); err != nil {
			t.Fatal(err)
		}
		readings = append(readings, in.ReadStore(t, s))
	}
	if difference := cmp.Diff(readings[0], readings[1], ignoreRandom); difference != "" {
		t.Error(difference)
	}
}
