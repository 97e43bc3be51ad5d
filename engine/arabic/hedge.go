package arabic

// IsHedged reports whether an answer is a guess, a question, or depends on something, so that its value should be read
// back: "يمكن الخميس", "تقريبا خمسة", "هل الأحد متاح", "الأحد إذا قدرت", "خمسة أو لا", a lone "ممكن". "لو سمحت" and
// "إذا الله أراد" do not make it one.
func IsHedged(s string) bool {
	heard := parseSentence(s)
	for i := range heard {
		w, next := heard.fullWordAt(i), heard.fullWordAt(i+1)
		switch {
		case hedges[w], w == "هل", w == "ممكن" && len(heard) == 1,
			conditions[w] && next != "" && !courtesies[next],
			negators[w] && doubts[next],
			assents[w] == either && next == "لا" && i+2 == len(heard):
			return true
		}
	}
	return false
}

var (
	hedges = wordSet("يمكن ربما احتمال محتمل مدري أظن أظنه أعتقد تقريبا حوالي حوالين حسب بشوف أشوف نشوف بنشوف كذا")
	// conditions make an answer depend on what follows, and courtesies after them do not.
	conditions = wordSet("إذا لو")
	courtesies = wordSet("سمحت سمحتي سمحتوا سمحتم تكرمت تكرمتي تكرمتوا تكرمتم ممكن أمكن ما بغيت الله ربي ربنا")
)
