// Package asset serves the files of assets/web with cache busting: /assets/<hash>/css/base.css.
//
// One hash covers the whole folder, because ES modules and style sheets refer to each other by relative path: a module
// under one hash only loads files of the same build, without an import map (which would need an inline script under a
// strict Content-Security-Policy). Any edit changes the hash, so files are cached forever. Text is compressed once at
// start.
package asset

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"munadi/assets/web"
)

// Root is the path below which all assets lie.
const Root = "/assets/"

// AssetFile is one asset, ready to be sent.
type AssetFile struct {
	Type string // media type, with charset for text
	Body []byte
	Gzip []byte // Body compressed; nil where that does not pay
}

// AssetSet is one build's assets. It is read-only and safe for concurrent use.
type AssetSet struct {
	hash  string
	files map[string]AssetFile
}

// LoadAssets reads the embedded folder.
func LoadAssets() (*AssetSet, error) { return loadAssets(web.WebFiles()) }

func loadAssets(fsys fs.FS) (*AssetSet, error) {
	s := &AssetSet{files: map[string]AssetFile{}}
	sum := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(body))
		sum.Write(body)
		s.files[name], err = newFile(name, body)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	if err := s.addBundles(fsys); err != nil {
		return nil, err
	}
	s.hash = hex.EncodeToString(sum.Sum(nil))[:12]
	return s, nil
}

// BasePath returns the folder's address without a trailing slash, e.g. /assets/1f0c2d3e4a5b.
func (s *AssetSet) BasePath() string { return Root + s.hash }

// FindByPath returns the file at a path below Root ("<hash>/css/base.css"). Another build's hash finds nothing, since
// mixing the modules of two builds in one page is worse than a missing file.
func (s *AssetSet) FindByPath(below string) (AssetFile, bool) {
	hash, name, ok := strings.Cut(below, "/")
	if !ok || hash != s.hash {
		return AssetFile{}, false
	}
	f, ok := s.files[name]
	return f, ok
}

// FindByName returns a file by its name in the folder, e.g. "icons/favicon.svg".
func (s *AssetSet) FindByName(name string) (AssetFile, bool) {
	f, ok := s.files[name]
	return f, ok
}

// typeOf returns the media type of a known kind of file; text reports whether to compress it.
func typeOf(name string) (mime string, text, ok bool) {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8", true, true
	case ".js":
		return "text/javascript; charset=utf-8", true, true
	case ".svg":
		return "image/svg+xml", true, true
	case ".txt":
		return "text/plain; charset=utf-8", true, true
	case ".woff2":
		return "font/woff2", false, true
	case ".flac":
		return "audio/flac", false, true
	}
	return "", false, false
}

func newFile(name string, body []byte) (AssetFile, error) {
	mime, text, ok := typeOf(name)
	if !ok {
		return AssetFile{}, fmt.Errorf("%s: no media type for it", name)
	}
	f := AssetFile{Type: mime, Body: body}
	if !text {
		return f, nil
	}
	packed, err := CompressGzip(body)
	if err == nil && len(packed) < len(body) {
		f.Gzip = packed
	}
	return f, err
}

// CompressGzip is gzip at its best level.
func CompressGzip(body []byte) ([]byte, error) { return best.Compress(body) }

var best = NewCompressor(gzip.BestCompression)
