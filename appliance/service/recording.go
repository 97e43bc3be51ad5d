package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/disk"
	"munadi/store/excerpt"
	"munadi/store/scenario"
)

// MaxLineRecordings is how many recordings of lines an organization may keep.
const MaxLineRecordings = 1000

// LineRecorder stores organizations' recordings of lines by their text; *tts.LineRecordings is one. confirm is called
// before a change takes effect; its error aborts the change.
type LineRecorder interface {
	CountSaved(orgID string) (int, error)
	HasRecording(orgID, text string) (found, saved bool)
	SaveRecording(orgID, text string, wav []byte, confirm func() error) error
	RemoveRecording(orgID, text string, confirm func() error) error
}

// RecordLine stores a recording of a line: the organization's scenarios play it wherever they say this text. The audio
// is decoded WAV, as tts.DecodeLine returns it.
func (u *UseCases) RecordLine(ctx context.Context, who Caller, text string, wav []byte) error {
	text = strings.TrimSpace(text)
	var broken FieldViolations
	switch {
	case text == "" || utf8.RuneCountInString(text) > scenario.MaxText:
		broken.AddViolation("text", "must be a line of 1 to %d characters", scenario.MaxText)
	case !scenario.IsFixed(text):
		broken.AddViolation("text",
			"contains a variable or an answer: only a line with a fixed text can be recorded")
	}
	if len(wav) == 0 {
		broken.AddViolation("file", "is required")
	}
	if err := violationError(broken...); err != nil {
		return err
	}
	if err := u.checkRoomFor(who.OrgID, text); err != nil {
		return err
	}
	err := u.Lines.SaveRecording(who.OrgID, text, wav, u.lineAudit(ctx, who, "line.record", text))
	var full *disk.DiskFault
	switch {
	case errors.Is(err, fs.ErrInvalid):
		broken.AddViolation("text", "must contain a word that can be spoken")
		return violationError(broken...)
	case errors.As(err, &full):
		return store.Errorf(store.CodeUnavailable, "the recording cannot be stored: %v", full)
	}
	return err
}

// checkRoomFor bounds the recordings of an organization.
func (u *UseCases) checkRoomFor(orgID, text string) error {
	if _, saved := u.Lines.HasRecording(orgID, text); saved {
		return nil // it is replaced
	}
	n, err := u.Lines.CountSaved(orgID)
	if err == nil && n >= MaxLineRecordings {
		return &ConflictError{Reason: StateForbidden, Message: "The limit of recorded lines is reached; remove some first"}
	}
	return err
}

// RemoveLineRecording removes the recording that RecordLine kept. [store.CodeNotFound] without one.
func (u *UseCases) RemoveLineRecording(ctx context.Context, who Caller, text string) error {
	text = strings.TrimSpace(text)
	err := u.Lines.RemoveRecording(who.OrgID, text, u.lineAudit(ctx, who, "line.unrecord", text))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return store.Errorf(store.CodeNotFound, "there is no recording of this line")
	}
	return err
}

// maxAuditText is the longest quote of a line in the audit trail, in characters.
const maxAuditText = 200

// lineAudit writes the audit entry of a change of a line's recording.
func (u *UseCases) lineAudit(ctx context.Context, who Caller, action, text string) func() error {
	text = excerpt.TruncateText(text, maxAuditText)
	return func() error {
		return u.Store.AddAudit(ctx, who.OrgID, store.AuditEntry{
			At: u.now(), Actor: who.Actor, Action: action, Subject: text,
		})
	}
}

// RecordingFiles holds the files of recorded calls; every [blob.RecordingStore] is one.
type RecordingFiles interface {
	// OpenRecording opens a recording; [fs.ErrNotExist], or CodeNotFound of a bucket, without it.
	OpenRecording(ctx context.Context, name string) (blob.RecordingFile, error)
	// RemoveFile removes a recording; it is no error if it does not exist.
	RemoveFile(name string) error
}

// OpenRecording opens the recording of a call, which was verified to be the one that was written: [blob.ErrDamaged] if
// it is not, [fs.ErrNotExist] if its file is not there. A call of an older version, without a sum, is not verified.
func (u *UseCases) OpenRecording(ctx context.Context, c call.Call) (blob.RecordingFile, error) {
	file, err := u.Recordings.OpenRecording(ctx, c.Recording)
	if store.CodeOf(err) == store.CodeNotFound {
		err = fs.ErrNotExist
	}
	if err != nil || c.RecordingSum == nil {
		return file, err
	}
	verifier := cmp.Or(u.Verifier, &blob.RecordingVerifier{})
	if err := verifier.VerifyRecording(file, c.Recording, *c.RecordingSum); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// KeepRecordingSum stores the sum of a recording that lacks it because its call was interrupted.
func (u *UseCases) KeepRecordingSum(ctx context.Context, name string) error {
	orgID, id, ok := blob.ParseName(name)
	if !ok {
		return fs.ErrInvalid
	}
	c, err := u.Store.FindCall(ctx, orgID, id)
	if store.CodeOf(err) == store.CodeNotFound || err == nil && (c.Recording != name || !c.LacksRecordingSum()) {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := u.Recordings.OpenRecording(ctx, name)
	if err != nil {
		return err
	}
	sum, err := blob.SumRecording(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return u.Store.KeepRecordingSum(ctx, orgID, id, sum)
}
