package evidence

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/csvcell"
	"munadi/store"
)

// auditKind is the kind of file of an export of the audit log, and of its signature.
const auditKind = "munadi audit export"

// AuditReader is the part of the store that an export reads.
type AuditReader interface {
	ReadAudit(ctx context.Context, orgID string, visit func(store.AuditRow) error) (map[string]store.AuditEnd, error)
	VerifyAudit(ctx context.Context, orgID string) (store.AuditVerification, error)
}

// AuditSelection selects the entries of an export.
type AuditSelection struct {
	Words map[string]string             // as the file names it; empty: every entry
	Keep  func(e store.AuditEntry) bool // nil: every entry
}

// AuditFilter selects entries by their fields; zero values select all.
type AuditFilter struct {
	From, To      time.Time // From inclusive, To exclusive
	Actor, Action string    // the beginning of both, as they are stored: "user:", "call."
}

// Selection returns the selection of a filter.
func (f AuditFilter) Selection() AuditSelection {
	words := map[string]string{}
	for name, value := range map[string]string{"actor": f.Actor, "action": f.Action} {
		if value != "" {
			words[name] = value
		}
	}
	for name, at := range map[string]time.Time{"from": f.From, "to": f.To} {
		if !at.IsZero() {
			words[name] = at.UTC().Format(time.RFC3339)
		}
	}
	return AuditSelection{Words: words, Keep: func(e store.AuditEntry) bool {
		return strings.HasPrefix(e.Actor, f.Actor) && strings.HasPrefix(e.Action, f.Action) &&
			!e.At.Before(f.From) && (f.To.IsZero() || e.At.Before(f.To))
	}}
}

// keeps reports whether an entry is in the export.
func (s AuditSelection) keeps(row store.AuditRow) bool {
	return s.Keep == nil || row.Fault != "" || s.Keep(row.Entry)
}

// auditHeader is the first line of an export.
type auditHeader struct {
	Kind         string            `json:"file"`
	Version      int               `json:"version"`
	Organization string            `json:"organization"`
	MadeAt       time.Time         `json:"made_at"`
	Selected     map[string]string `json:"selected,omitempty"` // by what; none: every entry
	Key          string            `json:"key"`                // the public key that signs it
}

// auditLine is an entry of an export. Its hash is SHA-256 over before, organization, place, seq (8 bytes, big-endian)
// and the bytes of entry, each after its length (8 bytes, big-endian).
type auditLine struct {
	Chain  string          `json:"chain,omitempty"`
	Place  string          `json:"place,omitempty"`
	Seq    uint64          `json:"seq,omitempty"`
	Before []byte          `json:"before,omitempty"`
	Hash   []byte          `json:"hash,omitempty"`
	Entry  json.RawMessage `json:"entry,omitempty"`
	Fault  string          `json:"unreadable,omitempty"`
}

func newAuditLine(row store.AuditRow) auditLine {
	return auditLine{row.Chain, row.Place, row.Seq, row.Before, row.Hash, row.JSON, row.Fault}
}

// auditTrailer is the last line of an export.
type auditTrailer struct {
	End       json.RawMessage `json:"end"` // an auditEnd
	Signature []byte          `json:"signature"`
}

// auditEnd says what the export holds.
type auditEnd struct {
	Entries int                       `json:"entries"`
	Ends    map[string]store.AuditEnd `json:"ends"`   // the last entry of each chain when the file was made
	SHA256  []byte                    `json:"sha256"` // of all lines before this one
	// Fault is what a verification of the database found when the file was made; empty: nothing.
	Fault string `json:"fault,omitempty"`
}

// WriteAudit writes the audit log of an organization as JSON Lines: a header, an entry a line, oldest first, and a
// signed end. Memory does not grow with its length.
func WriteAudit(
	ctx context.Context, w io.Writer, s AuditReader, key SigningKey, orgID string, selected AuditSelection, now time.Time,
) error {
	verified, err := s.VerifyAudit(ctx, orgID)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(w)
	out := hashedLines{sum: sha256.New()}
	out.w = io.MultiWriter(buffered, out.sum)
	header := auditHeader{
		Kind: auditKind, Version: 1, Organization: orgID, MadeAt: now.UTC(), Selected: selected.Words, Key: key.PublicKey(),
	}
	if err := out.write(header); err != nil {
		return err
	}
	end := auditEnd{Fault: verified.Fault}
	end.Ends, err = s.ReadAudit(ctx, orgID, func(row store.AuditRow) error {
		if !selected.keeps(row) {
			return nil
		}
		end.Entries++
		return out.write(newAuditLine(row))
	})
	if err != nil {
		return err
	}
	end.SHA256 = out.sum.Sum(nil)
	text, err := json.Marshal(end)
	if err == nil {
		err = out.write(auditTrailer{text, key.sign(auditKind, text)})
	}
	if err != nil {
		return err
	}
	return buffered.Flush()
}

// hashedLines writes JSON Lines and hashes what it writes.
type hashedLines struct {
	w   io.Writer
	sum hash.Hash
}

func (l hashedLines) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	_, err = l.w.Write(append(text, '\n'))
	return err
}

// WriteAuditCSV writes the audit log of an organization as CSV with the hashes, oldest first. It is for spreadsheets:
// what can be verified is the file of [WriteAudit]. What a verification of the database finds is its last row,
// or that the rest could not be read.
func WriteAuditCSV(ctx context.Context, w io.Writer, s AuditReader, orgID string, selected AuditSelection) error {
	verified, err := s.VerifyAudit(ctx, orgID)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err = out.Write([]string{"at", "actor", "action", "subject", "note", "chain", "seq", "hash"}); err != nil {
		return err
	}
	begun := false
	_, err = s.ReadAudit(ctx, orgID, func(row store.AuditRow) error {
		if !selected.keeps(row) {
			return nil
		}
		begun = true
		e := row.Entry
		if row.Fault != "" {
			e.Note = row.Fault
		}
		cells := []string{e.At.UTC().Format(time.RFC3339Nano), e.Actor, e.Action, e.Subject, e.Note}
		for i := range cells {
			cells[i] = csvcell.GuardCell(cells[i])
		}
		return out.Write(append(cells, row.Chain, strconv.FormatUint(row.Seq, 10), fmt.Sprintf("%x", row.Hash)))
	})
	switch {
	case err != nil && begun:
		return csvcell.EndBrokenFile(out, err)
	case err != nil:
		return err
	case verified.Fault != "":
		_ = out.Write([]string{"error: the audit log is not as it was written: " + verified.Fault}) // as EndFile reports
	}
	return csvcell.EndFile(ctx, out)
}
