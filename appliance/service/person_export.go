package service

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"time"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
)

// ExportedCall is a call of a person's export, with its events.
type ExportedCall struct {
	Call     call.Call            `json:"call"`
	Timeline []call.TimelineEntry `json:"timeline"`
}

// PersonSummary is what a person's export says of itself; it is its last part.
type PersonSummary struct {
	PhoneNumber string                      `json:"phone_number"`
	ExportedAt  time.Time                   `json:"exported_at"`
	Calls       int                         `json:"calls"`
	Recordings  int                         `json:"recordings"`
	Missing     []string                    `json:"missing_recordings"` // ids of calls whose recording is away or damaged
	Unreadable  bool                        `json:"unreadable"`         // records are damaged on the disk
	Suppression *callrules.SuppressionEntry `json:"suppression"`        // null: the number may be called
}

// ExportPerson writes all that is stored of a person (right of access, GDPR 15) as a ZIP archive: calls.json with an
// [ExportedCall] of each, recordings/CALL.wav, and summary.json. It calls begin before the first byte. CodeNotFound of
// a number that the organization neither called nor suppressed. Audit entry: person.export.
func (u *UseCases) ExportPerson(ctx context.Context, who Caller, number string, begin func(), w io.Writer) error {
	summary := PersonSummary{PhoneNumber: number, ExportedAt: u.now(), Missing: []string{}}
	var err error
	if summary.Suppression, err = u.Store.FindSuppression(ctx, who.OrgID, number, summary.ExportedAt); err != nil {
		return err
	}
	filter := store.CallFilter{PhoneNumber: number, Ascending: true, Limit: pageSize}
	found, err := u.findPersonCalls(ctx, who.OrgID, filter)
	if err != nil {
		return err
	}
	if len(found.Items) == 0 && summary.Suppression == nil {
		return store.Errorf(store.CodeNotFound, "no such person")
	}
	if err := u.Store.AddAudit(ctx, who.OrgID, store.AuditEntry{
		At: summary.ExportedAt, Actor: who.Actor, Action: "person.export", Subject: call.MaskNumber(number),
	}); err != nil {
		return err
	}
	begin()
	archive := zip.NewWriter(w)
	recorded, err := u.exportCalls(ctx, archive, who.OrgID, filter, found, &summary)
	for _, one := range recorded {
		if err == nil {
			err = u.exportRecording(ctx, archive, one, &summary)
		}
	}
	if err != nil {
		return err // the archive has no directory, so no program opens it as if it were whole
	}
	summary.Unreadable = !store.DamageReportOf(ctx).IsEmpty()
	out, err := archive.Create("summary.json")
	if err == nil {
		err = json.NewEncoder(out).Encode(summary)
	}
	return errors.Join(err, archive.Close())
}

// findPersonCalls returns a page of calls with their messages.
func (u *UseCases) findPersonCalls(
	ctx context.Context, orgID string, f store.CallFilter,
) (store.ListPage[call.Call], error) {
	return u.Store.SearchCalls(ctx, orgID, f, "", func(call.Call) (bool, bool) { return true, true })
}

// exportCalls writes calls.json page by page, and returns the calls with a recording, without their messages.
func (u *UseCases) exportCalls(
	ctx context.Context, archive *zip.Writer, orgID string, f store.CallFilter, page store.ListPage[call.Call],
	summary *PersonSummary,
) (recorded []call.Call, err error) {
	out, err := archive.Create("calls.json")
	if err != nil {
		return nil, err
	}
	separator, end := "[\n", "[]\n"
	for {
		for _, c := range page.Items {
			if err := u.exportCall(ctx, out, separator, c); err != nil {
				return nil, err
			}
			separator, end = ",\n", "\n]\n"
			if summary.Calls++; c.HasRecording() {
				c.Messages = nil
				recorded = append(recorded, c)
			}
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			_, err = io.WriteString(out, end)
			return recorded, err
		}
		if page, err = u.findPersonCalls(ctx, orgID, f); err != nil {
			return nil, err
		}
	}
}

// exportCall writes a call with its events.
func (u *UseCases) exportCall(ctx context.Context, out io.Writer, separator string, c call.Call) error {
	timeline, err := u.Store.CallTimeline(ctx, c.OrgID, c.ID)
	if err != nil {
		return err
	}
	text, err := json.Marshal(ExportedCall{c, timeline})
	if err == nil {
		_, err = out.Write(append([]byte(separator), text...))
	}
	return err
}

// exportRecording writes a recording. One that is damaged, or on another appliance, is named in the summary.
func (u *UseCases) exportRecording(
	ctx context.Context, archive *zip.Writer, c call.Call, summary *PersonSummary,
) error {
	file, err := u.OpenRecording(ctx, c)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrDamaged) {
		summary.Missing = append(summary.Missing, c.ID)
		return nil
	}
	if err != nil {
		return err
	}
	header := &zip.FileHeader{Name: "recordings/" + c.ID + ".wav", Method: zip.Deflate}
	if c.EndedAt != nil {
		header.Modified = *c.EndedAt
	}
	out, err := archive.CreateHeader(header)
	if err == nil {
		_, err = io.Copy(out, contextReader{ctx, file})
	}
	summary.Recordings++
	return errors.Join(err, file.Close())
}

// contextReader ends a copy when its context does.
type contextReader struct {
	ctx  context.Context //nolint:containedctx // of one copy
	from io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
