package ort

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/renameio/v2"
	"github.com/klauspost/compress/zstd"
	onnx "github.com/yalue/onnxruntime_go"
)

// PackedLibrary is a shared library as it is shipped: compressed, with the checksum of its unpacked bytes.
type PackedLibrary struct {
	Zstd    []byte
	SHA256  string // hex, of the unpacked file
	Version string
}

// UnpackTo writes the library into dir under a name with its checksum and returns the path. A complete existing file is
// reused, so that only the first start of a version takes about 130 ms.
func (l PackedLibrary) UnpackTo(dir string) (string, error) {
	if len(l.Zstd) == 0 {
		return "", errors.New("this build does not include ONNX Runtime for this platform")
	}
	path := filepath.Join(dir, fmt.Sprintf("libonnxruntime-%s-%.16s.so", l.Version, l.SHA256))
	if sumOfFile(path) == l.SHA256 {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the cache folder for ONNX Runtime: %w", err)
	}
	zr, err := zstd.NewReader(bytes.NewReader(l.Zstd), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return "", err
	}
	defer zr.Close()
	return path, l.writeLibrary(path, zr)
}

func (l PackedLibrary) writeLibrary(path string, r io.Reader) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o500), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return fmt.Errorf("unpack ONNX Runtime: %w", err)
	}
	defer func() { _ = f.Cleanup() }()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(f, sum), r); err != nil {
		return fmt.Errorf("unpack ONNX Runtime: %w", err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != l.SHA256 {
		return fmt.Errorf("unpack ONNX Runtime: checksum is %s, want %s", got, l.SHA256)
	}
	return f.CloseAtomicallyReplace()
}

// sumOfFile returns the file's SHA-256 in hex; empty if it cannot be read.
func sumOfFile(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
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
