package vad

const (
	rate   = 16000
	window = 512 // samples a probability
	ms     = rate / 1000

	exitMargin    = 0.15    // speech ends under Threshold minus this
	minExit       = 0.01    // but not under less than this
	minCutSilence = 98 * ms // a longer silence may be where a too long segment is cut
)

// SpeechParams says what counts as speech. The names are Silero's, shortened.
type SpeechParams struct {
	Threshold    float64 // a window of at least this probability is speech
	MinSpeechMS  int     // speech not longer than this is dropped
	MaxSpeechS   int     // longer speech is cut; 0 or less: never
	MinSilenceMS int     // a shorter silence doesn't end speech
	PadMS        int     // segments grow by this at both ends, or to the middle of a shorter gap
}

// DefaultParams returns the service's parameters. They differ from Silero's own.
func DefaultParams() SpeechParams {
	return SpeechParams{Threshold: 0.4, MinSpeechMS: 100, MaxSpeechS: 20, MinSilenceMS: 200, PadMS: 30}
}

// SpeechSegment is a stretch of speech: the samples Start … End-1.
type SpeechSegment struct{ Start, End int }
