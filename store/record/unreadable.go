package record

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"munadi/store"
	"munadi/store/call"
)

// maxUnreadable is the maximum number of unreadable records remembered by name.
const maxUnreadable = 100

// UnreadableLog remembers by name the unreadable (damaged) records that a process met, and logs each once. It is safe
// for concurrent use; nil remembers nothing.
type UnreadableLog struct {
	log *slog.Logger

	mu    sync.RWMutex
	names map[string]struct{}
}

// NewUnreadableLog returns an empty log.
func NewUnreadableLog(log *slog.Logger) *UnreadableLog {
	return &UnreadableLog{log: log, names: map[string]struct{}{}}
}

// NewError returns the error of an unreadable record, and adds the record to the report and the log. key is its key in
// a dump, KIND/….
func (u *UnreadableLog) NewError(report *store.DamageReport, key string, cause error) error {
	report.AddRecord(key)
	name := MaskKey(key)
	if u.addName(name) {
		u.log.Error("a record of the database cannot be read", "record", name, "err", cause)
	}
	return &store.Error{
		Code: store.CodeCorrupt, Message: "a record cannot be read: it is damaged",
		Err: fmt.Errorf("record %s: %w", name, cause),
	}
}

// addName remembers a name and reports whether it is new.
func (u *UnreadableLog) addName(name string) bool {
	if u == nil {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.names[name]; known || len(u.names) >= maxUnreadable {
		return false
	}
	u.names[name] = struct{}{}
	return true
}

// CountRecords returns the number of unreadable records that were met, at most [maxUnreadable].
func (u *UnreadableLog) CountRecords() int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return len(u.names)
}

// MaskKey returns a key with its phone numbers masked, and without the word of a person's name.
func MaskKey(key string) string {
	parts := strings.Split(key, "/")
	if parts[0] == "call-name" && len(parts) > 2 {
		parts[2] = "…"
	}
	for i, p := range parts {
		if strings.HasPrefix(p, "+") {
			parts[i] = call.MaskNumber(p)
		}
	}
	return strings.Join(parts, "/")
}
