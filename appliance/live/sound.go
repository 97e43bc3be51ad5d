package live

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"munadi/engine/audio"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/live"
)

const (
	headerSize  = audio.WAVHeaderSize
	flushBytes  = 2 * sampleRate // one second, which is written at once
	diskReserve = 64 << 20       // bytes that stay free for the database
)

// soundFile is a growing WAV file, 16-bit mono. Its header is updated every second, so that a crash leaves a playable
// file.
type soundFile struct {
	file      *os.File
	checkDisk func() error // returns an error if the disk is too full
	pending   []byte
	size      int64 // bytes of audio in the file
	release   func()
}

// soundPath returns the name of a session's file; false if an id is not valid in a file name (path traversal).
func soundPath(orgID, id string) (string, bool) {
	for _, part := range []string{orgID, id} {
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, `/\`) {
			return "", false
		}
	}
	return orgID + "/" + id + ".wav", true
}

func (s *LiveService) createSound(orgID, id string) (*soundFile, error) {
	name, ok := soundPath(orgID, id)
	if !ok {
		return nil, fs.ErrInvalid
	}
	if err := s.CheckDisk(); err != nil {
		return nil, err
	}
	if err := s.root.MkdirAll(orgID, 0o700); err != nil {
		return nil, err
	}
	f, err := s.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	out := &soundFile{file: f, checkDisk: s.CheckDisk, release: s.Sounds.HoldFile(name)}
	if err := out.writeHeader(); err != nil {
		out.release()
		return nil, errors.Join(err, f.Close(), s.root.Remove(name))
	}
	return out, nil
}

// OpenSound opens a session's recording; [fs.ErrNotExist] without one, [blob.ErrDamaged] if it is not the one that was
// written.
func (s *LiveService) OpenSound(ctx context.Context, l live.LiveSession) (blob.RecordingFile, error) {
	name, ok := soundPath(l.OrgID, l.ID)
	if !ok {
		return nil, fs.ErrNotExist
	}
	file, err := s.Sounds.OpenRecording(ctx, name)
	if err != nil || l.SoundSum == nil {
		return file, err
	}
	if err := s.verifier.VerifyRecording(file, name, *l.SoundSum); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// RemoveSound removes a session's recording, if it exists.
func (s *LiveService) RemoveSound(orgID, id string) error {
	name, ok := soundPath(orgID, id)
	if !ok {
		return nil
	}
	if err := s.Sounds.RemoveFile(name); err != nil {
		return fmt.Errorf("remove a live recording: %w", err)
	}
	return nil
}

// measureSound returns the duration in seconds and the sum of the recording of a session that a crash left open; none
// if it cannot be read.
func (s *LiveService) measureSound(ctx context.Context, l live.LiveSession) (float64, *call.RecordingSum) {
	file, err := s.OpenSound(ctx, l)
	if err != nil {
		return 0, nil
	}
	defer file.Close()
	sum, err := blob.SumRecording(file)
	if err != nil {
		return 0, nil
	}
	return float64(max(0, sum.Size-headerSize)/2) / sampleRate, &sum
}

// writeSamples appends samples in [-1, 1].
func (f *soundFile) writeSamples(samples []float32) error {
	for _, v := range samples {
		f.pending = binary.LittleEndian.AppendUint16(f.pending, uint16(int16(max(-1, min(v, 1))*32767)))
	}
	if len(f.pending) < flushBytes {
		return nil
	}
	if err := f.checkDisk(); err != nil {
		return err
	}
	return f.flushSamples()
}

func (f *soundFile) flushSamples() error {
	if _, err := f.file.WriteAt(f.pending, headerSize+f.size); err != nil {
		return err
	}
	f.size += int64(len(f.pending))
	f.pending = f.pending[:0]
	return f.writeHeader()
}

// writeHeader updates the WAV header to the current size.
func (f *soundFile) writeHeader() error {
	_, err := f.file.WriteAt(audio.WAVHeader(f.size, sampleRate), 0)
	return err
}

// closeFile writes the remaining audio; if that fails, the file is complete up to its last second. It returns the sum
// of the file; nil if it cannot be read.
func (f *soundFile) closeFile() (kept *call.RecordingSum) {
	_ = f.flushSamples()
	_ = f.file.Sync()
	if sum, err := blob.SumRecording(f.file); err == nil {
		kept = &sum
	}
	_ = f.file.Close()
	f.release()
	return kept
}
