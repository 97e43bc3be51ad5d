package locale

// ConflictWords are the texts about a setting that somebody else saved while its form was open.
type ConflictWords struct {
	Title, Lead         string
	Field, Saved, Typed string // columns
	Empty               string
	On, Off             string // a switch
}

// ConflictIn returns the strings.
func ConflictIn(l Language) ConflictWords {
	return pickLanguage(l, ConflictWords{
		Title: "حفظ غيرك نسخة أخرى وأنت تعدّل",
		Lead:  "لم يُحفظ تعديلك. النسختان جنبًا إلى جنب؛ عدّل النموذج إن لزم، ثم احفظ ثانيةً ليحل تعديلك محل نسخته.",
		Field: "الإعداد", Saved: "المحفوظ الآن", Typed: "تعديلك", Empty: "فارغ", On: "نعم", Off: "لا",
	}, ConflictWords{
		Title: "Someone saved another version while you were editing",
		Lead:  "Your change is not saved. Both versions are side by side; edit the form if need be, then save again to replace theirs.",
		Field: "Setting", Saved: "Saved now", Typed: "Your change", Empty: "empty", On: "yes", Off: "no",
	})
}

// SwitchText says whether a switch is on.
func (w ConflictWords) SwitchText(on bool) string {
	if on {
		return w.On
	}
	return w.Off
}
