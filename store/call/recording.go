package call

// RecordingSum identifies the content of a recording's file: what was written, as it was when the recording was closed,
// or repaired after a crash.
type RecordingSum struct {
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // hexadecimal
}

// ForgetRecording detaches the recording.
func (c *Call) ForgetRecording() { c.Recording, c.RecordingSum = "", nil }

// LacksRecordingSum reports whether the recording's sum is missing because the call was interrupted: it could not be
// summed when the call ended.
func (c *Call) LacksRecordingSum() bool {
	interrupted := c.Status.IsRunning() || c.Status == Failed && ReasonOf(c.Failure) == Interrupted
	return c.Recording != "" && c.RecordingSum == nil && interrupted
}

// KeepRecordingSum sets the sum of a recording that lacks it.
func (c *Call) KeepRecordingSum(sum RecordingSum) {
	if c.LacksRecordingSum() {
		c.RecordingSum = &sum
	}
}

// HasRecording reports whether the call has a recording that may be played: it was answered, has ended, and the person
// was not erased.
func (c Call) HasRecording() bool {
	return c.Recording != "" && c.Status.IsFinal() && c.ErasedAt == nil
}

// SoundSpan is a span of a call's sound, in seconds from the answer.
type SoundSpan struct{ From, To float64 }
