package nemo

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const checkpoints = "../model/testdata/checkpoints/"

// member is one entry of an archive that a test writes.
type member struct {
	name string
	body string
	kind byte // 0: a file
	link string
	size int64 // declared; 0: the body's
}

// writeTar writes an archive, truncated if a declared size exceeds the body.
func writeTar(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{
			Name: m.name, Typeflag: m.kind, Linkname: m.link, Mode: 0o644, Size: max(m.size, int64(len(m.body))),
		}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.body)); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Flush() // an error if a declared size was not written
	return writeFile(t, b.Bytes())
}

func writeFile(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.nemo")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// parts returns the configuration and the weights of a valid checkpoint.
func parts(t testing.TB) (config, weights string) {
	t.Helper()
	a, err := openArchive(checkpoints+"hybrid.nemo", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	var out [2]string
	for i, name := range []string{configMember, weightsMember} {
		b, err := a.readMember(name, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(b)
	}
	return out[0], out[1]
}

// refuse opens a checkpoint that must be refused with a message that contains want.
func refuse(t *testing.T, path, want string) error {
	t.Helper()
	spool := t.TempDir()
	c, err := OpenCheckpoint(path, spool)
	if err == nil {
		_ = c.Close()
		t.Fatal("the checkpoint was opened")
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want it to contain %q", err, want)
	}
	if left, _ := os.ReadDir(spool); len(left) > 0 {
		t.Errorf("%s was left behind", left[0].Name())
	}
	return err
}

func TestHostileArchivesAreRefused(t *testing.T) {
	t.Parallel()
	config, weights := parts(t)
	sound := []member{{name: "./" + configMember, body: config}, {name: "./" + weightsMember, body: weights}}
	for name, bad := range map[string][]member{
		"outside":          {{name: "../../etc/passwd", body: "x"}},
		"outside, hidden":  {{name: "./a/../../x", body: "x"}},
		"absolute":         {{name: "/etc/passwd", body: "x"}},
		"backslashes":      {{name: `..\..\x`, body: "x"}},
		"symbolic link":    {{name: "./" + configMember, kind: tar.TypeSymlink, link: "/etc/passwd"}},
		"hard link":        {{name: "./x", kind: tar.TypeLink, link: "./" + configMember}},
		"device":           {{name: "./x", kind: tar.TypeChar}},
		"twice":            {{name: configMember, body: config}},
		"too many members": make([]member, 0),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(bad) == 0 {
				for range maxMembers {
					bad = append(bad, member{name: "./" + strings.Repeat("x", len(bad)%90+1) + string(rune('a'+len(bad)/90))})
				}
			}
			if err := refuse(t, writeTar(t, append(sound[:2:2], bad...)...), "refused"); !errors.Is(err, ErrHostile) {
				t.Errorf("error = %v, want ErrHostile", err)
			}
		})
	}
}

func TestBrokenArchivesSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	config, weights := parts(t)
	for name, c := range map[string]struct {
		path, want string
	}{
		"empty":        {writeFile(t, nil), "too short"},
		"text":         {writeFile(t, bytes.Repeat([]byte("hello "), 200)), "not a NeMo checkpoint"},
		"no config":    {writeTar(t, member{name: weightsMember, body: weights}), "lacks model_config.yaml"},
		"no weights":   {writeTar(t, member{name: configMember, body: config}), "lacks model_weights.ckpt"},
		"cut off":      {writeTar(t, member{name: weightsMember, body: "PK", size: 1 << 40}), "truncated"},
		"empty config": {writeTar(t, member{name: configMember}), "no settings"},
		"no YAML":      {writeTar(t, member{name: configMember, body: "a: [b"}), configMember},
		"no zip": {writeTar(t, member{name: configMember, body: config},
			member{name: weightsMember, body: "PK\x03\x04" + strings.Repeat("x", 100)}), "zip"},
		"no torch": {writeTar(t, member{name: configMember, body: config},
			member{name: weightsMember, body: strings.Repeat("x", 100)}), "torch.save"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_ = refuse(t, c.path, c.want)
		})
	}
}

// A gzip file that unpacks to far more than its size must not fill the disk.
func TestGzipBombIsRefused(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.CopyN(z, zeros{}, minSpool+maxRatio<<20); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := refuse(t, writeFile(t, b.Bytes()), "times its size"); !errors.Is(err, ErrHostile) {
		t.Errorf("error = %v, want ErrHostile", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// withPickle returns a valid checkpoint whose weights have another pickle and the given storages.
func withPickle(t testing.TB, pickle string, storages map[string]string) string {
	t.Helper()
	config, _ := parts(t)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, body string) {
		h := &zip.FileHeader{Name: "archive/" + name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(body))}
		h.CompressedSize64, h.UncompressedSize64 = uint64(len(body)), uint64(len(body))
		w, err := z.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	add("data.pkl", pickle)
	for key, body := range storages {
		add("data/"+key, body)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return writeTar(t, member{name: configMember, body: config}, member{name: weightsMember, body: b.String()})
}

// Pieces of pickles. A tensor is built by storageOf and viewOf.
const (
	start  = "\x80\x02"
	newMap = "ccollections\nOrderedDict\n)R"
)

// storageOf pushes a float storage of n numbers, as BININT.
func storageOf(key string, numbers string) string {
	return "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x00" + key + "X\x03\x00\x00\x00cpu" + numbers + "tQ"
}

// viewOf builds a tensor of a storage with offset, sizes and strides.
func viewOf(storage, offset, sizes, strides string) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + "(" + sizes + "t(" + strides + "t\x89N" + "tR"
}

func entry(tensor string) string { return newMap + "X\x01\x00\x00\x00w" + tensor + "s." }

func TestHostilePicklesAreRefused(t *testing.T) {
	t.Parallel()
	four := map[string]string{"0": "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40"}
	huge := "\x8a\x05\x00\x00\x00\x00\x10" // 64 GiB of numbers
	for name, c := range map[string]struct {
		pickle, want string
		storages     map[string]string
	}{
		"os.system":     {start + "cposix\nsystem\nX\x02\x00\x00\x00ls\x85R.", "which Python would run", nil},
		"builtins.eval": {"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x011\x85R.", "which Python would run", nil},
		"an object":     {start + "(itorch\nTensor\n.", "unsupported opcode", nil},
		"torch.load":    {start + "ctorch\nload\n)R.", "which Python would run", nil},
		"protocol 5":    {"\x80\x05.", "protocol 5", nil},
		"bytes":         {start + "B\xff\xff\xff\x7f.", "unsupported opcode", nil},
		"a long text":   {start + "X\xff\xff\xff\x7f.", "at most", nil},
		"underflow":     {start + "R.", "underflow", nil},
		"no memo":       {start + "h\x05.", "never written", nil},
		"cut off":       {start + "(((", "truncated", nil},
		"no dictionary": {start + "]" + ".", "want a state dict", nil},
		"a number":      {entry("K\x01"), "want a tensor", nil},
		"containers":    {start + strings.Repeat(")", maxContainers+1), "larger than the accepted maximum", nil},
		"stack":         {start + strings.Repeat("(", maxPickle), "larger than the accepted maximum", nil},
		"70 TB storage": {
			start + entry(viewOf(storageOf("0", huge), "K\x00", "K\x04", "K\x01")), "should have", four,
		},
		"missing storage": {start + entry(viewOf(storageOf("1", "K\x04"), "K\x00", "K\x04", "K\x01")), "missing", four},
		"beyond its end":  {start + entry(viewOf(storageOf("0", "K\x04"), "K\x01", "K\x04", "K\x01")), "exceeds", four},
		"far offset":      {start + entry(viewOf(storageOf("0", "K\x04"), huge, "K\x01", "K\x01")), "exceeds", four},
		"negative offset": {start + entry(viewOf(storageOf("0", "K\x04"), "J\xff\xff\xff\xff", "K\x01", "K\x01")), "offset", four},
		"wide strides":    {start + entry(viewOf(storageOf("0", "K\x04"), "K\x00", "K\x02", huge)), "exceeds", four},
		"expanded": {
			start + entry(viewOf(storageOf("0", "K\x04"), "K\x00", huge, "K\x00")), "exceeds", four,
		},
		"overflow": {
			start + entry(viewOf(storageOf("0", "K\x04"), "K\x00", strings.Repeat(huge, 3), strings.Repeat("K\x00", 3))),
			"exceeds", four,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_ = refuse(t, withPickle(t, c.pickle, c.storages), c.want)
		})
	}
}

// Many tensors that share a storage would make a model many times as large as the file.
func TestSharedStoragesAreBounded(t *testing.T) {
	t.Parallel()
	pickle := start + newMap + "("
	for i := range 9 {
		pickle += "X\x01\x00\x00\x00" + string(rune('a'+i)) + viewOf(storageOf("0", "K\x04"), "K\x00", "K\x04", "K\x01")
	}
	if err := refuse(t, withPickle(t, pickle+"u.", map[string]string{"0": strings.Repeat("\x00", 16)}), "share storages"); !errors.Is(
		err, ErrHostile) {
		t.Errorf("error = %v, want ErrHostile", err)
	}
}

func TestDamagedWeightsAreRefused(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(checkpoints + "hybrid.nemo")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("data/3FB")) + 200
	b[at] ^= 1
	_ = refuse(t, writeFile(t, b), "checksum")
}

// Memory use depends on the file's size, not on sizes stated in it.
func TestHostileCheckpointTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	paths := []string{
		withPickle(t, start+strings.Repeat("(", maxPickle-100), nil),
		withPickle(t, start+strings.Repeat(")", maxContainers), nil),
		withPickle(t, start+strings.Repeat("]0", maxPickle/2-100), nil),
	}
	for _, path := range paths {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = refuse(t, path, "")
		runtime.ReadMemStats(&after)
		if grown := (after.Sys - min(after.Sys, before.Sys)) >> 20; grown > 300 {
			t.Errorf("memory grew by %d MiB", grown)
		}
	}
}

func TestTensorsOfAllTypes(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		bytes string
		want  float32
	}{
		"FloatStorage": {"\x00\x00\xc0\xbf", -1.5}, "HalfStorage": {"\x00\xbe", -1.5}, "BFloat16Storage": {"\xc0\xbf", -1.5},
		"DoubleStorage": {"\x00\x00\x00\x00\x00\x00\xf8\xbf", -1.5},
		"LongStorage":   {"\xfe\xff\xff\xff\xff\xff\xff\xff", -2}, "IntStorage": {"\xfe\xff\xff\xff", -2}, "BoolStorage": {"\x01", 1},
	} {
		s := &tensorStorage{kind: elementType(kind), length: 1, data: strings.NewReader(c.bytes)}
		tensor, err := newTensor(s, 0, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tensor.ToFloat32s(); err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, %v, want %v", kind, got, err, c.want)
		}
	}
	for half, want := range map[uint16]float32{
		0: 0, 1: 1.0 / (1 << 24), 0x3ff: 1023.0 / (1 << 24), 0x400: 1.0 / (1 << 14), 0x7bff: 65504, 0xbc00: -1,
	} {
		if got := fromHalf(half); got != want {
			t.Errorf("half %#x = %v, want %v", half, got, want)
		}
	}
}
