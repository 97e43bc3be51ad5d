package bucket_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"munadi/store"
	"munadi/store/bucket"
)

// runSuite tests the contract of a bucket on an empty one.
func runSuite(t *testing.T, b bucket.ObjectBucket) {
	t.Helper()
	for _, c := range []struct {
		name string
		run  func(*testing.T, bucket.ObjectBucket)
	}{
		{"stored objects are read back", readsBack},
		{"parts are read", readsParts},
		{"objects are listed by prefix", checkLists},
		{"objects move", checkMoves},
		{"missing objects", missesObjects},
		{"marks", checkMarks},
		{"access", checksAccess},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, b) })
	}
}

func putObject(t *testing.T, b bucket.ObjectBucket, name string, content []byte) {
	t.Helper()
	if err := b.PutObject(t.Context(), name, bytes.NewReader(content), int64(len(content))); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func readObject(t *testing.T, b bucket.ObjectBucket, name string) []byte {
	t.Helper()
	o, err := b.OpenObject(t.Context(), name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	content, err := io.ReadAll(o)
	if err = errors.Join(err, o.Close()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return content
}

// patternBytes returns content whose parts all differ.
func patternBytes(size int) []byte {
	content := make([]byte, size)
	for i := range content {
		content[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return content
}

func readsBack(t *testing.T, b bucket.ObjectBucket) {
	for _, size := range []int{0, 1, 4096, 9 << 20} {
		content := patternBytes(size)
		putObject(t, b, "back/a-1_b.wav", content) // replaces the previous one
		if got := readObject(t, b, "back/a-1_b.wav"); !bytes.Equal(got, content) {
			t.Errorf("%d bytes came back as %d others", size, len(got))
		}
	}
	putObject(t, b, "back/قائمة الطعام.json", []byte("{}"))
	if got := readObject(t, b, "back/قائمة الطعام.json"); string(got) != "{}" {
		t.Errorf("an Arabic name: %q", got)
	}
}

func readsParts(t *testing.T, b bucket.ObjectBucket) {
	content := patternBytes(300_000)
	putObject(t, b, "parts/x", content)
	o, err := b.OpenObject(t.Context(), "parts/x")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	info, err := o.Stat()
	if err != nil || info.Size() != int64(len(content)) || info.ModTime().IsZero() {
		t.Errorf("its size is %d, its time %v, %v", info.Size(), info.ModTime(), err)
	}
	for _, at := range []int64{200_000, 0, 299_999, 7} {
		part := make([]byte, min(1000, int64(len(content))-at))
		if _, err := o.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(o, part); err != nil || !bytes.Equal(part, content[at:at+int64(len(part))]) {
			t.Errorf("from %d on it is not what was stored: %v", at, err)
		}
	}
	if end, err := o.Seek(0, io.SeekEnd); err != nil || end != int64(len(content)) {
		t.Errorf("the end is at %d, %v", end, err)
	}
	if n, err := o.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("beyond the end: %d, %v", n, err)
	}
}

func objectNames(t *testing.T, b bucket.ObjectBucket, prefix string) (all []string) {
	t.Helper()
	for o, err := range b.ListObjects(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o.Name)
	}
	slices.Sort(all)
	return all
}

func checkLists(t *testing.T, b bucket.ObjectBucket) {
	for _, name := range []string{"list/a/1.wav", "list/a/2.wav", "list/b/1.wav", "lists/c.wav"} {
		putObject(t, b, name, []byte(name))
	}
	for prefix, want := range map[string]string{
		"list/":   "list/a/1.wav list/a/2.wav list/b/1.wav",
		"list/a/": "list/a/1.wav list/a/2.wav",
		"none/":   "",
	} {
		if got := strings.Join(objectNames(t, b, prefix), " "); got != want {
			t.Errorf("%q lists %s, want %s", prefix, got, want)
		}
	}
	for o, err := range b.ListObjects(t.Context(), "list/b/") {
		if err != nil || o.Size != int64(len(o.Name)) || o.Modified.IsZero() {
			t.Errorf("listed as %+v, %v", o, err)
		}
	}
	for _, err := range b.ListObjects(t.Context(), "list/") {
		if err != nil {
			t.Error(err)
		}
		break // the rest is not listed
	}
}

func checkMoves(t *testing.T, b bucket.ObjectBucket) {
	putObject(t, b, "move/from", []byte("x"))
	if err := b.MoveObject(t.Context(), "move/from", "move/deep/er/to"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(objectNames(t, b, "move/"), " "); got != "move/deep/er/to" {
		t.Errorf("after the move there are %s", got)
	}
	if err := b.MoveObject(t.Context(), "move/from", "move/to"); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("a missing object was moved: %v", err)
	}
}

func missesObjects(t *testing.T, b bucket.ObjectBucket) {
	_, err := b.OpenObject(t.Context(), "missing/x")
	if store.CodeOf(err) != store.CodeNotFound || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing object opens as %v", err)
	}
	putObject(t, b, "missing/y", []byte("y"))
	for range 2 {
		if err := b.RemoveObject(t.Context(), "missing/y"); err != nil {
			t.Error(err)
		}
	}
	if left := objectNames(t, b, "missing/"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func checkMarks(t *testing.T, b bucket.ObjectBucket) {
	if id, marked, err := bucket.ReadMark(t.Context(), b); id != "" || marked || err != nil {
		t.Errorf("a new bucket is marked %q, %t, %v", id, marked, err)
	}
	if err := bucket.WriteMark(t.Context(), b, "an-installation"); err != nil {
		t.Fatal(err)
	}
	if id, marked, err := bucket.ReadMark(t.Context(), b); id != "an-installation" || !marked || err != nil {
		t.Errorf("it is marked %q, %t, %v", id, marked, err)
	}
	forgot := 0
	ensure := func(known string) string {
		t.Helper()
		id, err := bucket.EnsureMark(t.Context(), b, "part.mark", known, func() error { forgot++; return nil })
		if err == nil {
			err = bucket.CheckMark(t.Context(), b, "part.mark", id)
		}
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := ensure("")
	if ensure(first) != first || forgot != 1 {
		t.Errorf("a part that is known was forgotten: %d", forgot)
	}
	if err := b.RemoveObject(t.Context(), "part.mark"); err != nil {
		t.Fatal(err)
	}
	if err := bucket.CheckMark(t.Context(), b, "part.mark", first); store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("without its mark: %v", err)
	}
	second := ensure("")
	if err := bucket.CheckMark(t.Context(), b, "part.mark", first); store.CodeOf(err) != store.CodeUnavailable || second == first {
		t.Errorf("marked anew: %v", err)
	}
	if ensure(first) != second || forgot != 3 {
		t.Errorf("a part that was marked anew was forgotten %d times, want 3", forgot)
	}
}

func checksAccess(t *testing.T, b bucket.ObjectBucket) {
	ahead, err := bucket.CheckAccess(t.Context(), b)
	if err != nil || ahead.Abs().Seconds() > 5 {
		t.Errorf("access: %v, %v", ahead, err)
	}
	if left := objectNames(t, b, ".munadi"); len(left) > 0 {
		t.Errorf("the check left %v", left)
	}
}
