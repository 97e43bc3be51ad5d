package ort

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/klauspost/compress/zstd"
	onnx "github.com/yalue/onnxruntime_go"

	"munadi/engine/checksum"
)

// PackedLibrary is a shared library as it is shipped: compressed, with the checksum of its unpacked bytes.
type PackedLibrary struct {
	Zstd    []byte
	SHA256  string // hex, of the unpacked file
	Version string
}

// UnpackTo writes the library into dir under a name with its checksum and returns the path. A whole file that is there
// is reused, so that only the first start of a version takes about 130 ms; damaged reports that one was replaced.
func (l PackedLibrary) UnpackTo(dir string) (path string, damaged bool, err error) {
	if len(l.Zstd) == 0 {
		return "", false, errors.New("this build does not include ONNX Runtime for this platform")
	}
	path = filepath.Join(dir, fmt.Sprintf("libonnxruntime-%s-%.16s.so", l.Version, l.SHA256))
	damaged, err = checksum.UnpackFile(path, l.SHA256, 0o500, func() (io.ReadCloser, error) {
		unpacked, err := zstd.NewReader(bytes.NewReader(l.Zstd), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return unpacked.IOReadCloser(), nil
	})
	if err != nil {
		return "", damaged, fmt.Errorf("unpack ONNX Runtime: %w", err)
	}
	return path, damaged, nil
}

// environment is ONNX Runtime's, of which a process has one.
var environment struct {
	sync.Mutex
	path string
}

// LoadLibrary opens the shared library at path and starts ONNX Runtime's environment. Loading a file of the same name
// again (UnpackTo names it by its checksum) is a no-op; another file is an error, since a process can load only one
// library.
func LoadLibrary(path string) error {
	environment.Lock()
	defer environment.Unlock()
	if filepath.Base(environment.path) == filepath.Base(path) {
		return nil
	}
	if environment.path != "" {
		return fmt.Errorf("ONNX Runtime is already loaded from %s", environment.path)
	}
	mapLargeBlocks()
	onnx.SetSharedLibraryPath(path)
	if err := onnx.InitializeEnvironment(onnx.WithLogLevelError()); err != nil {
		return fmt.Errorf("load ONNX Runtime from %s: %w", path, err)
	}
	if err := onnx.DisableTelemetry(); err != nil {
		return fmt.Errorf("start ONNX Runtime: %w", err)
	}
	environment.path = path
	return nil
}
