package spool

import (
	"context"
	"errors"
	"io/fs"

	"munadi/store/blob"
	"munadi/store/bucket"
)

// ReadWaveform implements [blob.RecordingStore]. The waveform of a recording in the bucket is stored with it; a missing
// or unreadable one is measured and stored.
func (s *RecordingSpool) ReadWaveform(ctx context.Context, name string) (blob.Waveform, error) {
	w, err := s.local.ReadWaveform(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return w, err
	}
	if s.Waveforms == "" {
		return s.measureInBucket(ctx, name)
	}
	if w, err = s.openWaveform(ctx, name); err == nil || isAway(err) {
		return w, err
	}
	if w, err = s.measureInBucket(ctx, name); err == nil {
		_ = s.storeWaveform(ctx, name, w) // after a failure it is measured again the next time
	}
	return w, err
}

// openWaveform reads the stored waveform of a recording.
func (s *RecordingSpool) openWaveform(ctx context.Context, name string) (blob.Waveform, error) {
	object, err := s.Bucket.OpenObject(ctx, s.Waveforms+name)
	if err != nil {
		return blob.Waveform{}, err
	}
	w, err := blob.ReadStoredWaveform(object)
	return w, errors.Join(err, object.Close())
}

// measureInBucket reads the whole recording and measures it.
func (s *RecordingSpool) measureInBucket(ctx context.Context, name string) (blob.Waveform, error) {
	file, err := s.OpenRecording(ctx, name)
	if err != nil {
		return blob.Waveform{}, err
	}
	w, err := blob.MeasureWaveform(file)
	return w, errors.Join(err, file.Close())
}

// uploadWaveform stores the waveform of a recording on the disk. A recording without one, such as an empty file, is no
// error: it is measured on request.
func (s *RecordingSpool) uploadWaveform(ctx context.Context, name string) error {
	if s.Waveforms == "" {
		return nil
	}
	w, err := s.local.ReadWaveform(ctx, name)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	return s.storeWaveform(ctx, name, w)
}

// storeWaveform stores a waveform in the bucket.
func (s *RecordingSpool) storeWaveform(ctx context.Context, name string, w blob.Waveform) error {
	content, err := blob.EncodeWaveform(w)
	if err != nil {
		return err
	}
	return bucket.PutBytes(ctx, s.Bucket, s.Waveforms+name, content)
}

// removeWaveform removes the waveform of a recording.
func (s *RecordingSpool) removeWaveform(ctx context.Context, name string) error {
	if s.Waveforms == "" {
		return nil
	}
	return s.Bucket.RemoveObject(ctx, s.Waveforms+name)
}
