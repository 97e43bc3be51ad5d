package arabic

// nowWords say "now", in the words of the dialects.
var nowWords = wordSet("الآن الحين ذحين هلق هلأ دلوقتي دلوقت توا توة دابا دروك هسه هسا هسع حالا فورا")

// SaysNow reports whether s says "now" and negates it not (مو الحين).
func SaysNow(s string) bool {
	words := foldedWords(s)
	for i, w := range words {
		if nowWords[w] {
			return i == 0 || !negators[words[i-1]]
		}
	}
	return false
}
