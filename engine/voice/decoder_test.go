package voice_test

import (
	"math"
	"testing"
)

// TestPartsAreTheWhole checks that a sentence in parts has the samples of the whole, its first part early.
func TestPartsAreTheWhole(t *testing.T) {
	v := openTiny(t)
	v.Noise, v.NoiseW, v.Length = 0, 0, 4
	ids, _ := v.EncodePhonemes("mˈarħabaː bikˌum, mˈawʕidukum ʁˈadan ʔassˈaːʕa ʔalχˈaːmisa.")
	whole, err := v.Synthesize(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var joined []float32
	parts := 0
	err = v.SynthesizeParts(t.Context(), ids, func(part []float32, total int) error {
		if parts++; parts == 1 && len(part) > len(whole)/3 || total != len(whole) {
			t.Errorf("the first part has %d samples of %d, foretold as %d", len(part), len(whole), total)
		}
		joined = append(joined, part...)
		return nil
	})
	if err != nil || parts < 3 || len(joined) != len(whole) {
		t.Fatalf("%d samples in %d parts, want %d; %v", len(joined), parts, len(whole), err)
	}
	for i, want := range whole {
		if math.Abs(float64(joined[i]-want)) > 1e-5 {
			t.Fatalf("sample %d is %g, want %g", i, joined[i], want)
		}
	}
}
