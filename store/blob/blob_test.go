package blob_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"munadi/store/blob"
)

const name = "default/call_1.wav"

func openFolder(t testing.TB) (*blob.RecordingFolder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "recordings")
	f, err := blob.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, dir
}

// parseStrictly reads a file as a strict player would: sizes must be exactly right.
func parseStrictly(t testing.TB, file []byte) (left, right []int16) {
	t.Helper()
	if len(file) < 44 || string(file[:4])+string(file[8:16])+string(file[36:40]) != "RIFFWAVEfmt data" {
		t.Fatalf("no WAV file: %q", file[:min(44, len(file))])
	}
	u32, u16 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint16
	if u16(file[20:]) != 1 || u16(file[22:]) != 2 || u32(file[24:]) != 8000 || u32(file[28:]) != 32000 || u16(file[32:]) != 4 || u16(file[34:]) != 16 {
		t.Fatalf("not 16-bit stereo at 8 kHz: % x", file[16:36])
	}
	riff, data := int(u32(file[4:])), int(u32(file[40:]))
	if data%4 != 0 || riff != data+36 || len(file) < 44+data {
		t.Fatalf("the header says %d and %d, the file has %d bytes", riff, data, len(file))
	}
	for i := 44; i < 44+data; i += 4 {
		left, right = append(left, int16(u16(file[i:]))), append(right, int16(u16(file[i+2:])))
	}
	return left, right
}

// markedSamples returns samples whose values encode their position and channel.
func markedSamples(from, n int) (left, right []int16) {
	for i := from; i < from+n; i++ {
		left, right = append(left, int16(i)), append(right, int16(-i-1))
	}
	return left, right
}

// TestSilencedSpans checks that exactly the wanted samples of one channel are silent, also those that were not written
// yet, and that the sum is that of the changed file.
func TestSilencedSpans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		f, dir := openFolder(t)
		r, err := f.CreateRecording(name)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(0, 20000).Draw(rt, "samples")
		left, right := markedSamples(1, n)
		if err := r.AppendFrames(left, right); err != nil {
			t.Fatal(err)
		}
		from := rapid.IntRange(-100, 21000).Draw(rt, "from")
		to := from + rapid.IntRange(-10, 12000).Draw(rt, "length")
		channel := rapid.IntRange(blob.PersonChannel, blob.PlatformChannel).Draw(rt, "channel")
		if err := r.SilenceSpan(channel, int64(from), int64(to)); err != nil {
			t.Fatal(err)
		}
		more, moreRight := markedSamples(n+1, 100)
		if err := errors.Join(r.AppendFrames(more, moreRight), r.Close()); err != nil {
			t.Fatal(err)
		}
		wantLeft, wantRight := markedSamples(1, n+100)
		for i := max(from, 0); i < min(to, n); i++ {
			[][]int16{wantLeft, wantRight}[channel][i] = 0
		}
		gotLeft, gotRight := parseStrictly(t, readAll(t, filepath.Join(dir, name)))
		if !slices.Equal(gotLeft, wantLeft) || !slices.Equal(gotRight, wantRight) {
			rt.Fatalf("%d samples, %d to %d of channel %d", n, from, to, channel)
		}
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum, err := blob.SumRecording(file)
		if got := r.Sum(); err != nil || got == nil || *got != sum {
			rt.Fatalf("the sum is %v, the file's %v, %v", got, sum, err)
		}
		if err := errors.Join(file.Close(), f.RemoveFile(name)); err != nil {
			t.Fatal(err)
		}
	})
}

func readAll(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRecordingIsValidAtEveryMoment reads the file repeatedly while it is written, as after a kill.
func TestRecordingIsValidAtEveryMoment(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	r, err := f.CreateRecording(name)
	if err != nil {
		t.Fatal(err)
	}
	var left, right []int16
	for i := range 12 * 50 { // 12 s
		l, rt := markedSamples(i*160, 160)
		left, right = append(left, l...), append(right, rt...)
		if err := r.AppendFrames(l, rt); err != nil {
			t.Fatal(err)
		}
		if i%7 > 0 {
			continue
		}
		gotL, gotR := parseStrictly(t, readAll(t, filepath.Join(dir, name)))
		if len(gotL) <= len(left)-8000 {
			t.Fatalf("after %d samples only %d are in the file", len(left), len(gotL))
		}
		if !slices.Equal(gotL, left[:len(gotL)]) || !slices.Equal(gotR, right[:len(gotR)]) {
			t.Fatalf("after %d samples the sound is not what was given", len(left))
		}
	}
	if r.FrameCount() != int64(len(left)) {
		t.Errorf("Frames() = %d", r.FrameCount())
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if gotL, gotR := parseStrictly(t, readAll(t, filepath.Join(dir, name))); !slices.Equal(gotL, left) || !slices.Equal(gotR, right) {
		t.Error("the closed file is not what was given")
	}
}

func TestEmptyRecording(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	r, err := f.CreateRecording(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.AppendFrames(nil, []int16{1}); err == nil {
		t.Error("sides of different length are taken")
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := parseStrictly(t, readAll(t, filepath.Join(dir, name))); len(left) != 0 {
		t.Errorf("%d samples out of nothing", len(left))
	}
}

// TestFix repairs files that are truncated anywhere, or longer than their header says.
func TestFix(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	path := filepath.Join(dir, name)
	whole := recordFile(t, f, path, 2*8000+80)
	rapid.Check(t, func(rt *rapid.T) {
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(rt, "bytes")]
		if rapid.Bool().Draw(rt, "header of long ago") && len(cut) > 44 {
			cut = bytes.Clone(cut)
			binary.LittleEndian.PutUint32(cut[4:], 36)
			binary.LittleEndian.PutUint32(cut[40:], 0)
		}
		if err := os.WriteFile(path, cut, 0o600); err != nil {
			rt.Fatal(err)
		}
		if err := f.FixHeader(name); err != nil {
			rt.Fatal(err)
		}
		fixed := readAll(t, path)
		left, right := parseStrictly(t, fixed)
		if want := max(0, len(cut)-44) / 4; len(left) != want || len(fixed) != 44+4*want {
			rt.Fatalf("%d bytes became %d samples, %d bytes", len(cut), len(left), len(fixed))
		}
		wantL, wantR := markedSamples(0, len(left))
		if !slices.Equal(left, wantL) || !slices.Equal(right, wantR) {
			rt.Fatal("the sound has changed")
		}
	})
}

// recordFile writes a complete recording and returns its file.
func recordFile(t *testing.T, f *blob.RecordingFolder, path string, samples int) []byte {
	t.Helper()
	r, err := f.CreateRecording(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.AppendFrames(markedSamples(0, samples)), r.Close()); err != nil {
		t.Fatal(err)
	}
	return readAll(t, path)
}

func TestFixLeavesWhatIsRight(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	path := filepath.Join(dir, name)
	recordFile(t, f, path, 8000)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err = f.FixHeader(name); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Error("it was written again")
	}
	if err := f.FixHeader("default/call_2.wav"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	secret := filepath.Join(filepath.Dir(dir), "secret.wav")
	if err := os.WriteFile(secret, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", "x", "x.wav", "/x.wav", "a/", "a/.wav", "../secret.wav", "a/../../secret.wav", "a/b/c.wav", "a/..wav", "a\\b/c.wav",
		"a/b.wav/", "a/b.mp3", "a/b.wav\x00", "a/.b.wav", "ا/ب.wav", "a b/c.wav", "a/" + strings.Repeat("b", 129) + ".wav",
	} {
		_, created := f.CreateRecording(bad)
		_, opened := f.OpenRecording(t.Context(), bad)
		for _, err := range []error{created, opened, f.RemoveFile(bad), f.FixHeader(bad)} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q: %v", bad, err)
			}
		}
	}
	if org, id, ok := blob.ParseName(blob.RecordingName("my-org", "call_7")); !ok || org != "my-org" || id != "call_7" {
		t.Errorf("the parts are %q, %q, %t", org, id, ok)
	}
	if _, err := os.Stat(secret); err != nil {
		t.Error(err)
	}
}

// TestLinksLeadNowhere: a symbolic link in the folder does not lead out of it.
func TestLinksLeadNowhere(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "call_1.wav"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "default")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.OpenRecording(t.Context(), name); err == nil {
		t.Error("it was opened")
	}
	if _, err := f.CreateRecording("default/call_2.wav"); err == nil {
		t.Error("it was created")
	}
	if err := f.RemoveFile(name); err == nil {
		t.Error("it was removed")
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	f, dir := openFolder(t)
	recordFile(t, f, filepath.Join(dir, name), 1)
	if _, err := f.CreateRecording(name); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one of the name: %v", err)
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "default"): 0o700, filepath.Join(dir, name): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v (%v)", path, info.Mode(), err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "default", "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var names []string
	for n, err := range f.ListNames(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, n)
	}
	if !slices.Equal(names, []string{name}) {
		t.Errorf("the recordings are %q", names)
	}
	file, err := f.OpenRecording(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	for range 2 {
		if err := f.RemoveFile(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.OpenRecording(t.Context(), name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after removal: %v", err)
	}
}
