package blob_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"munadi/store/blob"
	"munadi/store/call"
)

// countedFile counts the bytes that are read of a recording.
type countedFile struct {
	*os.File
	read int
}

func (f *countedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.read += n
	return n, err
}

// WriteTo must not go past Read.
func (f *countedFile) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{f}) }

// TestEveryDamageOfARecordingIsFound changes a recording after it was closed; a verified file is read once, until it
// changes.
func TestEveryDamageOfARecordingIsFound(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	w, err := f.CreateRecording(name)
	if err != nil {
		t.Fatal(err)
	}
	left, right := markedSamples(0, 20_000)
	if err := errors.Join(w.AppendFrames(left, right), w.Close()); err != nil {
		t.Fatal(err)
	}
	sum, path, verifier := *w.Sum(), filepath.Join(dir, name), blob.RecordingVerifier{}
	verify := func() (read int, err error) {
		t.Helper()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		counted := &countedFile{File: file}
		if err := verifier.VerifyRecording(counted, name, sum); err != nil {
			return counted.read, err
		}
		read = counted.read
		if b, err := io.ReadAll(counted); err != nil || len(b) != 44+4*20_000 {
			t.Errorf("a verified file is read from byte %d on, %v", 44+4*20_000-len(b), err)
		}
		return read, nil
	}
	if n, err := verify(); err != nil || n != 44+4*20_000 {
		t.Errorf("the first time %d bytes were read, %v", n, err)
	}
	if n, err := verify(); err != nil || n != 0 {
		t.Errorf("the second time %d bytes were read, %v", n, err)
	}
	whole := readAll(t, path)
	for what, content := range map[string][]byte{
		"a bit of the sound": append(append([]byte{}, whole[:3000]...), append([]byte{whole[3000] ^ 1}, whole[3001:]...)...),
		"a bit of the rate":  append(append([]byte{}, whole[:24]...), append([]byte{whole[24] ^ 1}, whole[25:]...)...),
		"cut":                whole[:len(whole)-4],
		"longer":             append(append([]byte{}, whole...), 0, 0, 0, 0),
		"empty":              {},
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil { // in place: the inode stays
			t.Fatal(err)
		}
		if _, err := verify(); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(); err != nil {
		t.Errorf("restored: %v", err)
	}
	sum = call.RecordingSum{Size: sum.Size, SHA256: "00"}
	if _, err := verify(); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("the sum of another recording: %v", err)
	}
}
