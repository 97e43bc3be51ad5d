package blob_test

import (
	"reflect"
	"slices"
	"testing"

	"munadi/store/blob"
)

// TestWaveform: a recording's waveform has its length and the peaks of both channels, and survives being stored.
func TestWaveform(t *testing.T) {
	t.Parallel()
	f, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // the test ends
	r, err := f.CreateRecording("a/1.wav")
	if err != nil {
		t.Fatal(err)
	}
	left, right := make([]int16, 2*blob.Rate), make([]int16, 2*blob.Rate)
	left[0], right[len(right)-1] = 16384, -32768
	if err := r.AppendFrames(left, right); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := f.ReadWaveform(t.Context(), "a/1.wav")
	if err != nil {
		t.Fatal(err)
	}
	if w.Seconds != 2 || len(w.Left) == 0 || len(w.Left) != len(w.Right) || w.Left[0] != 50 ||
		w.Right[len(w.Right)-1] != 100 || slices.Max(w.Left[1:]) != 0 {
		t.Errorf("the waveform is %+v", w)
	}
	content, err := blob.EncodeWaveform(w)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := blob.DecodeWaveform(content); err != nil || !reflect.DeepEqual(again, w) {
		t.Errorf("read back it is %+v, %v", again, err)
	}
	for _, bad := range []string{``, `[]`, `{"left":[1],"right":[]}`, `{"left":[101],"right":[1]}`, `{"seconds":-1}`} {
		if _, err := blob.DecodeWaveform([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzDecodeWaveform(f *testing.F) {
	f.Add([]byte(`{"seconds":2.5,"left":[1,100],"right":[0,7]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		w, err := blob.DecodeWaveform(content)
		if err == nil && (len(w.Left) != len(w.Right) || len(w.Left) > 240 || w.Seconds < 0) {
			t.Errorf("%+v is taken", w)
		}
	})
}
