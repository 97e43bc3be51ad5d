package evidence

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/record"
)

// maxLine is the maximum length of a line of an export, in bytes.
const maxLine = 1 << 20

// maxChains is the maximum number of chains of an export.
const maxChains = 1000

// AuditFile is what a verified export says.
type AuditFile struct {
	Organization string
	MadeAt       time.Time
	Key          string            // the public key that signed it
	Selected     map[string]string // by what; empty: every entry
	Entries      int
	Ends         map[string]store.AuditEnd // the last entry of each chain when it was made
}

// CompareAudit checks that an organization's audit log still has the last entries of a verified export, and so
// everything before them: a log that was put back to an older state as a whole fits its seals, but not an export that
// was made since. It returns the fault; empty: none.
func CompareAudit(
	ctx context.Context, s AuditReader, orgID string, ends map[string]store.AuditEnd,
) (fault string, err error) {
	left := maps.Clone(ends)
	_, err = s.ReadAudit(ctx, orgID, func(row store.AuditRow) error {
		want, known := left[row.Chain]
		if !known || row.Seq != want.Seq {
			return nil
		}
		delete(left, row.Chain)
		if fault == "" && !bytes.Equal(row.Hash, want.Hash) {
			fault = fmt.Sprintf("entry %d of chain %s is not that of the file", row.Seq, row.Chain)
		}
		return nil
	})
	for _, chain := range slices.Sorted(maps.Keys(left)) {
		if end := left[chain]; fault == "" && end.Seq > 0 {
			fault = fmt.Sprintf("entry %d of chain %s, which the file has, is missing: the audit log is older than the file",
				end.Seq, chain)
		}
	}
	return fault, err
}

// VerifyAuditFile checks an export of the audit log by itself: that each entry is the one that was hashed, that none is
// missing between the first and the end of its chain, unless a selection left it out, and that the file is as it was
// signed. Its error names the first line that is not.
func VerifyAuditFile(r io.Reader) (AuditFile, error) {
	v := fileVerifier{chains: map[string]store.AuditEnd{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	sum := sha256.New()
	for lines.Scan() {
		v.line++
		if v.ended {
			return v.file, v.fault("follows the end of the export")
		}
		before := sum.Sum(nil)
		if err := v.readLine(lines.Bytes(), before); err != nil {
			return v.file, err
		}
		sum.Write(lines.Bytes())
		sum.Write([]byte("\n"))
	}
	if err := lines.Err(); err != nil {
		return v.file, fmt.Errorf("line %d: %w", v.line+1, err)
	}
	if !v.ended {
		return v.file, errors.New("the end of the export is missing: the file was cut")
	}
	return v.file, nil
}

// fileVerifier follows the chains of an export.
type fileVerifier struct {
	line   int
	file   AuditFile
	chains map[string]store.AuditEnd // the last entry of each that was read
	ended  bool
}

// fault returns an error about the line.
func (v *fileVerifier) fault(format string, args ...any) error {
	return fmt.Errorf("line %d "+format, append([]any{v.line}, args...)...)
}

// readLine checks a line; sum is the hash of all lines before it.
func (v *fileVerifier) readLine(text, sum []byte) error {
	if v.line == 1 {
		return v.readHeader(text)
	}
	var trailer auditTrailer
	if json.Unmarshal(text, &trailer) == nil && trailer.End != nil {
		return v.readEnd(trailer, sum)
	}
	var line auditLine
	if err := json.Unmarshal(text, &line); err != nil {
		return v.fault("is no entry: %v", err)
	}
	return v.readEntry(line)
}

func (v *fileVerifier) readHeader(text []byte) error {
	var h auditHeader
	if err := json.Unmarshal(text, &h); err != nil || h.Kind != auditKind {
		return errors.New("the file is no export of the audit log as JSON Lines: munadi audit export makes one")
	}
	if h.Version != 1 {
		return errVersion(h.Version)
	}
	v.file = AuditFile{Organization: h.Organization, MadeAt: h.MadeAt, Key: h.Key, Selected: h.Selected}
	return nil
}

// errVersion refuses a file of a later version.
func errVersion(version int) error {
	return fmt.Errorf("the file has version %d: check it with the version of Munadi that made it, or a later one", version)
}

// readEntry checks that an entry is unchanged and the next of its chain. A selection leaves out others.
func (v *fileVerifier) readEntry(line auditLine) error {
	v.file.Entries++
	last, known := v.chains[line.Chain]
	want := record.HashAudit(line.Before, v.file.Organization, line.Place, line.Seq, line.Entry)
	switch {
	case line.Fault != "":
		return v.fault("could not be read when the file was made: %s", line.Fault)
	case line.Chain == "" || len(line.Entry) == 0:
		return v.fault("is no entry")
	case !known && len(v.chains) >= maxChains:
		return v.fault("begins another chain: there are %d", maxChains)
	case !bytes.Equal(want, line.Hash):
		return v.fault("was changed: entry %d of chain %s does not fit its hash", line.Seq, line.Chain)
	case line.Seq <= last.Seq:
		return v.fault("is not in its place: entry %d of chain %s follows entry %d", line.Seq, line.Chain, last.Seq)
	case line.Seq > last.Seq+1 && len(v.file.Selected) == 0:
		return v.fault("follows a gap: entry %d of chain %s is missing", last.Seq+1, line.Chain)
	case line.Seq == last.Seq+1 && !bytes.Equal(line.Before, last.Hash):
		return v.fault("does not continue its chain: entry %d of chain %s was replaced, or the one before it",
			line.Seq, line.Chain)
	}
	v.chains[line.Chain] = store.AuditEnd{Seq: line.Seq, Hash: line.Hash}
	return nil
}

// endless returns a chain of the file that has no end; empty: each has one.
func (v *fileVerifier) endless(ends map[string]store.AuditEnd) string {
	for _, chain := range slices.Sorted(maps.Keys(v.chains)) {
		if _, known := ends[chain]; !known {
			return chain
		}
	}
	return ""
}

// readEnd checks the end: its signature, the bytes before it, and that no chain ends before its last entry.
func (v *fileVerifier) readEnd(trailer auditTrailer, sum []byte) error {
	var end auditEnd
	if err := json.Unmarshal(trailer.End, &end); err != nil {
		return v.fault("is no end of an export: %v", err)
	}
	if err := checkSignature(v.file.Key, auditKind, trailer.End, trailer.Signature); err != nil {
		return v.fault("ends the export, but %w", err)
	}
	v.ended, v.file.Ends = true, end.Ends
	for _, chain := range slices.Sorted(maps.Keys(end.Ends)) {
		switch last, want := v.chains[chain], end.Ends[chain]; {
		case last.Seq < want.Seq && len(v.file.Selected) == 0:
			return v.fault("says that chain %s has %d entries; the file ends at %d", chain, want.Seq, last.Seq)
		case last.Seq == want.Seq && !bytes.Equal(last.Hash, want.Hash):
			return v.fault("names another last entry of chain %s: one of the chain was replaced", chain)
		}
	}
	switch {
	case end.Fault != "":
		return fmt.Errorf("the audit log was faulty when the file was made: %s", end.Fault)
	case v.endless(end.Ends) != "":
		return v.fault("does not say where chain %s ends: its end could not be read when the file was made",
			v.endless(end.Ends))
	case end.Entries != v.file.Entries:
		return v.fault("says that the file has %d entries; it has %d", end.Entries, v.file.Entries)
	case !bytes.Equal(end.SHA256, sum):
		return v.fault("does not fit the lines before it: the file was changed")
	}
	return nil
}
