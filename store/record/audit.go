package record

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"sync/atomic"
	"time"

	"munadi/store"
)

// CheckAudit refuses an audit entry that names no actor or no action: its change must not be made.
func CheckAudit(c store.AuditEntry) error {
	if c.Actor == "" || c.Action == "" {
		return store.Errorf(store.CodeInvalid, "an audit entry needs an actor and an action")
	}
	return nil
}

// AuditSecret is the key with which a store seals its audit trail.
type AuditSecret struct{ key atomic.Pointer[[32]byte] }

// UseAuditKey implements [store.AuditStore].
func (s *AuditSecret) UseAuditKey(key [32]byte) { s.key.Store(&key) }

// AuditKey returns the key; all zeros before [AuditSecret.UseAuditKey].
func (s *AuditSecret) AuditKey() [32]byte {
	if key := s.key.Load(); key != nil {
		return *key
	}
	return [32]byte{}
}

// ChainedAudit is an audit entry as it is stored: with its place in one of the organization's chains. Entries of before
// the chains have none.
type ChainedAudit struct {
	store.AuditEntry
	Chain *AuditLink `json:"chain,omitempty"`
}

// AuditLink is an entry's place in a chain.
type AuditLink struct {
	Lane string `json:"lane"`
	Seq  uint64 `json:"seq"` // from 1, without a gap
	Hash []byte `json:"hash"`
}

// AuditHead is the head of a chain: what its last entry is, sealed with the installation's secret, so that nobody who
// edits the database without it can shorten or rewrite the chain.
type AuditHead struct {
	Seq  uint64 `json:"seq"`  // of the last entry
	Hash []byte `json:"hash"` // of the last entry
	// Began is when the chain began, after Older entries that have no place in one, with OlderHash over them.
	Began     time.Time `json:"began"`
	Older     uint64    `json:"older,omitempty"`
	OlderHash []byte    `json:"older_hash,omitempty"`
	// Broken is when an entry was appended to a head that did not fit its seal, or was missing; nil: never.
	Broken *time.Time `json:"broken,omitempty"`
	// Organizations are the ids of all organizations, in the head that is their list; Hash is over them.
	Organizations []string `json:"organizations,omitempty"`
	Seal          []byte   `json:"seal"` // HMAC-SHA-256 of the other fields but Organizations
}

// HashAudit returns the hash of an entry in a chain: SHA-256 over the hash before it, its organization, its place and
// its stored form, each with its length.
func HashAudit(before []byte, orgID, place string, seq uint64, entry []byte) []byte {
	sum := sha256.New()
	for _, part := range [][]byte{before, []byte(orgID), []byte(place), binary.BigEndian.AppendUint64(nil, seq), entry} {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		sum.Write(part)
	}
	return sum.Sum(nil)
}

// SealHead returns the seal of a chain's head.
func SealHead(key [32]byte, orgID, lane string, h AuditHead) []byte {
	mac := hmac.New(sha256.New, key[:])
	broken := ""
	if h.Broken != nil {
		broken = h.Broken.UTC().Format(time.RFC3339Nano)
	}
	for _, part := range [][]byte{
		[]byte("audit head"), []byte(orgID), []byte(lane), binary.BigEndian.AppendUint64(nil, h.Seq), h.Hash,
		[]byte(h.Began.UTC().Format(time.RFC3339Nano)), binary.BigEndian.AppendUint64(nil, h.Older), h.OlderHash,
		[]byte(broken),
	} {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// FitsSeal reports whether a head is as it was sealed.
func FitsSeal(key [32]byte, orgID, lane string, h AuditHead) bool {
	return hmac.Equal(h.Seal, SealHead(key, orgID, lane, h))
}
