package locale

// TrialWords are the trial of a draft by typing.
type TrialWords struct {
	Title, Lead, Start, Again, Values, Answer, Say, Press, Silent, HangUp, Back string
	Platform, Person, Asks, Found, Over, Transferred, Suppressed, Report        string // Transferred with {to}
	MendFirst, Failed, Notes, Status                                            string
	ModelAsked, ModelMissing, ModelFailed                                       string // with {name} and {time}
}

// TrialIn returns its strings.
func TrialIn(l Language) TrialWords {
	return pickLanguage(l, TrialWords{
		Title: "جرّبه بالكتابة", Lead: "المحادثة نفسها بلا صوت، بما في النموذج الآن، قبل الحفظ. خطوة النموذج اللغوي تسأله كما في المكالمة، إن ضبطه مدير الخادم.",
		Start: "ابدأ", Again: "من البداية", Values: "قيم الحجز", Answer: "إجابتك", Say: "قُل", Press: "اضغط الأزرار", Silent: "اسكت",
		HangUp: "أغلق الخط", Back: "تراجع عن آخر إجابة", Platform: "المنصة", Person: "أنت", Asks: "تسأل عن", Found: "ما عُرف حتى الآن",
		Over: "انتهت المكالمة.", Transferred: "تُحوَّل المكالمة هنا إلى {to}.", Suppressed: "انتهت المكالمة، ولن يُتصل بهذا الرقم بعدها.",
		Report: "التقرير", MendFirst: "صحّح الأخطاء أولًا، ثم تستمر التجربة.", Failed: "لم تكتمل التجربة. أعد المحاولة.", Notes: "ملاحظات",
		Status:       "النتيجة",
		ModelAsked:   "سُئل النموذج اللغوي «{name}»، ويُنتظر كل رد منه {time} على الأكثر. قد يردّ في المكالمة بكلام آخر.",
		ModelMissing: "خطوة النموذج اللغوي تحتاج إلى نموذج اسمه «{name}»، وليس لمنظمتك نموذج بهذا الاسم. يضبطه مدير الخادم في llm-endpoints. تستمر التجربة كأنه لم يردّ.",
		ModelFailed:  "لم يردّ النموذج اللغوي «{name}» خلال {time}. تستمر التجربة كما تستمر المكالمة حينها. ابدأ من جديد لتسأله ثانية.",
	}, TrialWords{
		Title: "Try it by typing", Lead: "The same conversation without sound, with the form as it is now, before saving. A step of a language model asks it as a call does, if the administrator has set one.",
		Start: "Begin", Again: "From the beginning", Values: "Variables of the booking", Answer: "Your answer", Say: "Say", Press: "Press keys", Silent: "Stay silent",
		HangUp: "Hang up", Back: "Take back the last answer", Platform: "Platform", Person: "You", Asks: "Asks for", Found: "Known so far",
		Over: "The call is over.", Transferred: "Here the call is transferred to {to}.", Suppressed: "The call is over, and this number would not be called again.",
		Report: "Report", MendFirst: "Correct the errors first; then the trial continues.", Failed: "The trial failed. Try again.", Notes: "Notes",
		Status:       "Outcome",
		ModelAsked:   "The language model “{name}” was asked; each answer is waited for {time} at most. In a call it may answer in other words.",
		ModelMissing: "A step needs the language model “{name}”, and your organization has none of that name. The administrator sets it in llm-endpoints. The trial goes on as if it had not answered.",
		ModelFailed:  "The language model “{name}” did not answer in {time}. The trial goes on as a call would then. Begin again to ask it once more.",
	})
}
