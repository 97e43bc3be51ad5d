package locale

// Texts of the texts about a setting that somebody else saved while its form was open.

var ConflictTitle = Text{"حفظ غيرك نسخة أخرى وأنت تعدّل", "Someone saved another version while you were editing"}
var ConflictLead = Text{"لم يُحفظ تعديلك. النسختان جنبًا إلى جنب؛ عدّل النموذج إن لزم، ثم احفظ ثانيةً ليحل تعديلك محل نسخته.", "Your change is not saved. Both versions are side by side; edit the form if need be, then save again to replace theirs."}

// columns
var ConflictField = Text{"الإعداد", "Setting"}
var ConflictSaved = Text{"المحفوظ الآن", "Saved now"}
var ConflictTyped = Text{"تعديلك", "Your change"}
var ConflictEmpty = Text{"فارغ", "empty"}

// a switch
var ConflictOn = Text{"نعم", "yes"}
var ConflictOff = Text{"لا", "no"}

// SwitchText says whether a switch is on.
func SwitchText(l Language, on bool) string {
	if on {
		return ConflictOn.In(l)
	}
	return ConflictOff.In(l)
}
