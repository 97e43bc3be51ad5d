package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"munadi/store"
	"munadi/store/blob"
	"munadi/store/call"
)

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
