package badger

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/restaurant"
)

// TestUpgradeFromFormat1 opens a database that the last version of format 1 wrote: all records exist, the format is
// raised, and calls can be booked.
func TestUpgradeFromFormat1(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unzip(t, "testdata/format1.zip", dir)
	for range 2 { // the second time in this version's format
		s, err := OpenStore(dir, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkFormat1(t, s)
		if err := s.readSnapshot(t.Context(), func(v snapshotView) error {
			value, _, err := v.rawValue(formatKey)
			if string(value) != strconv.Itoa(format) {
				t.Errorf("the format is %q", value)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c := newTestCall("bakery")
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkFormat1 checks the records of the fixture.
func checkFormat1(t *testing.T, s *BadgerStore) {
	t.Helper()
	ctx := t.Context()
	all, err := s.ListOrganizations(ctx)
	if err != nil || len(all) != 2 || all[0].ID != "bakery" || all[1].ID != account.Default {
		t.Errorf("organizations %+v, %v", all, err)
	}
	if k, err := s.KeyByHash(ctx, []byte("0123456789abcdef0123456789abcdef")); err != nil || k.ID != "first" || !k.IsLive() {
		t.Errorf("key %+v, %v", k, err)
	}
	at := time.Date(2026, 11, 21, 9, 31, 0, 0, time.UTC)
	if session, err := s.TouchSession(ctx, "bakery", "table-4", at); err != nil || session.Mode != restaurant.Restaurant {
		t.Errorf("session %+v, %v", session, err)
	}
	states := map[job.JobStatus]int{}
	jobs, err := s.JobsPage(ctx, "bakery", 10, "")
	for _, j := range jobs.Items {
		states[j.Status]++
	}
	if err != nil || states[job.Done] != 1 || states[job.Queued] != 1 {
		t.Errorf("jobs %v, %v", states, err)
	}
}

// TestBeforeUpgrade: nothing changes before BeforeUpgrade has returned, which can make a backup.
func TestBeforeUpgrade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unzip(t, "testdata/format1.zip", dir)
	var whole bytes.Buffer
	asked := 0
	ask := func(u FormatUpgrade) error {
		asked++
		if u.From != 1 || u.To != format {
			t.Errorf("from %d to %d", u.From, u.To)
		}
		whole.Reset()
		return u.Backup(t.Context(), &whole)
	}
	refuse := func(u FormatUpgrade) error { return errors.Join(ask(u), errRefused) }
	for range 2 { // the second time shows that the first changed nothing
		if s, err := OpenStore(dir, OpenOptions{BeforeUpgrade: refuse}); !errors.Is(err, errRefused) {
			t.Fatalf("opened %v, %v", s, err)
		}
	}
	s := openTest(t, dir, OpenOptions{BeforeUpgrade: ask})
	checkFormat1(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, OpenOptions{BeforeUpgrade: refuse}) // up to date: BeforeUpgrade is not called
	if asked != 3 {
		t.Errorf("BeforeUpgrade was called %d times", asked)
	}
	old := filepath.Join(t.TempDir(), "db")
	if counts, err := RestoreDump(old, &whole, OpenOptions{}); err != nil || counts["org"] != 2 || counts["job"] != 2 {
		t.Fatalf("the backup holds %v, %v", counts, err)
	}
	checkFormat1(t, openTest(t, old, OpenOptions{}))
}

// TestEveryFormatHasAnUpgrade: each older number has an upgrade to the next.
func TestEveryFormatHasAnUpgrade(t *testing.T) {
	t.Parallel()
	for from := 1; from < format; from++ {
		if upgrades[from] == nil {
			t.Errorf("no upgrade leads on from format %d", from)
		}
	}
}

// TestDeliveriesOfFormat2: deliveries pending in the older order are pending in this one, also after an interrupted
// upgrade.
func TestDeliveriesOfFormat2(t *testing.T) {
	t.Parallel()
	s := openTest(t, "", OpenOptions{InMemory: true})
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", Name: "b", CreatedAt: testClock()}, "test"); err != nil {
		t.Fatal(err)
	}
	const n = 2500
	for i := range n {
		d := delivery.NewDelivery("bakery", delivery.Test, fmt.Sprint("call_", i), testClock().Add(time.Duration(i)*time.Second))
		if err := s.AddDelivery(t.Context(), d, "test"); err != nil {
			t.Fatal(err)
		}
	}
	toFormat2(t, s, n)
	if err := ensureFormat(s.db, nil, s.unreadable); err != nil {
		t.Fatal(err)
	}
	if err := s.readSnapshot(t.Context(), func(v snapshotView) error { s.watermarks = newWatermarks(v); return nil }); err != nil {
		t.Fatal(err)
	}
	room := func(string) int { return n }
	due, next, err := s.DueDeliveries(t.Context(), room, nil, testClock().Add((n-2)*time.Second), n)
	if err != nil || len(due) != n-1 || !next.Equal(testClock().Add((n-1)*time.Second)) {
		t.Fatalf("%d due, next %v, %v", len(due), next, err)
	}
	for i, d := range due {
		if d.CallID != fmt.Sprint("call_", i) {
			t.Fatalf("number %d is of %s", i, d.CallID)
		}
	}
}

// TestCallsOfFormat3: calls that an older version booked are found by dial time and by filters, also after an
// interrupted upgrade.
func TestCallsOfFormat3(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	const n = 300
	for i := range n {
		c := newTestCall("bakery")
		c.ScheduledAt = c.CreatedAt.Add(time.Duration(n-i) * time.Minute)
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
	}
	toFormat3(t, s)
	f := store.CallFilter{Sort: store.SortByDueTime, NumberContains: "9665", Limit: 200}
	if page, err := s.CallsPage(t.Context(), "bakery", f); err != nil || len(page.Items) != n/3 {
		t.Fatalf("before the upgrade %d calls, %v", len(page.Items), err)
	}
	if err := ensureFormat(s.db, nil, s.unreadable); err != nil {
		t.Fatal(err)
	}
	for _, f.Sort = range []store.CallSort{store.SortByDueTime, store.SortByCreation} {
		page, err := s.CallsPage(t.Context(), "bakery", f)
		if err != nil || len(page.Items) != 200 {
			t.Errorf("by %s %d calls, %v", f.Sort, len(page.Items), err)
		}
	}
}

// TestCallsOfFormat4: calls of an older version are found by the end of their number, by scenario, answer and dial
// time, and are counted once, also after an interrupted upgrade.
func TestCallsOfFormat4(t *testing.T) {
	t.Parallel()
	s, ctx := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), t.Context()
	for i := range 30 {
		c := newTestCall("bakery")
		c.PhoneNumber = fmt.Sprintf("+9665000000%02d", i)
		if _, err := s.BookCall(ctx, c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
	}
	batch := s.db.NewWriteBatch()
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		i := 0
		for _, kind := range []string{kindCallTail, kindCallScenarioWhen} {
			v.visitKeys(joinPrefix(kind), func(rest string) bool {
				if i++; i%3 != 0 { // a third was already upgraded when the upgrade was interrupted
					_ = batch.Delete(append(joinPrefix(kind), rest...))
				}
				return true
			})
		}
		return nil
	})
	old := joinKey(kindCallNumber, "bakery", "+966500000001", "0", "call_1")
	err = errors.Join(err, batch.Set(old, nil), batch.Set(formatKey, []byte("4")), batch.Flush())
	if err = errors.Join(err, ensureFormat(s.db, nil, s.unreadable)); err != nil {
		t.Fatal(err)
	}
	f := store.CallFilter{Sort: store.SortByDueTime, NumberEnds: "7", ScenarioID: newTestCall("bakery").ScenarioID, Limit: 200}
	if page, err := s.CallsPage(ctx, "bakery", f); err != nil || len(page.Items) != 3 {
		t.Errorf("%d calls by the end of their number, %v", len(page.Items), err)
	}
	f.NumberEnds = ""
	if page, err := s.CallsPage(ctx, "bakery", f); err != nil || len(page.Items) != 30 {
		t.Errorf("%d calls by scenario, %v", len(page.Items), err)
	}
	tallies, err := s.TallyCalls(ctx, "bakery", time.Time{}, time.Time{})
	if err != nil || len(tallies) != 1 || tallies[0].Counts[call.Scheduled] != 30 {
		t.Errorf("counted %+v, %v", tallies, err)
	}
	_ = s.readSnapshot(ctx, func(v snapshotView) error {
		if there, err := v.hasKey(old); there || err != nil {
			t.Errorf("the old index is still there: %v, %v", there, err)
		}
		return nil
	})
}

// toFormat3 removes what format 4 added, except for a third of the calls, as after an interrupted upgrade.
func toFormat3(t *testing.T, s *BadgerStore) {
	t.Helper()
	batch := s.db.NewWriteBatch()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		for _, kind := range []string{kindCallWhen, kindCallStatusWhen, kindCallMade} {
			i := 0
			v.visitKeys(joinPrefix(kind), func(rest string) bool {
				i++
				key := append(joinPrefix(kind), rest...)
				switch {
				case i%3 == 0:
					return true
				case kind == kindCallMade:
					return batch.Set(key, []byte{}) == nil
				default:
					return batch.Delete(key) == nil
				}
			})
		}
		return nil
	})
	if err = errors.Join(err, batch.Set(formatKey, []byte("3")), batch.Flush()); err != nil {
		t.Fatal(err)
	}
}

// toFormat2 writes the index in format 2, except for the first entries, as after an interrupted upgrade.
func toFormat2(t *testing.T, s *BadgerStore, n int) {
	t.Helper()
	var places []string
	batch := s.db.NewWriteBatch()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		v.visitKeys(joinPrefix(kindDeliveryDue), func(rest string) bool { places = append(places, rest); return true })
		return nil
	})
	if err != nil || len(places) != n {
		t.Fatal(len(places), err)
	}
	for _, place := range places[n/3:] {
		parts := splitKey(place, 5)
		old := joinKey(kindDeliveryOwed, parts[0], parts[1], parts[3], parts[4])
		if err := errors.Join(batch.Delete(append(joinPrefix(kindDeliveryDue), place...)), batch.Set(old, []byte(parts[2]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(batch.Set(formatKey, []byte("2")), batch.Flush()); err != nil {
		t.Fatal(err)
	}
}

// unzip writes the files of an archive into dir.
func unzip(t *testing.T, path, dir string) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, f.Name), content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
