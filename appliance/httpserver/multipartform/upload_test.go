package multipartform_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"munadi/appliance/httpserver/multipartform"
)

func fileOf(n int) string {
	return strings.Replace(filePart, "RIFF", strings.Repeat("a", n), 1) + closing
}

// TestUploadIsSpooled checks that content of any size can be read twice, and that no file is left.
func TestUploadIsSpooled(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 1 << 20, 1<<20 + 1} {
		dir := t.TempDir()
		var dst sampleForm
		mustDecode(t, multipartform.FormDecoder{Dir: dir}.DecodeForm(postForm("multipart/form-data; boundary=b", strings.NewReader(fileOf(size))), &dst))
		for range 2 {
			r, err := dst.File.Open()
			mustDecode(t, err)
			data, err := io.ReadAll(r)
			mustDecode(t, err)
			if len(data) != size || dst.File.Size != int64(size) || len(bytes.Trim(data, "a")) > 0 {
				t.Errorf("wrote %d bytes, read %d, Size says %d", size, len(data), dst.File.Size)
			}
		}
		emptyForm(t, dir)
		mustDecode(t, dst.File.Close())
		mustDecode(t, dst.File.Close())
	}
}

// TestUploadFolderIsMadeAnew: a cache folder that was removed while the program runs costs no upload.
func TestUploadFolderIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache", "uploads")
	var dst sampleForm
	mustDecode(t, multipartform.FormDecoder{Dir: dir}.DecodeForm(postForm("multipart/form-data; boundary=b", strings.NewReader(fileOf(2<<20))), &dst))
	mustDecode(t, dst.File.Close())
	emptyForm(t, dir)
}

// TestManySlowUploads: of uploads that arrive slowly, so many are held in memory; the next ones are spooled at once.
func TestManySlowUploads(t *testing.T) {
	t.Parallel()
	send := func(body io.Reader) *multipartform.UploadedFile {
		var dst sampleForm
		mustDecode(t, multipartform.FormDecoder{Dir: t.TempDir()}.DecodeForm(postForm("multipart/form-data; boundary=b", body), &dst))
		return dst.File
	}
	inMemory := func() bool {
		file := send(strings.NewReader(fileOf(1000)))
		defer func() { mustDecode(t, file.Close()) }()
		r, err := file.Open()
		mustDecode(t, err)
		_, memory := r.(*bytes.Reader)
		return memory
	}
	var slow sync.WaitGroup
	var ends []func() error
	for range 256 {
		body, w := io.Pipe()
		slow.Go(func() { _ = send(body).Close() })
		for _, piece := range []string{fileOf(1000)[:400], fileOf(1000)[400:500]} { // the second is read as the file's
			_, err := io.WriteString(w, piece)
			mustDecode(t, err)
		}
		ends = append(ends, func() error {
			_, err := io.WriteString(w, fileOf(1000)[500:])
			return errors.Join(err, w.Close())
		})
	}
	if inMemory() {
		t.Error("the 257th upload is held in memory, too")
	}
	for _, end := range ends {
		mustDecode(t, end())
	}
	slow.Wait()
}

func emptyForm(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	mustDecode(t, err)
	if len(entries) > 0 {
		t.Errorf("%s still holds %v", dir, entries)
	}
}

func TestNamedUploadMoves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var dst sampleForm
	mustDecode(t, multipartform.FormDecoder{Dir: dir, Named: true}.DecodeForm(postForm("multipart/form-data; boundary=b", strings.NewReader(fileOf(5))), &dst))
	path := filepath.Join(dir, "kept")
	mustDecode(t, dst.File.MoveTo(path))
	data, err := os.ReadFile(path)
	mustDecode(t, err)
	if string(data) != "aaaaa" {
		t.Errorf("kept %q", data)
	}
	mustDecode(t, os.Remove(path))
	emptyForm(t, dir)
}

// TestRefusedUploadsLeaveNothing checks that size limits, invalid fields and broken connections leave no file.
func TestRefusedUploadsLeaveNothing(t *testing.T) {
	t.Parallel()
	gone := errors.New("connection reset")
	cases := []struct {
		name string
		body io.Reader
		want error
	}{
		{"one byte too many", strings.NewReader(fileOf(1<<20 + 1)), multipartform.ErrTooLarge},
		{"endless preamble", io.LimitReader(zeroReader{}, 4<<20), multipartform.ErrTooLarge},
		{"broken connection", io.MultiReader(strings.NewReader(fileOf(100)[:120]), iotest.ErrReader(gone)), multipartform.ErrBroken},
		{"invalid field", strings.NewReader(strings.Replace(modelPart, "svc", "x", 1) + fileOf(9)), multipartform.ValidationError{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var dst sampleForm
			err := multipartform.FormDecoder{Dir: dir, MaxFile: 1 << 20, Named: true}.DecodeForm(postForm("multipart/form-data; boundary=b", c.body), &dst)
			var bad multipartform.ValidationError
			if errors.As(c.want, &bad) != errors.As(err, &bad) || (bad == nil && !errors.Is(err, c.want)) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			emptyForm(t, dir)
		})
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { return len(p), nil }

// TestAnnouncedLengthIsChecked checks that a body whose announced length is too large is refused before it is read.
func TestAnnouncedLengthIsChecked(t *testing.T) {
	t.Parallel()
	r := postForm("multipart/form-data; boundary=b", iotest.ErrReader(errors.New("must not be read")))
	r.ContentLength = 3 << 20
	if err := (multipartform.FormDecoder{MaxFile: 1 << 20}).DecodeForm(r, &sampleForm{}); !errors.Is(err, multipartform.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
