package asset

import (
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestEveryFileIsFoundUnderTheHash(t *testing.T) {
	t.Parallel()
	set, err := LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	hash := strings.TrimPrefix(set.BasePath(), Root)
	if !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(hash) {
		t.Fatalf("hash %q", hash)
	}
	f, ok := set.FindByPath(hash + "/css/base.css")
	if !ok || f.Type != "text/css; charset=utf-8" || len(f.Gzip) == 0 {
		t.Fatalf("css/base.css: found %v, type %q, %d bytes compressed", ok, f.Type, len(f.Gzip))
	}
	r, err := gzip.NewReader(bytes.NewReader(f.Gzip))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, f.Body) {
		t.Errorf("the compressed form is another file: %v", err)
	}
	for _, below := range []string{"", "css/base.css", "000000000000/css/base.css", hash, hash + "/", hash + "/../web.go"} {
		if _, ok := set.FindByPath(below); ok {
			t.Errorf("%q is found", below)
		}
	}
}

func TestHashCoversNamesAndContent(t *testing.T) {
	t.Parallel()
	bases := map[string]string{}
	for name, fsys := range map[string]fstest.MapFS{
		"one":     {"a.css": {Data: []byte("x")}, "b.css": {Data: []byte("y")}},
		"edited":  {"a.css": {Data: []byte("x")}, "b.css": {Data: []byte("z")}},
		"renamed": {"a.css": {Data: []byte("x")}, "c.css": {Data: []byte("y")}},
		"shifted": {"a.css": {Data: []byte("xy")}, "b.css": {Data: []byte("")}},
	} {
		set, err := loadAssets(fsys)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := bases[set.BasePath()]; ok {
			t.Errorf("%s and %s have the same address", name, other)
		}
		bases[set.BasePath()] = name
	}
}

func TestUnknownTypeIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := loadAssets(fstest.MapFS{"a.exe": {Data: []byte("x")}}); err == nil {
		t.Error("a file without a media type was taken")
	}
}
