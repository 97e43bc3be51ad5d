package vad

const (
	rate   = 16000
	window = 512 // samples per probability
	ms     = rate / 1000

	exitMargin    = 0.15    // VAD hysteresis: speech ends below Threshold minus this
	minExit       = 0.01    // lower bound of that
	minCutSilence = 98 * ms // minimum silence at which a too long segment is cut
)

// SpeechParams are the parameters of speech detection. The names are Silero's, shortened.
type SpeechParams struct {
	Threshold    float64 // speech probability threshold of a window
	MinSpeechMS  int     // speech of at most this duration is dropped
	MaxSpeechS   int     // longer speech is cut; 0 or less: never
	MinSilenceMS int     // minimum silence that ends speech (hangover)
	PadMS        int     // padding of segments at both ends, at most to the middle of a gap
}

// DefaultParams returns the service's parameters, which differ from Silero's defaults.
func DefaultParams() SpeechParams {
	return SpeechParams{Threshold: 0.4, MinSpeechMS: 100, MaxSpeechS: 20, MinSilenceMS: 200, PadMS: 30}
}

// SpeechSegment is a stretch of speech: the samples Start … End-1.
type SpeechSegment struct{ Start, End int }
