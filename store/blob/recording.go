package blob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"munadi/store/call"
)

const (
	flushBytes = Rate * frameBytes // one second of audio per write
	syncEvery  = 10                // seconds of audio between syncs
)

// RecordingWriter writes one recording. It must be used by one goroutine.
//
// It stops when the disk is nearly full; the file is playable up to there.
//
// Every second of audio the samples are appended and then the WAV header is updated, so that a killed process leaves a
// file playable to its last whole second. The file is synced periodically in the background, because a conversation
// must not block on the disk. After a power loss the file may be shorter or longer than its header says;
// [RecordingFolder.FixHeader] repairs both.
type RecordingWriter struct {
	file    *os.File
	room    func() error
	pending []byte // frames not written yet
	sound   int64  // bytes of audio in the file
	err     error  // the first failure; later writes are dropped

	unsynced int // seconds
	syncing  sync.WaitGroup
	busy     chan struct{} // holds a token during a sync
	closed   func()        // called at the end of Close; may be nil
	sum      *call.RecordingSum
}

// NotifyClose sets a function that is called when the recording has been closed.
func (r *RecordingWriter) NotifyClose(done func()) { r.closed = done }

// CreateRecording creates a recording. The error is fs.ErrExist for a name in use.
func (f *RecordingFolder) CreateRecording(name string) (*RecordingWriter, error) {
	file, err := f.createFile(name)
	if err != nil {
		return nil, err
	}
	r := &RecordingWriter{
		file: file, room: f.checkRoom, pending: make([]byte, 0, flushBytes+flushBytes/10), busy: make(chan struct{}, 1),
	}
	if _, err := file.WriteAt(wavHeader(0), 0); err != nil {
		return nil, errors.Join(err, file.Close(), f.RemoveFile(name))
	}
	return r, nil
}

// AppendFrames appends stereo audio, equally many samples left (the called person) and right (the platform).
func (r *RecordingWriter) AppendFrames(left, right []int16) error {
	if len(left) != len(right) {
		return fmt.Errorf("%d samples left, %d right", len(left), len(right))
	}
	if r.err != nil {
		return r.err
	}
	r.pending = interleaveFrames(r.pending, left, right)
	if len(r.pending) < flushBytes {
		return nil
	}
	if r.err = r.room(); r.err != nil {
		return r.err
	}
	if r.flushPending(); r.err == nil {
		r.syncPeriodically()
	}
	return r.err
}

// The channels of a recording.
const (
	PersonChannel   = 0 // left
	PlatformChannel = 1 // right
)

// SilenceSpan replaces the samples from to to of one channel by silence, as far as they were recorded; positions are
// samples per channel.
func (r *RecordingWriter) SilenceSpan(channel int, from, to int64) error {
	r.flushPending()
	if r.err != nil {
		return r.err
	}
	from, to = max(from, 0), min(to, r.sound/frameBytes)
	block := make([]byte, flushBytes)
	for ; from < to; from += int64(len(block)) / frameBytes {
		block = block[:min(int64(flushBytes), (to-from)*frameBytes)]
		if _, err := r.file.ReadAt(block, headerSize+from*frameBytes); err != nil {
			return err
		}
		for i := channel * frameBytes / 2; i < len(block); i += frameBytes {
			block[i], block[i+1] = 0, 0
		}
		if _, err := r.file.WriteAt(block, headerSize+from*frameBytes); err != nil {
			return err
		}
	}
	return nil
}

// FrameCount returns the samples per channel, including those not written yet.
func (r *RecordingWriter) FrameCount() int64 { return (r.sound + int64(len(r.pending))) / frameBytes }

// flushPending writes the pending frames and updates the header.
func (r *RecordingWriter) flushPending() {
	if r.err != nil || len(r.pending) == 0 {
		return
	}
	if r.sound+int64(len(r.pending)) > maxSound {
		r.err = errTooLong
		return
	}
	if _, err := r.file.WriteAt(r.pending, headerSize+r.sound); err != nil {
		r.err = err
		return
	}
	r.sound += int64(len(r.pending))
	r.pending = r.pending[:0]
	_, r.err = r.file.WriteAt(wavHeader(r.sound), 0)
}

// syncPeriodically syncs the file in the background every [syncEvery] seconds of audio, unless the previous sync is
// still running.
func (r *RecordingWriter) syncPeriodically() {
	r.unsynced++
	if r.unsynced < syncEvery {
		return
	}
	select {
	case r.busy <- struct{}{}:
		r.unsynced = 0
		r.syncing.Go(func() {
			_ = r.file.Sync() // Close syncs again and reports the error
			<-r.busy
		})
	default:
	}
}

// Close writes the rest and syncs the file. It returns the first error of the recording; the file is playable up to
// there.
func (r *RecordingWriter) Close() error {
	if r.closed != nil {
		defer r.closed()
	}
	r.flushPending()
	r.syncing.Wait()
	var cut error
	if r.err != nil { // a write may have ended in the middle
		_, cut = r.file.WriteAt(wavHeader(r.sound), 0)
		cut = errors.Join(cut, r.file.Truncate(headerSize+r.sound))
	}
	synced := r.file.Sync()
	if sum, err := SumRecording(r.file); err == nil {
		r.sum = &sum
	}
	return errors.Join(r.err, cut, synced, r.file.Close())
}

// Sum returns the sum of the closed file; nil if it could not be read back.
func (r *RecordingWriter) Sum() *call.RecordingSum { return r.sum }

// ReadPersonSpan returns the called person's samples of a recording from a time until another, at [Rate]; less if the
// recording is shorter.
func ReadPersonSpan(file io.ReadSeeker, from, to time.Duration) ([]int16, error) {
	first := int64(max(0, from) * Rate / time.Second)
	count := int64(max(0, to)*Rate/time.Second) - first
	if count <= 0 {
		return nil, nil
	}
	if _, err := file.Seek(headerSize+first*frameBytes, io.SeekStart); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, count*frameBytes))
	if err != nil {
		return nil, err
	}
	samples := make([]int16, len(raw)/frameBytes)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(raw[i*frameBytes:]))
	}
	if len(samples) == 0 {
		return nil, errors.New("the recording ends before it")
	}
	return samples, nil
}
