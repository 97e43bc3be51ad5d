package engine

import (
	"bytes"
	"compress/zlib"
	"math"
	"runtime"
	"strings"
	"testing"
)

// The compressor is reused: the ratio of a text does not depend on those before it, and its tables are not allocated
// again.
func TestCompressionRatioReusesItsCompressor(t *testing.T) {
	texts := []string{"لا", strings.Repeat("نعم ", 40), "حجم كبير", "", strings.Repeat("ا", 3000), "أريد أن أسمع العروض من فضلك"}
	for range 3 {
		for _, text := range texts {
			want := 0.0
			if text != "" {
				var b bytes.Buffer
				w := zlib.NewWriter(&b)
				_, _ = w.Write([]byte(text))
				_ = w.Close()
				want = math.Round(float64(len(text))/float64(b.Len())*100) / 100
			}
			if got := compressionRatio(text); got != want {
				t.Errorf("%d bytes: %v, want %v", len(text), got, want)
			}
		}
	}
	if got := compressionRatio(texts[1]); got < 5 {
		t.Errorf("a repeated word has the ratio %v", got)
	}
	var before, after runtime.MemStats
	const calls = 100
	runtime.ReadMemStats(&before)
	for range calls {
		compressionRatio(texts[2])
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / calls; each > 400<<10 { // a pool of the race detector drops some
		t.Errorf("%d bytes are allocated for each text", each)
	}
}
