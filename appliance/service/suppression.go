package service

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"munadi/appliance/csvcell"
	"munadi/store/callrules"
	"munadi/store/jsontext"
	"munadi/store/phonenumber"
)

// maxReason is the longest reason of a suppression, in characters.
const maxReason = 500

// SuppressionColumns are the columns of a suppression list as CSV; an export adds source and created_at.
var SuppressionColumns = []string{"phone_number", "reason", "until"}

// SuppressionRequest asks for an entry of the suppression list (do not call).
type SuppressionRequest struct {
	Path        string // of the entry in the request, before the fields of violations: "lines.3"; may be empty
	PhoneNumber string
	Reason      string
	Until       *time.Time      // nil: permanent
	Violations  FieldViolations // with their path
}

// AddSuppressions adds entries from a source to the suppression list; an entry of the same number is replaced. If one
// of them is invalid, all are refused, unless skip is set: then the invalid ones are returned with their violations,
// and the others are added.
func (u *UseCases) AddSuppressions(
	ctx context.Context, who Caller, source string, all []SuppressionRequest, skip bool,
) (added []callrules.SuppressionEntry, refused []SuppressionRequest, err error) {
	now, found := u.now(), FieldViolations{}
	for _, r := range all {
		if r.checkSuppression(now); len(r.Violations) > 0 {
			refused = append(refused, r)
			found.AddAll(r.Violations)
			continue
		}
		added = append(added, callrules.SuppressionEntry{
			OrgID: who.OrgID, PhoneNumber: r.PhoneNumber, Reason: r.Reason, Until: r.Until, Source: source, CreatedAt: now,
		})
	}
	if len(found) > 0 && !skip {
		return nil, refused, violationError(found...)
	}
	return added, refused, u.Store.AddSuppressions(ctx, added, who.Actor, now)
}

// checkSuppression adds the violations of an entry.
func (r *SuppressionRequest) checkSuppression(now time.Time) {
	path := r.Path
	if path != "" {
		path += "."
	}
	r.Violations = slices.Clone(r.Violations)
	if !phonenumber.IsE164(r.PhoneNumber) {
		r.Violations.AddViolation(path+"phone_number", "%s", InvalidNumber)
	}
	if utf8.RuneCountInString(r.Reason) > maxReason || !utf8.ValidString(r.Reason) {
		r.Violations.AddViolation(path+"reason", "must have at most %d characters", maxReason)
	}
	if r.Until != nil && !r.Until.After(now) {
		r.Violations.AddViolation(path+"until", "must be in the future")
	}
}

// RemoveSuppression removes a number from the suppression list, so that it may be called again.
func (u *UseCases) RemoveSuppression(ctx context.Context, who Caller, number string) error {
	return u.Store.RemoveSuppression(ctx, who.OrgID, number, who.Actor, u.now())
}

// visitSuppressions calls visit for each entry of an organization's list, by number, until it returns false.
func (u *UseCases) visitSuppressions(
	ctx context.Context, orgID string, visit func(callrules.SuppressionEntry) bool,
) error {
	for cursor := ""; ; {
		part, err := u.Store.ListSuppressions(ctx, orgID, pageSize, cursor)
		if err != nil {
			return err
		}
		for _, e := range part.Items {
			if !visit(e) {
				return nil
			}
		}
		if cursor = part.Next; cursor == "" {
			return nil
		}
	}
}

// WriteSuppressions writes an organization's list as CSV, with the given column names. It writes nothing if the list
// cannot be read, and [csvcell.IncompleteMark] if its rest cannot.
func (u *UseCases) WriteSuppressions(
	ctx context.Context, w io.Writer, orgID string, called func(column string) string,
) error {
	out := csv.NewWriter(w)
	header := append(slices.Clone(SuppressionColumns), "source", "created_at")
	for i, column := range header {
		header[i] = called(column)
	}
	_ = out.Write(header) // buffered
	begun := false
	err := u.visitSuppressions(ctx, orgID, func(e callrules.SuppressionEntry) bool {
		begun = true
		return out.Write([]string{
			e.PhoneNumber, csvcell.GuardCell(e.Reason), jsontext.FormatTimeOf(e.Until), e.Source,
			jsontext.FormatTime(e.CreatedAt),
		}) == nil
	})
	switch {
	case err != nil && begun:
		return csvcell.EndBrokenFile(out, err)
	case err != nil:
		return err
	}
	return csvcell.EndFile(ctx, out)
}

// ReadSuppressions parses a suppression list as CSV: lines become requests with the path "lines.N". parseUntil parses
// the end of an entry, which is never empty; nil for a malformed one. aliases are other names of the columns.
func ReadSuppressions(
	data []byte, aliases map[string]string, parseUntil func(text string) *time.Time,
) ([]SuppressionRequest, error) {
	records, err := csvcell.ReadRecords(data, SuppressionColumns, aliases)
	all := make([]SuppressionRequest, len(records))
	for i, line := range records {
		r := SuppressionRequest{
			Path: "lines." + strconv.Itoa(line.Line), PhoneNumber: line.Cells["phone_number"],
			Reason: csvcell.UnguardCell(line.Cells["reason"]),
		}
		if until := line.Cells["until"]; until != "" {
			if r.Until = parseUntil(until); r.Until == nil {
				r.Violations.AddViolation(r.Path+".until", "must be an RFC 3339 date-time with a time zone offset")
			}
		}
		all[i] = r
	}
	return all, err
}
