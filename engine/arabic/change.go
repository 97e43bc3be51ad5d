package arabic

import (
	"slices"
	"strings"
	"time"
)

// ChangeRequest is a wish to change what was agreed.
type ChangeRequest int

// The wishes.
const (
	NoChange      ChangeRequest = iota
	MoveRequest                 // to another day, hour or place: "أبغى أغير الوقت", "أجلوه", "ممكن يوم ثاني"
	CancelRequest               // "ألغوا الحجز", "كنسل الموعد"
)

// FindChangeRequest finds a wish to move or cancel what was agreed, in the forms of verb and noun that people use, and
// one that is denied ("لا تلغوه", "ما أبغى أغير"): the last of each. After لا a noun or a wish may begin a new sentence
// ("لا أريد تغيير الموعد"), and is neither; "ما أبغى الأحد بدل الخميس" changes nothing.
func FindChangeRequest(s string) (wanted, denied ChangeRequest) {
	words := foldedWords(s)
	for i := range words {
		r := changeRequestAt(words[i:])
		if r == NoChange || i+1 < len(words) && particulars[words[i+1]] ||
			instead[words[i]] && slices.ContainsFunc(words[:i], IsNegator) {
			continue
		}
		switch negator := negatorBefore(words[:i]); {
		case negator == "", negator == "لا" && isPluralImperative(words[i]):
			wanted = r
		case negator != "لا", strings.HasPrefix(words[i], "ت") && !changeNouns[words[i]]:
			denied = r
		}
	}
	return wanted, denied
}

// changeRequestAt reads a request that begins with the first word.
func changeRequestAt(words []string) ChangeRequest {
	w := strings.TrimPrefix(words[0], "و")
	next := ""
	for _, follows := range words[1:min(3, len(words))] {
		if next = follows; next != "لي" && next != "لنا" { // "قدموا لي الموعد"
			break
		}
	}
	switch {
	case removals[w] && changed[next]:
		return CancelRequest
	case (keepForms[w] || instead[w]) && next != "" && namesWhen(words[1:min(5, len(words))]):
		return MoveRequest
	case changeForms[w] != NoChange:
		return changeForms[w]
	case changeStems[w] && (changed[next] || nouns[next]), changed[w] && otherWords[next]:
		return MoveRequest
	}
	return NoChange
}

// namesWhen reports whether words begin with a day or a time: "خلوه يوم الأحد" moves, "خلوه كذا" does not.
func namesWhen(words []string) bool {
	heard := parseSentence(strings.Join(words, " "))
	_, day := heard.looseDay(0, time.Time{})
	_, hour := heard.timeAt(0)
	return day > 0 || hour
}

// negatorBefore returns the negator that words end with, also before a wish.
func negatorBefore(words []string) string {
	n := len(words)
	if n > 1 && wishes[plainWord(words[n-1])] {
		n--
	}
	if n > 0 && IsNegator(words[n-1]) {
		return plainWord(words[n-1])
	}
	return ""
}

// isPluralImperative reports whether a form is one of ألغوا, ألغوه, ألغوها, which لا does not negate.
func isPluralImperative(w string) bool {
	plural := strings.HasSuffix(w, "وا") || strings.HasSuffix(w, "وه") || strings.HasSuffix(w, "وها")
	return plural && !strings.HasPrefix(w, "ت")
}

var (
	changeForms = changeTable(map[ChangeRequest]string{
		MoveRequest: "تغيير تغييره تغييرها تغير تغيرون تغيرونه تغيره تغيرها تغيروا تغيروه أغير أغيره أغيرها نغير " +
			"نغيره نغيرها غيره غيرها غيروا غيروه غيروها بغير بغيره تأجيل تأجيله أؤجل أأجل أأجله أؤجله نؤجل نؤجله " +
			"نأجل نأجله أأخر أأخره نأخر نأخره أخروا أخروه " +
			"أجله أجلها أجلوا أجلوه أجلوها تأجل تأجله تأجلون تأجلونه تأجلوا تأجلوه تؤجل تؤجله تؤجلون " +
			"تؤجلوا بأجل نقله أنقل أنقله ننقل ننقله تنقل تنقله تنقلون انقلوا انقلوه تعديل أعدل أعدله نعدل عدلوا " +
			"عدلوه تقديمه أقدمه نقدمه قدموه تبديل أبدل أبدله نبدل بدلوه",
		CancelRequest: "إلغاء إلغاءه إلغاؤه ألغي ألغيه ألغيها ألغوا ألغوه ألغوها ألغه نلغي نلغيه تلغي تلغيه تلغيها " +
			"تلغون تلغونه تلغوا تلغوه لاغي كنسل كنسله كنسلوا كنسلوه أكنسل أكنسله نكنسل تكنسل تكنسلون كانسل كانسلوه",
	})
	keepForms   = wordSet("خله خليه خلوه خلها خليها خلوها نخليه نخليها خلينا خلونا")
	changeNouns = wordSet("تغيير تغييره تغييرها تأجيل تأجيله تعديل تقديمه تبديل")
	// changeStems are verbs of the imperative that mean something else alone: غير (not), أجل (yes), نقل (transport).
	changeStems = wordSet("غير غيري غيرلي أجل أجلي نقل انقل عدل بدل بدلي قدم قدموا قدمي")
	removals    = wordSet("شيل شيلوا شيلي احذف احذفوا احذفي امسح امسحوا امسحي")
	changed     = wordSet("الموعد موعدي موعدنا موعد موعدا الوقت وقت اليوم يوم الساعة ساعة الحجز حجزي التاريخ تاريخ " +
		"الطلب طلبي")
	// particulars are details that are changed without changing what was agreed: "بس غيروا العنوان".
	particulars = wordSet("العنوان عنوان عنواني الرقم رقم رقمي رقمنا الاسم اسم اسمي النمرة نمرتي الجوال جوالي الإيميل")
	otherWords  = wordSet("آخر ثاني تاني غيره غيرها أخرى ثانية تانية مختلف أقرب أبعد أبكر")
)

func changeTable(forms map[ChangeRequest]string) map[string]ChangeRequest {
	out := map[string]ChangeRequest{}
	for r, list := range forms {
		for w := range wordSet(list) {
			out[w] = r
		}
	}
	return out
}
