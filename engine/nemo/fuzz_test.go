package nemo

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzArchive: a tar file neither panics nor names members beyond its end.
func FuzzArchive(f *testing.F) {
	b, err := os.ReadFile(writeTar(f, member{name: "./" + configMember, body: "a: 1"}, member{name: "x", body: "y"}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Add(make([]byte, 1024))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<20 {
			return
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "x.nemo")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := openArchive(path, dir)
		if err == nil {
			for name := range a.members {
				if _, err := a.readMember(name, 1<<20); err != nil && a.members[name].Size() <= 1<<20 {
					t.Errorf("member %q: %v", name, err)
				}
			}
			err = a.Close()
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%d files after %v", len(left), err)
		}
	})
}

// FuzzPickle: any pickle gives an error or tensors within their storages.
func FuzzPickle(f *testing.F) {
	f.Add([]byte(start + entry(viewOf(storageOf("0", "K\x04"), "K\x00", "K\x02K\x02", "K\x02K\x01"))))
	f.Add([]byte("\x80\x04\x95\x08\x00\x00\x00\x00\x00\x00\x00}\x94\x8c\x01a\x94K\x01s."))
	f.Add([]byte(start + "]q\x00(K\x01G?\xf0\x00\x00\x00\x00\x00\x00NU\x01ae."))
	f.Fuzz(func(t *testing.T, b []byte) {
		storages := map[string]*tensorStorage{}
		root, err := unpickleTensors(bufio.NewReader(bytes.NewReader(b)), storages)
		if err != nil {
			return
		}
		tensors, err := stateDict(root, storages)
		if err != nil {
			return
		}
		for name, tensor := range tensors {
			if tensor.storage.length > 1<<16 {
				continue
			}
			tensor.storage.data = bytes.NewReader(make([]byte, tensor.storage.length*elementSizes[tensor.storage.kind]))
			if v, err := tensor.ToFloat32s(); err != nil || int64(len(v)) != tensor.Len() {
				t.Errorf("%q: %d of %d numbers, %v", name, len(v), tensor.Len(), err)
			}
		}
	})
}

// FuzzWeights: both of torch's containers, with damage.
func FuzzWeights(f *testing.F) {
	state := start + entry(viewOf(storageOf("0", "K\x02"), "K\x00", "K\x02", "K\x01"))
	a, err := openArchive(withPickle(f, state, map[string]string{"0": "\x00\x00\x80\x3f\x00\x00\x00\x40"}), "")
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	zipped, err := a.readMember(weightsMember, 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(zipped)
	f.Add([]byte(start + "\x8a\x0a" + string(legacyMagic) + "." + start + "M\xe9\x03." +
		start + "}X\x0d\x00\x00\x00little_endian\x88s." + state + start + "]X\x01\x00\x00\x000a." +
		"\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := readWeights(io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))))
		if err != nil {
			return
		}
		for name, tensor := range tensors {
			if v, err := tensor.ToFloat32s(); err != nil || int64(len(v)) != tensor.Len() {
				t.Errorf("%q: %d of %d numbers, %v", name, len(v), tensor.Len(), err)
			}
		}
	})
}

// FuzzConfig: for any configuration, sizes are within bounds.
func FuzzConfig(f *testing.F) {
	config, _ := parts(f)
	f.Add([]byte(config))
	f.Add([]byte("a: &a [*a, *a]"))
	f.Add([]byte("encoder: {d_model: ${encoder.d_model}}"))
	f.Add([]byte("preprocessor: {normalize: {fixed_mean: [1], fixed_std: [1]}, features: 1}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseConfig(b)
		if err != nil {
			return
		}
		e := c.Encoder
		if e.Layers < 1 || e.Layers > maxLayers || e.Width < 2 || e.Width > maxWidth || e.Width%e.Heads != 0 ||
			e.Factor < 2 || e.Factor > 16 || e.Left < 0 || e.Right < 0 || c.Features.Length > 512 || c.MaxSymbols < 1 {
			t.Errorf("%s\nbecomes %+v", b, c)
		}
	})
}
