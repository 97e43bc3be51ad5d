package locale

// DefaultLabel describes the built-in model's training data and limits, one sentence a line. A page about another model
// passes other lines.
func DefaultLabel(l Language) []string {
	return pickLanguage(l, defaultLabelArabic(), defaultLabelEnglish())
}

// SampleWords is one bundled clip: its file in the assets, its caption (always Arabic: the spoken words, without vowel
// marks) and its length in seconds.
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
