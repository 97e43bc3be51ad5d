package modelinstall

// FaultKind is the step in which a model turned out to be unusable.
type FaultKind string

// Kinds of faults.
const (
	NotConvertible FaultKind = "not_convertible" // the file is damaged, hostile, or of a model that cannot be imported
	CannotDecode   FaultKind = "cannot_decode"   // it does not load, or recognizes nothing in clear speech
	NotArabic      FaultKind = "not_arabic"      // it decodes, but does not recognize Arabic
	EightBits      FaultKind = "eight_bits"      // its 8-bit form was asked for, and it has 8-bit weights already
)

// FaultError is an error with its kind; its text is that of Err.
type FaultError struct {
	Kind FaultKind
	Err  error
}

func (e *FaultError) Error() string { return e.Err.Error() }

func (e *FaultError) Unwrap() error { return e.Err }

// withKind returns an error with its kind; nil for nil.
func withKind(kind FaultKind, err error) error {
	if err == nil {
		return nil
	}
	return &FaultError{kind, err}
}
