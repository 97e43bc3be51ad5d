// Package hubtest is a model hub on loopback for tests, which answers as the real one does: a repository's description
// as JSON, small files inline with git's id, large ones by a redirect to storage with size and SHA-256 in its headers,
// ranges, 401 and 403 for gated models, 429, and connections that break.
package hubtest

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git names objects so
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Commit is the revision of the hub's models.
const Commit = "0123456789abcdef0123456789abcdef01234567"

// largeFrom is the size in bytes from which a file is in storage.
const largeFrom = 1000

// ModelHub is a hub with one model, org/name. Fields are set before StartHub.
type ModelHub struct {
	Files   map[string][]byte
	Gated   bool
	Token   string            // wanted; empty: none
	Headers map[string]string // that replace the redirect's; "-" removes one
	CutAt   int               // bytes after which storage breaks its first answer off; 0: never
	Busy    int               // answers of 429 before a file is given
	Failing int               // answers of 502 by the storage, after its first answer
	Ranges  bool              // storage honours them
	NoRange string            // what storage answers to them instead: 416, or a Content-Range of its own
	Hold    chan struct{}     // if set, storage waits in the middle of a large answer until it is closed

	URL string // of the hub, after StartHub

	mu      sync.Mutex
	cuts    int
	asked   []string // Range headers at storage
	leaked  bool     // storage saw the token
	storage *httptest.Server
}

// StartHub serves until the test ends.
func (h *ModelHub) StartHub(t testing.TB) {
	t.Helper()
	h.storage = httptest.NewServer(http.HandlerFunc(h.serveStorage))
	hub := httptest.NewServer(http.HandlerFunc(h.serveHub))
	h.URL = hub.URL
	t.Cleanup(func() {
		for _, s := range []*httptest.Server{hub, h.storage} {
			s.CloseClientConnections()
			s.Close()
		}
	})
}

// CutCount returns how many responses of the storage were truncated.
func (h *ModelHub) CutCount() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cuts
}

// AskedRanges returns the Range headers that the storage saw, in order.
func (h *ModelHub) AskedRanges() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.asked...)
}

// HasLeaked reports whether the storage received the hub's token.
func (h *ModelHub) HasLeaked() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.leaked
}

// SetBusy makes the hub answer the next n requests for files with 429.
func (h *ModelHub) SetBusy(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Busy = n
}

func (h *ModelHub) serveHub(w http.ResponseWriter, r *http.Request) {
	if h.Token != "" && r.Header.Get("Authorization") != "Bearer "+h.Token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if h.Gated {
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.WriteHeader(http.StatusForbidden)
		return
	}
	switch path := r.URL.Path; {
	case path == "/api/models/org/old":
		http.Redirect(w, r, "/api/models/org/name", http.StatusTemporaryRedirect)
	case path == "/api/models/org/name" || path == "/api/models/org/name/revision/v1" ||
		path == "/api/models/org/name/revision/"+Commit:
		var siblings []map[string]string
		for name := range h.Files {
			siblings = append(siblings, map[string]string{"rfilename": name})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "org/name", "sha": Commit, "siblings": siblings, "gated": false,
			"cardData": map[string]string{"license": "cc-by-4.0"},
		})
	case strings.HasPrefix(path, "/api/models/org/name/revision/"):
		w.Header().Set("X-Error-Code", "RevisionNotFound")
		w.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(path, "/org/name/resolve/"+Commit+"/"):
		h.serveFile(w, strings.TrimPrefix(path, "/org/name/resolve/"+Commit+"/"))
	default:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.WriteHeader(http.StatusNotFound)
	}
}

func (h *ModelHub) serveFile(w http.ResponseWriter, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b, ok := h.Files[name]
	switch {
	case !ok:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
	case h.Busy > 0:
		h.Busy--
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	case len(b) < largeFrom:
		object := append(fmt.Appendf(nil, "blob %d\x00", len(b)), b...)
		w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sha1.Sum(object))) //nolint:gosec // git names objects so
		_, _ = w.Write(b)
	default:
		for key, value := range map[string]string{
			"Location": h.storage.URL + "/signed/" + name, "X-Repo-Commit": Commit, "X-Linked-Size": fmt.Sprint(len(b)),
			"X-Linked-Etag": fmt.Sprintf(`"%x"`, sha256.Sum256(b)),
		} {
			if other := h.Headers[key]; other != "" {
				value = other
			}
			if value != "-" {
				w.Header().Set(key, value)
			}
		}
		w.WriteHeader(http.StatusFound)
	}
}

func (h *ModelHub) serveStorage(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.leaked = h.leaked || r.Header.Get("Authorization") != ""
	h.asked = append(h.asked, r.Header.Get("Range"))
	first := len(h.asked) == 1 // asks for size and checksum
	failing := h.Failing > 0 && !first
	if failing {
		h.Failing--
	}
	cut := h.CutAt > 0 && h.cuts == 0 && !first && !failing
	if cut {
		h.cuts++
	}
	h.mu.Unlock()
	if failing {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	b := h.Files[strings.TrimPrefix(r.URL.Path, "/signed/")]
	if !h.Ranges {
		r.Header.Del("Range")
	}
	switch {
	case h.NoRange == "416" && r.Header.Get("Range") != "":
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
	case h.NoRange != "" && r.Header.Get("Range") != "":
		w.Header().Set("Content-Range", h.NoRange)
		w.WriteHeader(http.StatusPartialContent)
	case cut:
		h.writePart(w, b, h.CutAt)
		panic(http.ErrAbortHandler) //nolint:forbidigo // how net/http breaks a connection off
	case h.Hold != nil && !first && r.Header.Get("Range") == "":
		h.writePart(w, b, len(b)/2)
		select {
		case <-h.Hold:
			_, _ = w.Write(b[len(b)/2:])
		case <-r.Context().Done():
		}
	default:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}
}

// writePart writes the first n bytes of an answer.
func (h *ModelHub) writePart(w http.ResponseWriter, b []byte, n int) {
	w.Header().Set("Content-Length", fmt.Sprint(len(b)))
	_, _ = w.Write(b[:n])
	w.(http.Flusher).Flush()
}
