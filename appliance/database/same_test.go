package database_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/store"
	"munadi/store/delivery"
	"munadi/store/postgres/postgrestest"
	"munadi/store/replay"
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

// evenEvents makes the readings of events comparable: their ids are random, and so is the order in which those of one
// moment are read. Events of cancelled calls are left out: how many of an unfinished erasure's calls were cancelled
// before the destinations were added depends on the database. Results of replays are listed by the random ids of their
// calls, too.
func evenEvents(t *testing.T, read map[string]any) {
	t.Helper()
	face := func(d delivery.Delivery) string {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return random.ReplaceAllString(string(text), "")
	}
	even := func(all []delivery.Delivery) []delivery.Delivery {
		kept := slices.DeleteFunc(slices.Clone(all), func(d delivery.Delivery) bool { return d.Event == delivery.CallCancelled })
		for i := range kept {
			if len(kept[i].Tries) > 0 {
				kept[i].NextAt = time.Time{} // the wait after a failed attempt is random
			}
		}
		slices.SortFunc(kept, func(a, b delivery.Delivery) int { return strings.Compare(face(a), face(b)) })
		return kept
	}
	for name, value := range read {
		switch {
		case strings.HasPrefix(name, "FindEvent "):
			delete(read, name)
		case strings.HasPrefix(name, "ListEvents "):
			read[name] = even(value.([]delivery.Delivery))
		case strings.HasPrefix(name, "ListReplayResults "):
			page := value.(store.ListPage[replay.Result])
			page.Items = slices.Clone(page.Items)
			slices.SortFunc(page.Items, func(a, b replay.Result) int { return strings.Compare(string(a.State), string(b.State)) })
			read[name] = page
		case name == "DueEvents":
			due := value.([]any)
			read[name] = []any{even(due[0].([]delivery.Delivery)), due[1]}
		}
	}
}

// TestSameOnBothDatabases checks that an installation made by the same changes reads the same from both databases.
func TestSameOnBothDatabases(t *testing.T) {
	t.Parallel()
	cfg := newSettings(t)
	var readings []map[string]any
	for _, s := range []store.Store{openEmbedded(t, cfg), openShared(t, cfg, postgrestest.SharedServer(t).NewURL(t))} {
		defer func() { _ = s.Close() }()
		in := fixture.FillStore(t, s)
		// Their transactions have different sizes, so that an unfinished erasure is at different places.
		if _, err := s.ResumeErasures(t.Context(), in.Now); err != nil {
			t.Fatal(err)
		}
		read := in.ReadStore(t, s)
		evenEvents(t, read)
		readings = append(readings, read)
	}
	if difference := cmp.Diff(readings[0], readings[1], ignoreRandom); difference != "" {
		t.Error(difference)
	}
}
