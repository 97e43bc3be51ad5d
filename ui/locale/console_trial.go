package locale

// TrialWords are the trial of a draft by typing.
type TrialWords struct {
	Title, Lead, Start, Again, Values, Answer, Say, Press, Silent, HangUp, Back string
	Platform, Person, Asks, Found, Over, Transferred, Suppressed, Report        string // Transferred with {to}
	MendFirst, Failed, Notes, Status                                            string
}

// TrialIn returns its strings.
func TrialIn(l Language) TrialWords {
	return pickLanguage(l, TrialWords{
		Title: "جرّبه بالكتابة", Lead: "المحادثة نفسها بلا صوت، بما في النموذج الآن، قبل الحفظ. لا يُسأل فيها نموذج لغوي.",
		Start: "ابدأ", Again: "من البداية", Values: "قيم الحجز", Answer: "جوابك", Say: "قُل", Press: "اضغط الأزرار", Silent: "اسكت",
		HangUp: "أغلق الخط", Back: "تراجع عن آخر جواب", Platform: "المنصة", Person: "أنت", Asks: "تسأل عن", Found: "ما عُرف حتى الآن",
		Over: "انتهت المكالمة.", Transferred: "تُحوَّل المكالمة هنا إلى {to}.", Suppressed: "انتهت المكالمة، ولن يُتصل بهذا الرقم بعدها.",
		Report: "التقرير", MendFirst: "صحّح الأخطاء أولًا، ثم تستمر التجربة.", Failed: "لم تكتمل التجربة. أعد المحاولة.", Notes: "ملاحظات",
		Status: "النتيجة",
	}, TrialWords{
		Title: "Try it by typing", Lead: "The same conversation without sound, with the form as it is now, before saving. No language model is asked.",
		Start: "Begin", Again: "From the beginning", Values: "Values of the booking", Answer: "Your answer", Say: "Say", Press: "Press keys", Silent: "Stay silent",
		HangUp: "Hang up", Back: "Take back the last answer", Platform: "Platform", Person: "You", Asks: "Asks for", Found: "Found out so far",
		Over: "The call is over.", Transferred: "Here the call is transferred to {to}.", Suppressed: "The call is over, and this number would not be called again.",
		Report: "Report", MendFirst: "Mend the faults first; then the trial goes on.", Failed: "The trial did not get through. Try again.", Notes: "Notes",
		Status: "Outcome",
	})
}
