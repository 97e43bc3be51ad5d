package badger

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/delivery"
	"munadi/store/dump"
	"munadi/store/job"
	"munadi/store/record"
	"munadi/store/restaurant"
	"munadi/store/storetest/fixture"
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
	asked, state := 0, ""
	ask := func(u FormatUpgrade) error {
		if asked++; asked == 1 {
			state = u.State
		} else if u.State != state {
			t.Errorf("the state is %q, before %q, and nothing changed", u.State, state)
		}
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
	var said bytes.Buffer
	s := openTest(t, dir, OpenOptions{BeforeUpgrade: ask, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	checkFormat1(t, s)
	lines := regexp.MustCompile(`backed up before its upgrade" records=(\d+) of=(\d+)`).FindAllStringSubmatch(said.String(), -1)
	if len(lines) != 2 || lines[0][1] != "0" || lines[1][1] == "0" || lines[1][1] != lines[1][2] {
		t.Errorf("the log says of the backup %v", lines)
	}
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

// TestStateBeforeUpgrade: an interrupted upgrade leaves the state that a backup belongs to, a change makes another.
func TestStateBeforeUpgrade(t *testing.T) {
	t.Parallel()
	s := openTest(t, "", OpenOptions{InMemory: true})
	var states []string
	note := func(err error) {
		t.Helper()
		state, stateErr := describeState(s.db)
		if states = append(states, state); err != nil || stateErr != nil {
			t.Fatal(err, stateErr)
		}
	}
	note(s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", CreatedAt: testClock()}, "test"))
	for from := 2; from < format; from++ {
		note(upgrades[from](s.db, s.unreadable))
	}
	note(s.CreateOrganization(t.Context(), account.Organization{ID: "mill", CreatedAt: testClock()}, "test"))
	if kept := slices.Compact(slices.Clone(states)); len(kept) != 2 || kept[1] != states[len(states)-1] {
		t.Errorf("states %q", states)
	}
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
	toFormat2(t, s)
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

// TestUpgradeInstallation: a whole installation of each older format is upgraded to what this version would have
// written, also after an interrupted upgrade.
func TestUpgradeInstallation(t *testing.T) {
	t.Parallel()
	for from := 2; from < format; from++ {
		t.Run(fmt.Sprint("format ", from), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, err := OpenStore(dir, OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			filled := fixture.FillStore(t, s)
			read, before := filled.ReadStore(t, s), dumpRecords(t, s)
			downgradeStore(t, s, from)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openTest(t, dir, OpenOptions{})
			after := dumpRecords(t, s)
			delete(before, string(compactionKey)) // done when the store was closed
			for key := range before {
				if strings.HasPrefix(key, "call-tally") { // counts again, without the answers that were erased
					delete(before, key)
					delete(after, key)
				}
			}
			if difference := fixture.DiffReadings(before, after); difference != "" {
				t.Errorf("upgraded: %s", difference)
			}
			again := filled.ReadStore(t, s)
			for query := range read {
				if strings.HasPrefix(query, "TallyCalls") {
					forgetAnswers(read[query])
					forgetAnswers(again[query])
				}
			}
			if difference := fixture.DiffReadings(read, again); difference != "" {
				t.Errorf("read after the upgrade: %s", difference)
			}
		})
	}
}

// forgetAnswers removes the answers from counters of calls.
func forgetAnswers(tallies any) {
	for i := range tallies.([]call.CallTally) {
		tallies.([]call.CallTally)[i].Answers = nil
	}
}

// dumpRecords returns all that a database holds by key, without the number of its last transaction.
func dumpRecords(t testing.TB, s *BadgerStore) map[string]string {
	t.Helper()
	var b bytes.Buffer
	all := map[string]string{}
	err := s.WriteBackup(t.Context(), &b)
	if err == nil {
		_, err = dump.ReadDump(&b, func(key, value []byte) error { all[string(key)] = string(value); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	delete(all, string(commitsKey))
	return all
}

// downgradeStore brings a database into an older format, except for a third of the index entries of calls, as after an
// interrupted upgrade.
func downgradeStore(t *testing.T, s *BadgerStore, to int) {
	t.Helper()
	batch := s.db.NewWriteBatch()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		i := 0
		if to == 5 {
			v.visitKeys(joinPrefix("call-marked"), func(rest string) bool {
				i++
				return i%3 == 0 || batch.Delete(append(joinPrefix("call-marked"), rest...)) == nil
			})
			return nil
		}
		v.visitKeys(joinPrefix("call-tally"), func(rest string) bool {
			return batch.Delete(append(joinPrefix("call-tally"), rest...)) == nil
		})
		err := eachRecord(v, joinPrefix("call"), "", func(_ string, r record.CallRecord) (bool, error) {
			if c := r.Call; c.PhoneNumber != "" {
				number := joinKey(kindCallNumber, c.OrgID, c.PhoneNumber, encodeTime(c.CreatedAt), c.ID)
				if err := batch.Set(number, []byte{}); err != nil {
					return false, err
				}
			}
			entries, err := writeTx{v, &changeSet{}}.entriesOf("call", r.Call.OrgID, r.Call.ID)
			if err != nil {
				return false, err
			}
			for _, entry := range entries {
				if i++; i%3 == 0 {
					continue
				}
				err := batch.Delete(entry.key)
				if to < 4 && strings.HasPrefix(string(entry.key), "call-made"+"/") {
					err = batch.Set(entry.key, []byte{})
				}
				if err != nil {
					return false, err
				}
			}
			return true, nil
		})
		return err
	})
	if err = errors.Join(err, batch.Set(formatKey, []byte(strconv.Itoa(to))), batch.Flush()); err != nil {
		t.Fatal(err)
	}
	if to == 2 {
		toFormat2(t, s)
	}
}

// toFormat2 writes the index in format 2, except for the first entries, as after an interrupted upgrade.
func toFormat2(t *testing.T, s *BadgerStore) {
	t.Helper()
	var places []string
	batch := s.db.NewWriteBatch()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		v.visitKeys(joinPrefix(kindDeliveryDue), func(rest string) bool { places = append(places, rest); return true })
		return nil
	})
	if err != nil || len(places) == 0 {
		t.Fatal(len(places), err)
	}
	for _, place := range places[len(places)/3:] {
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
