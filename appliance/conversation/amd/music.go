package amd

import (
	"math"

	"munadi/engine/audio"
)

const (
	musicFrames = 300  // 6 s
	pauseFrames = 6    // 120 ms of quiet: speech pauses this long within 6 s, music does not
	pauseLevel  = 0.15 // share of the mean level below which a frame is quiet
	tonalShare  = 0.3  // minimum share of a frame's energy at its strongest pitch; noise has less
	heldPitch   = 26   // Hz: a held pitch changes less from frame to frame
	tonalPart   = 0.6  // minimum share of tonal frames in music
	heldPart    = 0.5  // minimum share of frames with the pitch of the frame before
)

// musicTracker detects sound without pauses and with held pitches.
type musicTracker struct {
	frames, tonal, held, quiet int
	mean, hz                   float64
}

// pushFrame processes one frame of 20 ms and reports whether all sound since the last pause was music.
func (t *musicTracker) pushFrame(in []int16) bool {
	level := audio.MeasureRMS(in)
	if level < minToneLevel || level < pauseLevel*t.mean {
		if t.quiet++; t.quiet >= pauseFrames {
			*t = musicTracker{}
		}
		return false
	}
	t.quiet = 0
	t.frames++
	t.mean += (level - t.mean) / float64(min(t.frames, 100))
	part, hz := strongestPitch(in, level)
	if part >= tonalShare {
		t.tonal++
		if math.Abs(hz-t.hz) <= heldPitch {
			t.held++
		}
	}
	t.hz = hz
	if t.frames < musicFrames {
		return false
	}
	found := float64(t.tonal) >= tonalPart*musicFrames && float64(t.held) >= heldPart*musicFrames
	*t = musicTracker{}
	return found
}
