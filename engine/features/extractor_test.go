package features_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"munadi/engine/features"
)

const golden = "../../../shared/reference" // beside the project

// TestExtractIsNeMos compares with NeMo's features. Most of the difference is rounding in NeMo's float32.
func TestExtractIsNeMos(t *testing.T) {
	t.Parallel()
	cases := []struct{ wav, mel string }{
		{"testdata/g00.wav", "testdata/g00.mel.npy"},
		{"testdata/g16.wav", "testdata/g16.mel.npy"},
		{golden + "/wav/g28.wav", golden + "/golden/g28.mel.npy"},
	}
	for _, c := range cases {
		t.Run(filepath.Base(c.wav), func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(c.wav); err != nil {
				t.Skip("the reference beside the project is not there: ", err)
			}
			want, shape := readNPY(t, c.mel)
			for _, workers := range []int{0, 3} {
				e := features.NewDefaultExtractor(80)
				e.Workers = workers
				got, valid := e.ExtractMel(nil, readWAV(t, c.wav))
				if shape[0] != 80 || shape[1] != valid+1 || len(got) != len(want) {
					t.Fatalf("got [80, %d], want %v", valid+1, shape)
				}
				worst := greatestDifference(got, want)
				t.Logf("workers %d: largest difference %.2g", workers, worst)
				if worst > 1.5e-4 {
					t.Errorf("workers %d: largest difference %g", workers, worst)
				}
			}
		})
	}
}

func TestExtractShortClips(t *testing.T) {
	t.Parallel()
	e := features.NewDefaultExtractor(80)
	cases := []struct{ samples, valid int }{{0, 0}, {1, 0}, {159, 0}, {160, 1}, {319, 1}, {320, 2}, {400, 2}, {560, 3}}
	for _, c := range cases {
		x := make([]float32, c.samples)
		for i := range x {
			x[i] = float32(i%7) / 7
		}
		mel, valid := e.ExtractMel(nil, x)
		if valid != c.valid || valid != features.FrameCount(c.samples) || len(mel) != 80*(valid+1) {
			t.Fatalf("%d samples: length %d, %d values; want length %d", c.samples, valid, len(mel), c.valid)
		}
		for i, v := range mel {
			if v != v || (valid == 1 || i%(valid+1) == valid) && v != 0 {
				t.Fatalf("%d samples: value %d is %v", c.samples, i, v)
			}
		}
	}
}

func TestExtractIsFinite(t *testing.T) {
	t.Parallel()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32} {
		x := noiseSamples(rand.New(rand.NewPCG(9, 9)), 3200)
		x[1234], x[1500] = float32(bad), float32(bad)
		mel, _ := features.NewDefaultExtractor(80).ExtractMel(nil, x)
		for i, v := range mel {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("two samples %v: value %d is %v", bad, i, v)
			}
		}
	}
}

// TestExtractRows checks the mean and variance of normalized rows, for another number of filters.
func TestExtractRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	mel, valid := features.NewDefaultExtractor(40).ExtractMel(nil, noiseSamples(rng, 16000))
	for f := range 40 {
		var sum, squares float64
		for _, v := range mel[f*(valid+1):][:valid] {
			sum += float64(v)
			squares += float64(v) * float64(v)
		}
		if math.Abs(sum)/float64(valid) > 1e-5 || math.Abs(squares/float64(valid-1)-1) > 1e-3 {
			t.Errorf("row %d: mean %g, variance %g", f, sum/float64(valid), squares/float64(valid-1))
		}
	}
}

func TestExtractReusesDst(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	e := features.NewDefaultExtractor(80)
	dst := noiseSamples(rng, 80*200)
	x := noiseSamples(rng, 8000)
	fresh, _ := e.ExtractMel(nil, x)
	reused, _ := e.ExtractMel(dst[:5], x)
	if &reused[0] != &dst[0] || greatestDifference(fresh, reused) != 0 {
		t.Error("a dst of enough capacity was not used, or changed the result")
	}
}

// TestExtractAllWorkersAgree also checks that no frame is missing between the workers' ranges.
func TestExtractAllWorkersAgree(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	x := noiseSamples(rng, 16000*5+77)
	one, _ := features.NewDefaultExtractor(80).ExtractMel(nil, x)
	for workers := 2; workers < 8; workers++ {
		e := features.NewDefaultExtractor(80)
		e.Workers = workers
		if many, _ := e.ExtractMel(nil, x); greatestDifference(one, many) != 0 {
			t.Errorf("%d workers give another result than one", workers)
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	for _, seconds := range []int{1, 10} {
		x := noiseSamples(rand.New(rand.NewPCG(7, 8)), seconds*16000)
		b.Run(fmt.Sprintf("%ds", seconds), func(b *testing.B) {
			e := features.NewDefaultExtractor(80)
			var mel []float32
			for b.Loop() {
				mel, _ = e.ExtractMel(mel, x)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*seconds), "ms/s")
		})
	}
}

func noiseSamples(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = rng.Float32() - 0.5
	}
	return x
}

func greatestDifference(a, b []float32) float64 {
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i]))) // NaN stays NaN, and fails
	}
	if len(a) != len(b) {
		return math.Inf(1)
	}
	return worst
}

// readWAV reads the 16-bit mono files of testdata, whose header is 44 bytes.
func readWAV(t *testing.T, path string) []float32 {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw = raw[44:]
	x := make([]float32, len(raw)/2)
	for i := range x {
		x[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) / 32768
	}
	return x
}

var shapePattern = regexp.MustCompile(`'shape': \((\d+), (\d+)\)`)

// readNPY reads a little-endian float32 matrix of NumPy's format 1.0.
func readNPY(t *testing.T, path string) (data []float32, shape [2]int) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := 10 + int(binary.LittleEndian.Uint16(raw[8:]))
	dims := shapePattern.FindSubmatch(raw[:end])
	if dims == nil {
		t.Fatalf("%s: no shape in %q", path, raw[:end])
	}
	shape[0], _ = strconv.Atoi(string(dims[1]))
	shape[1], _ = strconv.Atoi(string(dims[2]))
	data = make([]float32, (len(raw)-end)/4)
	for i := range data {
		data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[end+4*i:]))
	}
	return data, shape
}
