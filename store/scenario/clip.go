package scenario

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"
)

// ClipLine begins a line of a test that is a recorded clip. In a stored scenario a span of a call's recording stands
// behind it, see [ClipSpan]; in a file of munadi scenario test the path of a sound file, seen from the test's file.
const ClipLine = "clip:"

// MaxClip is the longest clip.
const MaxClip = time.Minute

// ClipSpan is what the called person says in the recording of a call, from a time until another since the answer. It is
// no copy: it is gone with the recording, when that expires or the person is erased.
type ClipSpan struct {
	CallID   string
	From, To time.Duration
}

// clipName is the form of a span: CALL@FROM-TO, in seconds.
var clipName = regexp.MustCompile(
	`^([A-Za-z0-9_-]{1,128})@([0-9]{1,6}(?:\.[0-9]{1,3})?)-([0-9]{1,6}(?:\.[0-9]{1,3})?)$`)

// String returns the name of the span.
func (s ClipSpan) String() string {
	return fmt.Sprintf("%s@%.2f-%.2f", s.CallID, s.From.Seconds(), s.To.Seconds())
}

// ParseClip reads the name of a span; false for anything else, and for one that is empty or longer than [MaxClip].
func ParseClip(name string) (ClipSpan, bool) {
	parts := clipName.FindStringSubmatch(name)
	if parts == nil {
		return ClipSpan{}, false
	}
	times := [2]time.Duration{}
	for i := range times {
		seconds, err := strconv.ParseFloat(parts[2+i], 64)
		if err != nil {
			return ClipSpan{}, false
		}
		times[i] = time.Duration(math.Round(seconds*1000)) * time.Millisecond
	}
	s := ClipSpan{CallID: parts[1], From: times[0], To: times[1]}
	return s, s.From < s.To && s.To-s.From <= MaxClip
}
