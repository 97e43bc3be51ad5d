package tts

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"
)

// cacheLimit is the size limit of the disk cache in bytes: an hour and a half of audio.
const cacheLimit = 160 << 20

// diskCache is an LRU disk cache of an endpoint's audio: 16-bit little-endian samples at [WideRate] and their SHA-256,
// named by the hash of the request.
type diskCache struct{ dir string }

const cacheSuffix = ".s16"

// cacheFormat is the format of the files. It is part of their names: files of another format are not read.
const cacheFormat = "16000 Hz, SHA-256"

// cacheKey returns the hash of everything that determines the audio.
func cacheKey(parts ...string) string {
	h := sha256.New()
	for _, p := range append(parts, cacheFormat) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		_, _ = h.Write(n[:]) // cannot fail, nor can the next
		_, _ = h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// loadSound returns cached audio, false without it or if it is damaged.
func (c diskCache) loadSound(key string) (SpokenSound, bool) {
	if c.dir == "" {
		return SpokenSound{}, false
	}
	path := filepath.Join(c.dir, key+cacheSuffix)
	data, err := os.ReadFile(path)
	end := len(data) - sha256.Size
	if err != nil || end < 2 || sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return SpokenSound{}, false
	}
	// The time of last use is for [diskCache.evictOldest].
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	sound, err := decodePCM(data[:end], WideRate)
	return sound, err == nil
}

func (c diskCache) storeSound(key string, sound SpokenSound) error {
	if c.dir == "" {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	data := make([]byte, 0, 2*len(sound.Wide)+sha256.Size)
	for _, s := range sound.Wide {
		data = binary.LittleEndian.AppendUint16(data, uint16(s))
	}
	sum := sha256.Sum256(data)
	data = append(data, sum[:]...)
	if err := renameio.WriteFile(filepath.Join(c.dir, key+cacheSuffix), data, 0o600); err != nil {
		return err
	}
	return c.evictOldest(cacheLimit)
}

// evictOldest removes the least recently used files until limit bytes are left.
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
			continue // deleted meanwhile, or another file
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

// soundCache is an LRU cache of audio with a size limit in bytes.
type soundCache struct {
	mu    sync.Mutex
	limit int
	bytes int
	order *list.List // of *entry, most recently used first
	byKey map[string]*list.Element
}

type cacheEntry struct {
	key   string
	sound SpokenSound
}

func (e *cacheEntry) byteSize() int { return 2*len(e.sound.PCM) + 2*len(e.sound.Wide) + len(e.key) }

func newSoundCache(limit int) *soundCache {
	return &soundCache{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

func (k *soundCache) getSound(key string) (SpokenSound, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, found := k.byKey[key]
	if !found {
		return SpokenSound{}, false
	}
	k.order.MoveToFront(e)
	return e.Value.(*cacheEntry).sound, true
}

func (k *soundCache) putSound(key string, s SpokenSound) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e, found := k.byKey[key]; found {
		k.evictEntry(e)
	}
	e := &cacheEntry{key, s}
	k.byKey[key] = k.order.PushFront(e)
	k.bytes += e.byteSize()
	for k.bytes > k.limit {
		k.evictEntry(k.order.Back())
	}
}

func (k *soundCache) evictEntry(e *list.Element) {
	gone := k.order.Remove(e).(*cacheEntry)
	delete(k.byKey, gone.key)
	k.bytes -= gone.byteSize()
}
