package blob

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

const (
	flushBytes = Rate * frameBytes // a second of sound is written at once
	syncEvery  = 10                // seconds of sound after which the disk is asked to keep it
)

// RecordingWriter is one that is being written. It belongs to one goroutine.
//
// A disk that is nearly full ends it: the file plays to there.
//
// Every second of sound the file grows and its header is brought up to date, sound first: a process that is killed
// leaves a file that plays to its last whole second. Now and then the disk is told to keep what it has, in the
// background, since a conversation can't wait for a disk. After a loss of power the file may be shorter than its
// header says, or longer; [RecordingFolder.FixHeader] mends both.
type RecordingWriter struct {
	file    *os.File
	room    func() error
	pending []byte // frames not yet written
	sound   int64  // bytes of sound in the file
	err     error  // the first failure; nothing is written after it

	unsynced int // seconds
	syncing  sync.WaitGroup
	busy     chan struct{} // holds a token while the disk is being told
}

// CreateRecording begins a recording. The error is fs.ErrExist for a name in use.
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

// AppendFrames adds sound: as many samples left (the called person) as right (the platform).
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

// FrameCount is how many samples each side has, those included that are not in the file yet.
func (r *RecordingWriter) FrameCount() int64 { return (r.sound + int64(len(r.pending))) / frameBytes }

// flushPending writes what is pending and says so in the header.
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

// syncPeriodically has the disk keep the file every [syncEvery] seconds of sound, unless it is still at the last time.
func (r *RecordingWriter) syncPeriodically() {
	r.unsynced++
	if r.unsynced < syncEvery {
		return
	}
	select {
	case r.busy <- struct{}{}:
		r.unsynced = 0
		r.syncing.Go(func() {
			_ = r.file.Sync() // Close asks again, and its answer counts
			<-r.busy
		})
	default:
	}
}

// Close writes what is left and has the disk keep it. Its error is the first that befell the recording; the file
// plays up to there.
func (r *RecordingWriter) Close() error {
	r.flushPending()
	r.syncing.Wait()
	return errors.Join(r.err, r.file.Sync(), r.file.Close())
}
