package arabic

// FindRepair reports whether words take back something that was said before (self-repair): after a no, a wish or a word
// of correction ("لا خلها ثلاثة", "أبغى كبسة", "غيرت رأيي"). It is sure with a word that only corrects: "قصدي الأحد",
// "بدل البيتزا كبسة".
func FindRepair(s string) (repairs, sure bool) {
	for _, w := range foldedWords(s) {
		w = plainWord(w)
		sure = sure || instead[w] || keepForms[w] || corrects[w]
		repairs = repairs || corrections[w] || wishes[w] || IsNegator(w)
	}
	return repairs || sure, sure
}

var corrects = wordSet("قصدي أقصد قصدت غلطت بالأصح رأيي غيرت")
