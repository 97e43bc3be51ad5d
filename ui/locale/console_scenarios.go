package locale

import (
	"cmp"
	"strings"
)

// ScenariosWords are the texts of the scenario pages.
type ScenariosWords struct {
	Title, Lead                                string
	New, NewTitle, NewLead, NewDo              string
	From, Name, ID, IDHint, IDTaken, NameEmpty string
	BuiltIn, Own, Replaced                     string // marks
	StepCount                                  CountedText
	Open, Edit, EditCopy, Delete, Back, Search string
	Versions                                   string

	Script, Variables, Conduct, Required, Default string
	Play, Optional, WithValues                    string
	Asks, Choices, Yes, No, Digits, Range         string // Range with {min} and {max}
	Also, Reask, NoInput, Confirms                string
	Reasks, Turns, Waits, WrongCount, RetryText   CountedText // RetryText with {min}
	Otherwise, When, Is, IsSet, IsUnset, Goes     string
	EndsThere, OnFailure, To                      string
	Model, NoBargeIn                              string

	Say, Ask, Branch, Transfer, LLM, End    string // types of steps
	YesNo, Number, Date, Time, Choice, Text string // types of slots

	Retry, Once, Longest, Ring, Machine       string
	MachineOff, MachineDetect, MachineHangUp  string
	OptOut, Identify, Hours, Reports, Minutes string
	Seconds                                   CountedText
	JSON                                      string

	EditTitle, EditLead, Save, SaidSaved, SaidMade, Unspoken string
	Wrong, Line, NotJSON, NotJSONDo, TooLong                 string // Line with {line}
	ReplaceNote                                              string
	KeepID, Guide                                            string

	DeleteTitle, DeleteText, DeleteReplaced, SaidDeleted string

	Try, TryLead, TryWhom, TryDo, Closed string

	Yields, Interrupts, Changes, Cancels, Keys, AsksAgain, Shy, Slow                          string
	NoAnswer, Declines, Unavailable, Voicemail, NoCarrier, HangsUp, Busy, Silent, Noisy, Late string
}

// StepName returns the display name of a type of step.
func (w ScenariosWords) StepName(kind string) string {
	return wordFor(kind, map[string]string{
		"say": w.Say, "ask": w.Ask, "branch": w.Branch, "transfer": w.Transfer, "llm": w.LLM, "end": w.End,
	})
}

// SlotName returns the display name of a type of slot.
func (w ScenariosWords) SlotName(kind string) string {
	return wordFor(kind, map[string]string{
		"yes_no": w.YesNo, "number": w.Number, "date": w.Date, "time": w.Time, "choice": w.Choice, "text": w.Text,
	})
}

// MachineName returns the display name of a policy about answering machines.
func (w ScenariosWords) MachineName(policy string) string {
	return wordFor(policy, map[string]string{
		"off": w.MachineOff, "detect": w.MachineDetect, "detect_and_hang_up": w.MachineHangUp,
	})
}

// wordFor returns the word for a key; the key where there is none.
func wordFor(key string, words map[string]string) string {
	if word := words[key]; word != "" {
		return word
	}
	return key
}

// FillRange fills two ends in.
func FillRange(sentence, low, high string) string {
	return strings.NewReplacer("{min}", low, "{max}", high).Replace(sentence)
}

// ScenariosIn returns the strings.
func ScenariosIn(l Language) ScenariosWords {
	return pickLanguage(l, scenariosArabic(), scenariosEnglish())
}

func scenariosArabic() ScenariosWords {
	return ScenariosWords{
		Title: "السيناريوهات", Lead: "ما تقوله المكالمة وما تسأل عنه.",
		New: "سيناريو جديد", NewTitle: "سيناريو جديد", NewLead: "انسخ سيناريو قائمًا ثم غيّر فيه ما تشاء.", NewDo: "أنشئ النسخة",
		From: "نسخة من", Name: "الاسم", ID: "المعرّف", IDHint: "من 1 إلى 64 من \u2066a-z 0-9 _ -\u2069. يُستعمل في API ولا يتغير.",
		IDTaken: "هذا المعرّف مستعمل أو غير صالح. اختر غيره.", NameEmpty: "اكتب اسمًا.",
		BuiltIn: "مدمج", Own: "خاص بالمنظمة", Replaced: "بديل عن مدمج",
		StepCount: arabicNoun("", "لا خطوات", "خطوة واحدة", "خطوتان", "خطوات", "خطوة", "خطوة", ""),
		Open:      "افتح", Edit: "عدّل", EditCopy: "عدّل نسخة", Delete: "احذف", Back: "رجوع", Search: "بحث في السيناريوهات",
		Versions: "الإصدارات",
		Script:   "النص", Variables: "القيم", Conduct: "السلوك", Required: "مطلوب", Default: "القيمة الافتراضية",
		Play: "اسمع", Optional: "إن أمكن", WithValues: "تُملأ القيم عند الاتصال",
		Asks: "يسأل عن", Choices: "الخيارات", Yes: "نعم أيضًا", No: "لا أيضًا", Digits: "عدد الأرقام", Range: "من {min} إلى {max}",
		Also: "وقد يجيب عن", Reask: "إن لم يُفهم", NoInput: "إن سكت",
		Reasks: arabicNoun("", "لا يُعاد السؤال", "يُعاد السؤال مرة واحدة على الأكثر", "يُعاد السؤال مرتين على الأكثر",
			"إعادات للسؤال على الأكثر", "إعادة للسؤال على الأكثر", "إعادة للسؤال على الأكثر", ""),
		Confirms:  "يعيد القيمة ويسأل: هل هي صحيحة",
		Otherwise: "وإلا", When: "إذا كان", Is: "يساوي", IsSet: "معروفًا", IsUnset: "غير معروف", Goes: "اذهب إلى",
		EndsThere: "تنتهي المكالمة", OnFailure: "إن لم ينجح", To: "يحوّل إلى",
		Model: "تعليمات النموذج",
		Turns: arabicNoun("", "لا إجابات", "إجابة واحدة على الأكثر", "إجابتان على الأكثر", "إجابات على الأكثر",
			"إجابة على الأكثر", "إجابة على الأكثر", ""),
		NoBargeIn: "لا يُقاطع",
		Waits:     arabicNoun("ينتظر ", "0 ثوانٍ", "ثانية واحدة", "ثانيتين", "ثوانٍ", "ثانية", "ثانية", ""),
		Say:       "قول", Ask: "سؤال", Branch: "تفرّع", Transfer: "تحويل", LLM: "نموذج لغوي", End: "نهاية",
		YesNo: "نعم أو لا", Number: "عدد", Date: "تاريخ", Time: "وقت", Choice: "اختيار", Text: "كلام حر",
		Retry: "إعادة المحاولة",
		RetryText: arabicNoun("", "لا محاولات", "محاولة واحدة", "محاولتان", "محاولات", "محاولة", "محاولة",
			"، بينها بالدقائق: {min}"),
		Once: "محاولة واحدة", Longest: "أطول مكالمة", Ring: "أطول رنين", Machine: "المجيب الآلي",
		MachineOff: "لا يُكشف", MachineDetect: "يُسجَّل ويُتابَع (نغمات الفاكس والشبكة تُنهي المكالمة)", MachineHangUp: "تُغلق المكالمة",
		Seconds: arabicNoun("", "0 ثوانٍ", "ثانية واحدة", "ثانيتان", "ثوانٍ", "ثانية", "ثانية", ""),

		OptOut: "عبارات المنع", Identify: "لمن يسأل: من معي؟", Hours: "ساعات اتصال خاصة به", Reports: "ما يُبلَّغ", Minutes: "دقيقة", JSON: "JSON",
		EditTitle: "تعديل السيناريو", EditLead: "هذا هو السيناريو كله بصيغة JSON. لا يُحفظ إلا إذا كان سليمًا كله.", Save: "احفظ",
		SaidSaved: "حُفظ السيناريو. المكالمات القادمة تسير به.", SaidMade: "أُنشئت النسخة. غيّر فيها ما تشاء.",
		Unspoken:   "لا تسجيل لهذا السطر ولا صوت يقوله: «{line}». أضف تسجيلًا له، أو اضبط speech-url، أو ثبّت espeak-ng، أو اجعل السطر اختياريًا.",
		Wrong:      "لم يُحفظ شيء.",
		WrongCount: arabicNoun("", "لا أخطاء", "خطأ واحد", "خطآن", "أخطاء", "خطأً", "خطأ", ""),
		Line:       "السطر {line}", NotJSON: "هذا ليس JSON سليمًا.",
		NotJSONDo: "لا تُفهم الكتابة ابتداءً من هنا. انظر الفواصل بين القيم، وعلامات الاقتباس حول النصوص، وأن لكل قوس قوسًا يغلقه.", TooLong: "السيناريو أكبر من 1 ميغابايت. اختصره.",
		ReplaceNote: "هذا سيناريو مدمج: يُحفظ تعديلك نسخةً خاصة بمنظمتك تحل محله، وبحذفها يعود المدمج.",
		KeepID:      "المعرّف لا يتغير. لمعرّف آخر أنشئ نسخة.", Guide: "كل الحقول مشروحة في وصف OpenAPI.",
		DeleteTitle: "حذف السيناريو؟", DeleteText: "تُحذف معه إصداراته، والمكالمات المحجوزة به تفشل عند موعدها.",
		DeleteReplaced: "يعود السيناريو المدمج الذي كان هذا بديلًا عنه.", SaidDeleted: "حُذف السيناريو.",
		Try: "جرّبه في المحاكاة", TryLead: "مكالمة إلى شخص محاكى يجيب بصوته. لا يرنّ أي هاتف.", TryWhom: "من يجيب", TryDo: "اتصل الآن",
		Closed: "لا ساعات اتصال في السنة القادمة.",
		Yields: "متعاون: يوافق ويجيب", Interrupts: "متعاون لا ينتظر نهاية السؤال", Changes: "يريد موعدًا آخر", Cancels: "يعتذر عن كل شيء",
		Keys: "يكتب الأرقام بالأزرار", AsksAgain: "يطلب إعادة السؤال الأول", Shy: "يسكت أول مرة", Slow: "يفكر طويلًا",
		NoAnswer: "لا يرد", Declines: "يرفض", Unavailable: "هاتفه غير متاح", Voicemail: "بريد صوتي", NoCarrier: "عطل لدى شركة الاتصالات",
		HangsUp: "يغلق في منتصف المكالمة", Busy: "مشغول", Silent: "يرد ولا يتكلم", Noisy: "متعاون في ضجيج", Late: "لا يرد أول مرة ثم يرد",
	}
}

func scenariosEnglish() ScenariosWords {
	return ScenariosWords{
		Title: "Scenarios", Lead: "What a call says, and what it asks.",
		New: "New scenario", NewTitle: "New scenario", NewLead: "Copy an existing scenario, then change it.", NewDo: "Make the copy",
		From: "A copy of", Name: "Name", ID: "Id", IDHint: "1 to 64 of a-z 0-9 _ -. The API uses it; it doesn't change.",
		IDTaken: "This id is in use or not valid. Choose another.", NameEmpty: "Give it a name.",
		BuiltIn: "built in", Own: "the organization's own", Replaced: "replaces a built-in one", StepCount: englishCount("one step", "{n} steps"),
		Open: "Open", Edit: "Edit", EditCopy: "Edit a copy", Delete: "Delete", Back: "Back", Search: "Search the scenarios",
		Versions: "Versions",
		Script:   "Script", Variables: "Variables", Conduct: "Behaviour", Required: "required", Default: "default",
		Play: "Listen", Optional: "if possible", WithValues: "values are filled in during the call",
		Asks: "Asks for", Choices: "Choices", Yes: "Also yes", No: "Also no", Digits: "Digits", Range: "from {min} to {max}",
		Also: "May answer too", Reask: "Not understood", NoInput: "Silence", Reasks: englishCount("asks again once at most", "asks again {n} times at most"), Confirms: "reads the value back and asks whether it is right",
		Otherwise: "Otherwise", When: "If", Is: "is", IsSet: "is known", IsUnset: "is not known", Goes: "go to",
		EndsThere: "the call ends", OnFailure: "If it fails", To: "Transfers to",
		Model: "The model's instructions", Turns: englishCount("one answer at most", "{n} answers at most"), NoBargeIn: "can't be interrupted", Waits: englishCount("waits one second", "waits {n} seconds"),
		Say: "Say", Ask: "Ask", Branch: "Branch", Transfer: "Transfer", LLM: "Language model", End: "End",
		YesNo: "yes or no", Number: "number", Date: "date", Time: "time", Choice: "choice", Text: "free speech",
		Retry: "Retries", RetryText: englishCount("one attempt", "{n} attempts, minutes between them: {min}"), Once: "one attempt", Longest: "Longest call", Ring: "Rings for", Machine: "Answering machines",
		MachineOff: "are not looked for", MachineDetect: "are noted, and talked to (tones of a fax or the network end the call)", MachineHangUp: "are hung up on", Seconds: englishCount("one second", "{n} seconds"),
		OptOut: "Opt-out phrases", Identify: "Answer to: who is calling?", Hours: "Its own calling hours", Reports: "Reports", Minutes: "minutes", JSON: "JSON",
		EditTitle: "Edit the scenario", EditLead: "The whole scenario as JSON. It is saved only when all of it is valid.", Save: "Save",
		SaidSaved: "The scenario is saved. Calls follow it from now on.", SaidMade: "The copy is made. Change what you like.",
		Unspoken: "This line has no recording and no voice that can say it: “{line}”. Add a recording of it, set speech-url, install espeak-ng, or make the line optional.",
		Wrong:    "Nothing was saved.", WrongCount: englishCount("one error", "{n} errors"), Line: "Line {line}", NotJSON: "This is not valid JSON.",
		NotJSONDo: "It can't be read from here on. Look at the commas between values, the quotes around texts, and that each bracket is closed.", TooLong: "The scenario is larger than 1 MB. Shorten it.",
		ReplaceNote: "This scenario is built in: what you save is your organization's copy and replaces it. Delete the copy to return to the built-in one.",
		KeepID:      "The id doesn't change. For another id, make a copy.", Guide: "Every field is explained in the API's description.",
		DeleteTitle: "Delete the scenario?", DeleteText: "Its versions go with it. Calls that are booked with it fail when they are due.",
		DeleteReplaced: "The built-in scenario that it replaced is used again.", SaidDeleted: "The scenario is deleted.",
		Try: "Try it in the simulator", TryLead: "A call to a simulated person, who answers aloud. No telephone rings.", TryWhom: "Who answers", TryDo: "Call now",
		Closed: "There are no calling hours within a year.",
		Yields: "Cooperative: agrees and answers", Interrupts: "Cooperative, interrupts questions", Changes: "Wants another time", Cancels: "Declines everything",
		Keys: "Enters numbers by keypad", AsksAgain: "Asks for the first question again", Shy: "Is silent the first time", Slow: "Takes long to answer",
		NoAnswer: "Doesn't answer", Declines: "Declines the call", Unavailable: "Is not available", Voicemail: "Voicemail", NoCarrier: "Carrier failure",
		HangsUp: "Hangs up midway", Busy: "Busy", Silent: "Answers and says nothing", Noisy: "Cooperative, in noise", Late: "Answers at the second attempt",
	}
}

// builtInNames are the English names of the built-in scenarios, by id; their own are Arabic.
var builtInNames = map[string]string{
	"appointment_confirmation": "Appointment confirmation",
	"restaurant_order":         "Restaurant order",
}

// BuiltInName returns the name of a built-in scenario in a language; own is the one that the scenario has.
func BuiltInName(l Language, id, own string) string {
	return pickLanguage(l, own, cmp.Or(builtInNames[id], own))
}
