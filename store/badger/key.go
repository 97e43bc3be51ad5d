package badger

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// The kinds of keys, as the package comment lists them.
const (
	kindBootstrap  = "bootstrap"
	kindOrg        = "org"
	kindKey        = "key"
	kindKeyID      = "key-id"
	kindKeyHash    = "key-hash"
	kindSession    = "session"
	kindPhrases    = "phrases"
	kindJob        = "job"
	kindJobResult  = "job-result"
	kindJobQueue   = "job-queue"
	kindJobRunning = "job-running"
	kindJobEnded   = "job-ended"
)

// key joins a kind and its parts.
func key(kind string, parts ...string) []byte {
	return []byte(strings.Join(append([]string{kind}, parts...), "/"))
}

// prefix is what every key of a kind below parts begins with.
func prefix(kind string, parts ...string) []byte {
	return append(key(kind, parts...), '/')
}

// split takes a key's rest apart into n parts, of which the last may hold anything.
func split(rest string, n int) []string { return strings.SplitN(rest, "/", n) }

// hashKey is the index entry of a key's hash.
func hashKey(hash []byte) []byte { return key(kindKeyHash, hex.EncodeToString(hash)) }

// stamp writes a time so that text order is time order; what lies before 1970 counts as 1970.
func stamp(t time.Time) string { return fmt.Sprintf("%016x", max(t.UnixNano(), 0)) }

// plain says whether id may stand in a key, as a part of it.
func plain(id string) bool { return id != "" && len(id) <= maxPart && !strings.Contains(id, "/") }

// maxPart bounds an id.
const maxPart = 512
