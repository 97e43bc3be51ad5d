package features

// NewDefaultExtractor returns an extractor with the given number of mel filters, usually 80; none if mels is negative.
func NewDefaultExtractor(mels int) *MelExtractor {
	e, err := NewExtractor(mels, DefaultOptions())
	if err != nil { // the defaults are in range
		panic(err)
	}
	return e
}

// RoundNumber rounds a number to a precision.
func RoundNumber(precision string, v float64) float64 { return roundings[precision](v) }
