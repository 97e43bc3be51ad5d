package locale

// DefaultLabel says what the built-in model was trained on and what it can't do, one sentence a line. A page that shows
// another model passes its own lines.
func DefaultLabel(l Language) []string {
	return pickLanguage(l, defaultLabelArabic(), defaultLabelEnglish())
}

// SampleWords is one bundled clip: its file in the assets, its caption (always Arabic: it is what is said, without
// vowel marks) and its length in seconds.
type SampleWords struct {
	File    string
	Caption string
	Seconds int
}

// AllSamples lists the bundled clips, shortest first.
func AllSamples() []SampleWords {
	return []SampleWords{
		{File: "samples/confirm.flac", Caption: "نعم أؤكد الموعد", Seconds: 2},
		{File: "samples/time.flac", Caption: "الساعة الخامسة مساء", Seconds: 3},
		{File: "samples/appointment.flac", Caption: "موعد في خمس جمل", Seconds: 12},
		{File: "samples/order.flac", Caption: "طلب في ست جمل", Seconds: 16},
	}
}
