package arabic

// nowWords say "now", in the words of the dialects.
var nowWords = wordSet("الآن الحين ذحين هلق هلأ دلوقتي دلوقت توا توة دابا دروك هسه هسا هسع حالا فورا")

// SaysNow reports whether s is a short answer that says "now" and denies nothing ("مو الحين", "ما أقدر الحين"). In
// longer ones it is no answer ("أبغى أغير الموعد الحين").
func SaysNow(s string) bool {
	heard := parseSentence(s)
	for _, w := range heard {
		if nowWords[w.said] {
			return heard.isShortAnswer()
		}
	}
	return false
}

// isShortAnswer reports whether a sentence has at most three words, and none that denies.
func (s inputSentence) isShortAnswer() bool {
	for _, w := range s {
		if negators[w.said] || refusals[w.said] {
			return false
		}
	}
	return len(s) <= 3
}
