package tts

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

// cacheLimit is how many bytes of an endpoint's sounds are kept on disk: nearly three hours.
const cacheLimit = 160 << 20

// diskCache keeps an endpoint's sounds in a folder: samples as 16-bit little-endian, named by the hash of what was asked.
// What was used longest ago goes first.
type diskCache struct{ dir string }

const cacheSuffix = ".s16"

// cacheKey is the hash of all that decides about the sound.
func cacheKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		_, _ = h.Write(n[:]) // never fails, nor does the next
		_, _ = h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// loadSound returns a sound, nil if it isn't there.
func (c diskCache) loadSound(key string) []int16 {
	if c.dir == "" {
		return nil
	}
	path := filepath.Join(c.dir, key+cacheSuffix)
	data, err := os.ReadFile(path)
	if err != nil || len(data) < 2 {
		return nil
	}
	// When it was used last is only for [diskCache.evictOldest].
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	out := make([]int16, len(data)/2)
	for i := range out {
		out[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return out
}

func (c diskCache) storeSound(key string, pcm []int16) error {
	if c.dir == "" {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	data := make([]byte, 0, 2*len(pcm))
	for _, s := range pcm {
		data = binary.LittleEndian.AppendUint16(data, uint16(s))
	}
	if err := renameio.WriteFile(filepath.Join(c.dir, key+cacheSuffix), data, 0o600); err != nil {
		return err
	}
	return c.evictOldest(cacheLimit)
}

// evictOldest removes what was used longest ago until so many bytes are left.
func (c diskCache) evictOldest(limit int64) error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasSuffix(e.Name(), cacheSuffix) {
			continue // gone meanwhile, or not ours
		}
		files = append(files, info)
		total += info.Size()
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= limit {
			break
		}
		if err := os.Remove(filepath.Join(c.dir, f.Name())); err != nil {
			return err
		}
		total -= f.Size()
	}
	return nil
}
