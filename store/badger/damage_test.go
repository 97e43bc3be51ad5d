package badger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/job"
	"munadi/store/storetest"
)

// filledFolder is a database's folder like that of a busy store: tables of several blocks, a log that is not in a table
// yet, a value in the value log. It also holds what the store was acknowledged to contain.
type filledFolder struct {
	dir   string
	calls map[string]call.Call
}

// bigResult is the result of the folder's job; it is stored in the value log.
func bigResult() json.RawMessage {
	return json.RawMessage(`"` + strings.Repeat("سلام ", 20_000) + `"`)
}

// fillFolder creates a filled folder, in the state after a crash.
func fillFolder(t *testing.T, opt OpenOptions, number int) filledFolder {
	t.Helper()
	s := openCalls(t, t.TempDir(), opt, "bakery")
	f := filledFolder{calls: map[string]call.Call{}}
	book := func(n int) {
		for i := range n {
			c := newTestCall("bakery")
			c.PhoneNumber = fmt.Sprintf("+9665%08d", i)
			c.CreatedAt = testClock().Add(time.Duration(len(f.calls)) * time.Second)
			if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
				t.Fatal(err)
			}
			f.calls[c.ID] = c
		}
	}
	endJob(t, s)
	book(number)
	if err := s.reopenDatabase(nil); err != nil { // writes the log into a table
		t.Fatal(err)
	}
	book(5)
	f.dir = copyFolder(t, s.dir)
	for id := range f.calls {
		c, err := s.FindCall(t.Context(), "bakery", id)
		if err != nil {
			t.Fatal(err)
		}
		f.calls[id] = c
	}
	return f
}

// endJob adds a job with a large result.
func endJob(t *testing.T, s *BadgerStore) {
	t.Helper()
	j := job.Job{ID: "one", OrgID: "bakery", Status: job.Queued, Input: "one.upload", CreatedAt: testClock()}
	if err := s.EnqueueJob(t.Context(), j, job.QueueLimits{}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.ClaimJob(t.Context(), testClock()); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := s.FinishJob(t.Context(), "bakery", "one", bigResult(), testClock()); err != nil {
		t.Fatal(err)
	}
}

// fileSizes returns the sizes of a folder's files by name, without lock files.
func (f filledFolder) fileSizes(t *testing.T) (names []string) {
	t.Helper()
	all, err := databaseFiles(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(f.dir, "DISCARD")); err == nil && info.Size() > 0 {
		all = append(all, "DISCARD")
	}
	return all
}

// checkLoss opens a damaged copy and fails for everything that is lost silently. It returns how many calls were
// reported as unreadable, and whether the opening was refused.
func (f filledFolder) checkLoss(t *testing.T, dir string, opt OpenOptions) (unreadable int, refused bool) {
	t.Helper()
	var said bytes.Buffer
	opt.Logger = slog.New(slog.NewTextHandler(&said, nil))
	s, err := OpenStore(dir, opt)
	if err != nil {
		if len(err.Error()) < 40 || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("refused without a sentence: %v", err)
		}
		return 0, true
	}
	defer func() { _ = s.Close() }()
	for id, want := range f.calls {
		got, err := s.FindCall(t.Context(), "bakery", id)
		switch {
		case err == nil:
			if !reflect.DeepEqual(got, want) {
				t.Errorf("a call is answered with another content: %+v", got)
			}
		case store.CodeOf(err) == store.CodeCorrupt:
			unreadable++
		case s.LostTransactions() == 0:
			t.Errorf("a call is lost: %v", err)
		}
	}
	f.checkListAfterLoss(t, s)
	f.checkDueAfterLoss(t, s)
	if j, err := s.FindJob(t.Context(), "bakery", "one"); err == nil && !bytes.Equal(j.Result, bigResult()) ||
		store.CodeOf(err) == store.CodeNotFound && s.LostTransactions() == 0 {
		t.Errorf("the result of the job is lost: %v", err)
	}
	if unreadable > 0 && (s.Integrity().IsWhole() || !strings.Contains(said.String(), "call/bakery/")) {
		t.Errorf("%d calls cannot be read without a report: %v\n%s", unreadable, s.Integrity(), &said)
	}
	return unreadable, false
}

// checkDueAfterLoss fails for every readable call that is not due after lost index entries were restored.
func (f filledFolder) checkDueAfterLoss(t *testing.T, s *BadgerStore) {
	t.Helper()
	s.background.Wait()
	due, _, err := storetest.FindDueCalls(t.Context(), s, testClock().Add(time.Hour), 10_000)
	if err != nil {
		t.Error(err)
	}
	for id := range f.calls {
		_, err := s.FindCall(t.Context(), "bakery", id)
		if err == nil && !slices.ContainsFunc(due, func(c call.Call) bool { return c.ID == id }) {
			t.Errorf("the call %s can be read and is forgotten: %d are due", id, len(due))
		}
	}
}

// checkListAfterLoss lists all calls: each is listed, or the list is marked as incomplete.
func (f filledFolder) checkListAfterLoss(t *testing.T, s *BadgerStore) {
	t.Helper()
	f.checkFiltersAfterLoss(t, s, store.CallFilter{})
	var byStatus []store.CallFilter
	for _, status := range call.AllStatuses() {
		byStatus = append(byStatus, store.CallFilter{Statuses: []call.CallStatus{status}, Sort: store.SortByDueTime})
	}
	f.checkFiltersAfterLoss(t, s, byStatus...)
}

// checkFiltersAfterLoss lists by filters that have every call in common, and fails unless all calls are listed or one of the
// lists is marked as incomplete.
func (f filledFolder) checkFiltersAfterLoss(t *testing.T, s *BadgerStore, filters ...store.CallFilter) {
	t.Helper()
	listed, incomplete := 0, s.LostTransactions() > 0
	for _, filter := range filters {
		for filter.Limit = 100; ; {
			ctx, report := store.CollectDamage(t.Context())
			page, err := s.CallsPage(ctx, "bakery", filter)
			if err != nil {
				t.Errorf("the list breaks off after %d calls: %v", listed, err)
				return
			}
			for _, c := range page.Items {
				if want := f.calls[c.ID]; c.PhoneNumber != want.PhoneNumber || !c.CreatedAt.Equal(want.CreatedAt) {
					t.Errorf("listed with another content: %+v", c)
				}
			}
			listed += len(page.Items)
			incomplete = incomplete || !report.IsEmpty()
			if filter.Cursor = page.Next; filter.Cursor == "" {
				break
			}
		}
	}
	if listed < len(f.calls) && !incomplete {
		t.Errorf("%d of %d calls are listed, and the list is not marked as incomplete", listed, len(f.calls))
	}
}

// TestFlippedBits: a single flipped bit, anywhere in the database's files, changes nothing silently.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, []byte(strings.Repeat("k", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, opt := range map[string]OpenOptions{"plain": {}, "encrypted": {KeyFile: keyFile}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := fillFolder(t, opt, 250)
			if n, refused := f.checkLoss(t, copyFolder(t, f.dir), opt); n > 0 || refused {
				t.Fatalf("of a whole folder %d calls cannot be read, refused: %v", n, refused)
			}
			random := rand.New(rand.NewPCG(13, uint64(len(name))))
			files := f.fileSizes(t)
			unreadable, refusals := 0, 0
			for i := range 30 {
				file := files[i%len(files)]
				if i >= 10 { // most records are in tables
					file = files[slices.IndexFunc(files, func(n string) bool { return filepath.Ext(n) == tableSuffix })]
				}
				dir := copyFolder(t, f.dir)
				at := flipBit(t, filepath.Join(dir, file), random)
				n, refused := f.checkLoss(t, dir, opt)
				if t.Failed() {
					t.Fatalf("after bit %d of %s", at, file)
				}
				if unreadable += n; refused {
					refusals++
				}
			}
			t.Logf("of 30 flipped bits: %d calls that could not be read, %d openings refused", unreadable, refusals)
			if unreadable == 0 || refusals > 15 {
				t.Errorf("%d calls could not be read and %d openings were refused: this tests little", unreadable, refusals)
			}
		})
	}
}

// flipBit flips a random bit of a file's content and returns its description.
func flipBit(t *testing.T, path string, random *rand.Rand) int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := random.IntN(8 * max(1, len(bytes.TrimRight(content, "\x00"))))
	content[at/8] ^= 1 << (at % 8)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

// TestMissingFiles: a database's folder without any one of its files is refused, or reports what is lost.
func TestMissingFiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := fillFolder(t, OpenOptions{}, 120)
	outcomes := map[string]string{}
	for _, name := range f.fileSizes(t) {
		dir := copyFolder(t, f.dir)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		n, refused := f.checkLoss(t, dir, OpenOptions{})
		outcomes[name] = fmt.Sprintf("refused %v, %d unreadable", refused, n)
		if t.Failed() {
			t.Fatalf("without %s", name)
		}
		whole := name == markFile || name == "KEYREGISTRY" || name == "DISCARD" || filepath.Ext(name) == ".mem" ||
			filepath.Ext(name) == ".vlog" && name != valueLogName(1) // which has the job's result
		if refused == whole {
			t.Errorf("without %s the opening was refused: %v", name, refused)
		}
	}
	t.Log(outcomes)
}

// TestDamagedKeyRegistry: a start that is refused because of a damaged KEYREGISTRY names that file.
func TestDamagedKeyRegistry(t *testing.T) {
	t.Parallel()
	f := fillFolder(t, OpenOptions{}, 5)
	whole, err := os.ReadFile(filepath.Join(f.dir, "KEYREGISTRY"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for n := range whole {
		flipped := slices.Clone(whole)
		flipped[n] ^= 4
		for what, content := range map[string][]byte{"flipped": flipped, "cut off": whole[:n]} {
			if err := os.WriteFile(filepath.Join(f.dir, "KEYREGISTRY"), content, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := OpenStore(f.dir, OpenOptions{})
			if err == nil {
				err = s.Close()
			} else if refused++; strings.Contains(err.Error(), "its file KEYREGISTRY") {
				err = nil
			}
			if err != nil {
				t.Errorf("%s at %d: %v", what, n, err)
			}
		}
	}
	if refused == 0 {
		t.Error("no damage is found")
	}
}

// TestCutManifest: records of tables that a truncated MANIFEST no longer names are not lost silently, wherever it ends; also
// with encryption. A table that a crash left beside its log is no damage.
func TestCutManifest(t *testing.T) {
	t.Parallel()
	keyFile := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(keyFile, bytes.Repeat([]byte{7}, keyLength), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []OpenOptions{{}, {KeyFile: keyFile}} {
		f := fillFolder(t, opt, 20)
		s := openTest(t, f.dir, opt) // writes a second table; the log has later changes
		if _, err := s.BookCall(t.Context(), newTestCall("bakery"), "key:x", nil); err != nil {
			t.Fatal(err)
		}
		awaitFlush(t, filepath.Join(s.dir, "00001.mem"))
		f.dir = copyFolder(t, s.dir)
		whole, err := os.ReadFile(filepath.Join(f.dir, "MANIFEST"))
		if err != nil {
			t.Fatal(err)
		}
		refusals := 0
		for end := range len(whole) {
			dir := copyFolder(t, f.dir)
			if err := os.Truncate(filepath.Join(dir, "MANIFEST"), int64(end)); err != nil {
				t.Fatal(err)
			}
			n, refused := f.checkLoss(t, dir, opt)
			if refused {
				refusals++
			}
			if t.Failed() || n > 0 {
				t.Fatalf("cut at %d of %d: %d unreadable", end, len(whole), n)
			}
		}
		if refusals != len(whole) {
			t.Errorf("%d of %d are refused", refusals, len(whole))
		}
	}
}

// TestCutTables: a table that is truncated anywhere is reported by an error, and the process continues.
func TestCutTables(t *testing.T) {
	t.Parallel()
	f := fillFolder(t, OpenOptions{}, 60)
	for _, part := range []float64{0, 0.001, 0.3, 0.9, 0.999} {
		dir := copyFolder(t, f.dir)
		tables, err := filepath.Glob(filepath.Join(dir, "*"+tableSuffix))
		if err != nil || len(tables) == 0 {
			t.Fatal(tables, err)
		}
		info, err := os.Stat(tables[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(tables[0], int64(part*float64(info.Size()))); err != nil {
			t.Fatal(err)
		}
		_, err = OpenStore(dir, OpenOptions{})
		if store.CodeOf(err) != store.CodeCorrupt || !strings.Contains(err.Error(), filepath.Base(tables[0])) {
			t.Errorf("cut at %v: %v", part, err)
		}
	}
}

// TestDamageWhileOpen: verifying finds damage while the database is open; then records are reported as unreadable,
// records written later can be read, and the next opening still knows the damage.
func TestDamageWhileOpen(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := fillFolder(t, OpenOptions{}, 250)
	s := openTest(t, f.dir, OpenOptions{})
	if known, err := s.VerifyFiles(t.Context()); err != nil || !known.IsWhole() || known.Tables == 0 || known.Bytes == 0 {
		t.Fatalf("a whole database: %+v, %v", known, err)
	}
	tables, err := filepath.Glob(filepath.Join(f.dir, "*"+tableSuffix))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	flipByte(t, tables[0], 20_000)
	known, err := s.VerifyFiles(t.Context())
	if err != nil || known.Blocks != 1 {
		t.Fatalf("after the damage: %+v, %v", known, err)
	}
	f.checkListAfterLoss(t, s)
	later := newTestCall("bakery")
	if _, err := s.BookCall(t.Context(), later, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FindCall(t.Context(), "bakery", later.ID); err != nil {
		t.Errorf("a call that was booked after the damage: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, f.dir, OpenOptions{})
	if again.Integrity().Blocks != 1 {
		t.Errorf("after the next opening: %+v", again.Integrity())
	}
	if _, err := again.FindCall(t.Context(), "bakery", later.ID); err != nil {
		t.Errorf("a call that was booked after the damage, after the next opening: %v", err)
	}
	lost := 0
	for id := range maps.Keys(f.calls) {
		if _, err := again.FindCall(t.Context(), "bakery", id); store.CodeOf(err) == store.CodeCorrupt {
			lost++
		} else if err != nil {
			t.Errorf("a call: %v", err)
		}
	}
	t.Logf("%d calls of %d cannot be read", lost, len(f.calls))
}

// TestDamageOnDemand: every table is damaged while the database is open and not verified: the answer is never "not
// found", and lists are marked as incomplete.
func TestDamageOnDemand(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := fillFolder(t, OpenOptions{}, 250)
	random := rand.New(rand.NewPCG(7, 7))
	for range 8 {
		dir := copyFolder(t, f.dir)
		s := openTest(t, dir, OpenOptions{})
		f.checkListAfterLoss(t, s) // undamaged before
		tables, err := filepath.Glob(filepath.Join(dir, "*"+tableSuffix))
		if err != nil || len(tables) == 0 {
			t.Fatal(tables, err)
		}
		info, err := os.Stat(tables[0])
		if err != nil {
			t.Fatal(err)
		}
		flipByte(t, tables[0], random.Int64N(info.Size()*9/10))
		f.checkListAfterLoss(t, s)
		lost := 0
		for id, want := range f.calls {
			got, err := s.FindCall(t.Context(), "bakery", id)
			switch {
			case store.CodeOf(err) == store.CodeCorrupt:
				lost++
			case err != nil || !reflect.DeepEqual(got, want):
				t.Fatalf("a call: %+v, %v", got, err)
			}
		}
		t.Logf("%d calls cannot be read, %d blocks are known to be damaged", lost, s.Integrity().Blocks)
	}
}

// flipByte changes a byte of a file in place, as a failing disk would.
func flipByte(t *testing.T, path string, at int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 1)
	_, err = file.ReadAt(one, at)
	one[0] ^= 0x10
	_, err2 := file.WriteAt(one, at)
	if err := errors.Join(err, err2, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestUnreferencedTablesAreKept: Badger would remove a table that the MANIFEST does not name.
func TestUnreferencedTablesAreKept(t *testing.T) {
	t.Parallel()
	f := fillFolder(t, OpenOptions{}, 20)
	if err := os.WriteFile(filepath.Join(f.dir, tableName(999)), []byte("a table"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, refused := f.checkLoss(t, f.dir, OpenOptions{}); n > 0 || refused {
		t.Error(n, refused)
	}
	if _, err := os.Stat(filepath.Join(f.dir, unreferencedFolder, tableName(999))); err != nil {
		t.Error(err)
	}
}

// awaitFlush waits until Badger has removed the log of a table that it writes after the opening, in the background.
func awaitFlush(t *testing.T, log string) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(log); errors.Is(err, fs.ErrNotExist) {
			return
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%s is still there", log)
		}
	}
}
