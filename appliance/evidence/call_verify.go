package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"munadi/store/excerpt"
	"munadi/store/record"
)

// maxEvidence is the maximum size of the evidence of a call, in bytes.
const maxEvidence = 64 << 20

// VerifyCallEvidence checks the evidence of a call by itself: each part, its audit entries, and the signature. Its
// error names what was changed. The file may be indented otherwise than it was.
func VerifyCallEvidence(r io.Reader) (CallEvidence, error) {
	e, err := readCallEvidence(r)
	if err == nil {
		err = e.checkParts()
	}
	if err != nil {
		return e, err
	}
	head, err := json.Marshal(e.EvidenceHead)
	if err != nil {
		return e, fmt.Errorf("the head of the evidence: %w", err)
	}
	if err := checkSignature(e.Key, callKind, head, e.Signature); err != nil {
		return e, err
	}
	return e, e.checkAudit()
}

// readCallEvidence reads a file of this version, with nothing that is not signed.
func readCallEvidence(r io.Reader) (e CallEvidence, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxEvidence+1))
	switch {
	case err != nil:
		return e, fmt.Errorf("read the evidence: %w", err)
	case len(text) > maxEvidence:
		return e, fmt.Errorf("the file has more than %d bytes", maxEvidence)
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	err = strict.Decode(&e)
	rest := bytes.TrimSpace(text[strict.InputOffset():])
	if err != nil || e.Kind != callKind || len(rest) > 0 {
		return e, errors.New("the file is no evidence of a call: GET /api/v1/calls/{id}/evidence makes one")
	}
	if e.Version != 1 {
		return e, errVersion(e.Version)
	}
	return e, nil
}

// checkParts checks that each part fits its sum, and leaves them compact.
func (e CallEvidence) checkParts() error {
	for _, name := range slices.Sorted(maps.Keys(e.Sums)) {
		var compact bytes.Buffer
		part, found := e.Parts[name]
		if !found {
			return fmt.Errorf("the part %q is missing", name)
		}
		if err := json.Compact(&compact, part); err != nil || sumOf(compact.Bytes()) != e.Sums[name] {
			return fmt.Errorf("the part %q was changed", name)
		}
		e.Parts[name] = compact.Bytes()
	}
	for name := range e.Parts {
		if _, listed := e.Sums[name]; !listed {
			return fmt.Errorf("the part %q was added", name)
		}
	}
	return nil
}

// checkAudit checks that each audit entry fits its hash.
func (e CallEvidence) checkAudit() error {
	var lines []auditLine
	if err := json.Unmarshal(e.Parts["audit"], &lines); err != nil {
		return fmt.Errorf("the part %q is no list of audit entries: %w", "audit", err)
	}
	for _, line := range lines {
		want := record.HashAudit(line.Before, e.Organization, line.Place, line.Seq, line.Entry)
		if line.Fault == "" && !bytes.Equal(want, line.Hash) {
			return fmt.Errorf("entry %d of chain %s does not fit its hash: it was changed before the file was made",
				line.Seq, line.Chain)
		}
	}
	return nil
}

// Describe returns a line for each part for people: what it says, or why it is not known; and one for each kind of
// record that could not be read when the file was made. The evidence was verified.
func (e CallEvidence) Describe() (lines []string) {
	for _, name := range []string{
		"rules", "consent_basis", "hour", "suppression", "disclosure", "transcript", "recording",
	} {
		var part fact[json.RawMessage]
		text := "not known: the file does not say it"
		switch err := json.Unmarshal(e.Parts[name], &part); {
		case err != nil:
		case !part.Known || part.Is == nil:
			text = "not known: " + part.Unknown
		default:
			text = excerpt.TruncateText(string(*part.Is), 240)
		}
		lines = append(lines, fmt.Sprintf("%-14s%s", name, text))
	}
	var entries []auditLine
	_ = json.Unmarshal(e.Parts["audit"], &entries) // it was checked
	lines = append(lines, fmt.Sprintf("%-14s%d entries", "audit", len(entries)))
	var incomplete []string
	_ = json.Unmarshal(e.Parts["incomplete"], &incomplete) // an older file has none
	return append(lines, incomplete...)
}
