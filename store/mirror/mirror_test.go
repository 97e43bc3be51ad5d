package mirror_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"munadi/store"
	"munadi/store/bucket"
	"munadi/store/bucket/buckettest"
	"munadi/store/mirror"
)

// mirrorSide is an appliance's folder.
type mirrorSide struct {
	t *testing.T
	*mirror.FolderMirror
	announced int
}

func newSide(t *testing.T, b bucket.ObjectBucket) *mirrorSide {
	s := &mirrorSide{t: t}
	s.FolderMirror = mirror.NewMirror(mirror.Options{
		Dir: filepath.Join(t.TempDir(), "prompts"), Bucket: b, Prefix: "prompts/",
		Announce: func() { s.announced++ }, Warn: func(string) {}, Log: slog.New(slog.DiscardHandler),
	})
	return s
}

func (s *mirrorSide) compareWith() {
	s.t.Helper()
	if _, err := s.CompareSides(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// writeSettled writes a file with an older modification time, so that it counts as complete.
func (s *mirrorSide) writeSettled(name, content string, ago time.Duration) {
	s.t.Helper()
	path := filepath.Join(s.Dir, filepath.FromSlash(name))
	at := time.Now().Add(-ago)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600),
		os.Chtimes(path, at, at)); err != nil {
		s.t.Fatal(err)
	}
}

// wantContent compares a file's content; empty: the file must not exist.
func (s *mirrorSide) wantContent(name, content string) {
	s.t.Helper()
	got, err := os.ReadFile(filepath.Join(s.Dir, filepath.FromSlash(name)))
	if string(got) != content || content == "" && !errors.Is(err, fs.ErrNotExist) {
		s.t.Errorf("%s is %q, %v, want %q", name, got, err, content)
	}
}

// mirrorFiles tests the behaviour of a mirror on a bucket.
func mirrorFiles(t *testing.T, b bucket.ObjectBucket) {
	t.Helper()
	one, two := newSide(t, b), newSide(t, b)
	one.writeSettled("default/hello.wav", "أهلاً", time.Minute)
	one.writeSettled("default/.hidden", "x", time.Minute)
	one.writeSettled("default/fresh.wav", "half", 0) // counts as incomplete, regardless of the bucket's response time
	one.compareWith()
	two.compareWith()
	two.wantContent("default/hello.wav", "أهلاً")
	two.wantContent("default/.hidden", "")
	two.wantContent("default/fresh.wav", "")
	if err := os.Remove(filepath.Join(one.Dir, "default", "fresh.wav")); err != nil {
		t.Fatal(err)
	}
	if one.announced != 1 || two.announced != 0 {
		t.Errorf("announced %d and %d times", one.announced, two.announced)
	}
	one.compareWith()
	two.compareWith()
	if one.announced != 1 || two.announced != 0 {
		t.Error("nothing has changed, and it was announced")
	}
	two.writeSettled("default/hello.wav", "أهلاً وسهلاً", 30*time.Second)
	two.compareWith()
	one.compareWith()
	one.wantContent("default/hello.wav", "أهلاً وسهلاً")

	if err := os.Remove(filepath.Join(one.Dir, "default", "hello.wav")); err != nil { // removed by an operator
		t.Fatal(err)
	}
	one.compareWith()
	two.compareWith()
	two.wantContent("default/hello.wav", "")

	one.writeSettled("a/1.wav", "one", time.Minute)
	one.compareWith()
	two.compareWith()
	if err := os.RemoveAll(one.Dir); err != nil { // lost, with the last seen state
		t.Fatal(err)
	}
	one.compareWith()
	one.wantContent("a/1.wav", "one")
	two.compareWith()
	two.wantContent("a/1.wav", "one")

	one.writeSettled("a/2.wav", "older", time.Hour)
	one.compareWith()
	two.writeSettled("a/2.wav", "newer", -time.Hour)
	two.compareWith()
	one.compareWith()
	one.wantContent("a/2.wav", "newer")
}

func TestFolder(t *testing.T) {
	t.Parallel()
	mirrorFiles(t, newFolderBucket(t))
}

func newFolderBucket(t *testing.T) bucket.ObjectBucket {
	t.Helper()
	b, err := bucket.OpenBucket(filepath.Join(t.TempDir(), "bucket"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestS3(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts an S3 server")
	}
	if buckettest.FindServer() == "" {
		t.Skip("the S3 server (SeaweedFS) is not installed")
	}
	s, err := buckettest.StartServer()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.MakeBucket(t.Context(), "prompts"); err != nil {
		t.Fatal(err)
	}
	b, err := bucket.OpenBucket(s.URL("prompts", "clinic"), buckettest.LookupKeys(buckettest.KeyID, buckettest.KeySecret))
	if err != nil {
		t.Fatal(err)
	}
	mirrorFiles(t, b)
}

// TestHostileNames: objects whose names lead out of the folder, or are hidden, are not written.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	marked := newFolderBucket(t)
	newSide(t, marked).compareWith()
	s := newSide(t, hostileBucket{marked})
	s.compareWith()
	entries, err := os.ReadDir(s.Dir)
	if err != nil || len(entries) != 1 { // .shared.json
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "..", "x.wav")); err == nil {
		t.Error("a file was written outside of the folder")
	}
}

// hostileBucket lists objects that must not be fetched: it opens only the mark.
type hostileBucket struct{ bucket.ObjectBucket }

func (b hostileBucket) OpenObject(ctx context.Context, name string) (bucket.OpenedObject, error) {
	if name != "prompts.mirror" {
		panic(name + " was fetched")
	}
	return b.ObjectBucket.OpenObject(ctx, name)
}

func (hostileBucket) ListObjects(context.Context, string) iter.Seq2[bucket.ObjectInfo, error] {
	return func(yield func(bucket.ObjectInfo, error) bool) {
		for _, name := range []string{"../x.wav", ".shared.json", "a/../../x.wav", "/x", "a/.b/c", "a/b/c/d", "a\\b", "", "big"} {
			size := int64(1)
			if name == "big" {
				size = 1 << 40
			}
			if !yield(bucket.ObjectInfo{Name: "prompts/" + name, Size: size}, nil) {
				return
			}
		}
	}
}

// TestAway: an unreachable bucket causes no removals in the folder.
func TestAway(t *testing.T) {
	t.Parallel()
	s := newSide(t, awayBucket{newFolderBucket(t)})
	s.writeSettled("a/1.wav", "one", time.Minute)
	if _, err := s.CompareSides(t.Context()); store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	s.wantContent("a/1.wav", "one")
}

// TestEmptiedMeanwhile: a bucket that is emptied between its mark and its list causes no removals in the folder.
func TestEmptiedMeanwhile(t *testing.T) {
	t.Parallel()
	emptied := &emptiedBucket{ObjectBucket: newFolderBucket(t)}
	s := newSide(t, emptied)
	s.writeSettled("a/1.wav", "one", time.Minute)
	s.compareWith()
	emptied.empties = true
	if _, err := s.CompareSides(t.Context()); store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("the error is %v", err)
	}
	s.wantContent("a/1.wav", "one")
	emptied.empties = false
	s.compareWith()
	if _, err := emptied.OpenObject(t.Context(), "prompts/a/1.wav"); err != nil {
		t.Errorf("the file was not uploaded again: %v", err)
	}
}

// TestEmptiedAndMarkedAnew: in a bucket that was emptied and marked anew by another appliance, no missing file counts as
// removed: it is uploaded again, once.
func TestEmptiedAndMarkedAnew(t *testing.T) {
	t.Parallel()
	b := newFolderBucket(t)
	one, two := newSide(t, b), newSide(t, b)
	one.writeSettled("a/1.wav", "one", time.Minute)
	one.compareWith()
	two.compareWith()
	emptyBucket(t, b)
	newSide(t, b).compareWith() // marks it
	for range 3 {
		one.compareWith()
		two.compareWith()
	}
	for _, side := range []*mirrorSide{one, two} {
		side.wantContent("a/1.wav", "one")
	}
	if one.announced != 2 || two.announced != 0 {
		t.Errorf("uploads were announced %d and %d times, want 2 and 0", one.announced, two.announced)
	}
	three := newSide(t, b)
	three.compareWith()
	three.wantContent("a/1.wav", "one")
}

// TestMarkOfOlderVersion: with the mark and the state of an older version, which have no id, nothing is uploaded or
// removed, and the removals by others are still followed. A bucket that was marked anew by this version is another one.
func TestMarkOfOlderVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		anew, removed bool // the bucket was emptied and marked anew; another appliance removed a file
		want          string
	}{
		{"unchanged", false, false, "one"},
		{"removed by another", false, true, ""},
		{"marked anew", true, true, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newFolderBucket(t)
			s := newSide(t, b)
			s.writeSettled("a/1.wav", "one", time.Minute)
			s.writeSettled("a/2.wav", "two", time.Minute)
			if err := bucket.PutBytes(t.Context(), b, "prompts.mirror", []byte("prompts.mirror")); err != nil {
				t.Fatal(err)
			}
			s.compareWith()
			forgetID(t, filepath.Join(s.Dir, ".shared.json"))
			if c.anew {
				emptyBucket(t, b)
				newSide(t, b).compareWith()
			} else if c.removed {
				if err := b.RemoveObject(t.Context(), "prompts/a/1.wav"); err != nil {
					t.Fatal(err)
				}
			}
			s.announced = 0
			for range 3 {
				s.compareWith()
			}
			s.wantContent("a/1.wav", c.want)
			s.wantContent("a/2.wav", "two")
			if want := map[bool]int{true: 1}[c.anew]; s.announced != want {
				t.Errorf("changes were announced %d times, want %d", s.announced, want)
			}
		})
	}
}

// forgetID rewrites a last seen state as an older version does.
func forgetID(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	var state map[string]json.RawMessage
	if err = errors.Join(err, json.Unmarshal(content, &state)); err == nil {
		err = os.WriteFile(path, state[".files"], 0o600)
	}
	if err != nil || len(state[".files"]) < 100 {
		t.Fatalf("%s, %v", content, err)
	}
}

// emptyBucket removes all objects of a bucket.
func emptyBucket(t *testing.T, b bucket.ObjectBucket) {
	t.Helper()
	for o, err := range b.ListObjects(t.Context(), "") {
		if err = errors.Join(err, b.RemoveObject(t.Context(), o.Name)); err != nil {
			t.Fatal(err)
		}
	}
}

// emptiedBucket is emptied before it is listed.
type emptiedBucket struct {
	bucket.ObjectBucket
	empties bool
}

func (b *emptiedBucket) ListObjects(ctx context.Context, prefix string) iter.Seq2[bucket.ObjectInfo, error] {
	if b.empties {
		for o, err := range b.ObjectBucket.ListObjects(ctx, "") {
			if err == nil {
				_ = b.RemoveObject(ctx, o.Name)
			}
		}
	}
	return b.ObjectBucket.ListObjects(ctx, prefix)
}

// awayBucket is an unreachable bucket.
type awayBucket struct{ bucket.ObjectBucket }

func (awayBucket) ListObjects(context.Context, string) iter.Seq2[bucket.ObjectInfo, error] {
	return func(yield func(bucket.ObjectInfo, error) bool) {
		yield(bucket.ObjectInfo{}, store.Errorf(store.CodeUnavailable, "the bucket does not answer"))
	}
}

// TestChangeIsNoticed: a change of the folder is compared within seconds, without a notification; an unchanged folder
// is not compared.
func TestChangeIsNoticed(t *testing.T) {
	t.Parallel()
	b := newFolderBucket(t)
	synctest.Test(t, func(t *testing.T) {
		side := newSide(t, b)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go func() { _ = side.Run(ctx) }()
		wait := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		wait(time.Second)
		before := side.CurrentStatus().Seen
		if wait(20 * time.Second); side.CurrentStatus().Seen != before {
			t.Error("a folder that did not change was compared")
		}
		side.writeSettled("a/1.wav", "one", time.Hour)
		if wait(5 * time.Second); side.CurrentStatus().Files != 1 {
			t.Error("a file that was added is not in the bucket after 5 s")
		}
		if err := os.Remove(filepath.Join(side.Dir, "a", "1.wav")); err != nil {
			t.Fatal(err)
		}
		if wait(5 * time.Second); side.announced != 2 {
			t.Errorf("%d changes were announced, want 2", side.announced)
		}
		wait(time.Minute)
		if n := side.CurrentStatus().Files; n != 0 {
			t.Errorf("%d files are in the bucket after the removal", n)
		}
	})
}

// TestSlowBucket: a file that is still being written is not shared, regardless of the bucket's response time.
func TestSlowBucket(t *testing.T) {
	t.Parallel()
	b := newFolderBucket(t)
	synctest.Test(t, func(t *testing.T) {
		side := newSide(t, slowBucket{b})
		side.writeSettled("a/1.wav", "half", 0)
		for range 2 { // the second comparison begins after the file has settled
			if side.announced != 0 {
				t.Error("a file that was still being written was shared")
			}
			side.compareWith()
		}
		if side.announced != 1 {
			t.Errorf("%d changes were announced, want 1", side.announced)
		}
	})
}

// slowBucket takes five seconds to list its objects.
type slowBucket struct{ bucket.ObjectBucket }

func (b slowBucket) ListObjects(ctx context.Context, prefix string) iter.Seq2[bucket.ObjectInfo, error] {
	time.Sleep(5 * time.Second)
	return b.ObjectBucket.ListObjects(ctx, prefix)
}
