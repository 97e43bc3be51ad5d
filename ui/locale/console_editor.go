package locale

// EditorWords are the editor of scenarios.
type EditorWords struct {
	Form, Source, Lead, EmptyRemoves, Check, Save, Checked         string
	Settings, Name, About, Start, First                            string
	Longest, Ring, Machine, OptOut, Attempts, Delays, Endpoint     string
	OnePerLine, Usual                                              string
	Variables, VariablesHint, Variable, VariableName, Label        string
	VariableType, AnyType, VariableText, Phone, Required           string
	Default, Choices, Role                                         string
	Key, KeyHint, Say, SayHint, Line, Optional, CallBack           string
	Hear, Next, NextInList, EndsThere, More, MoveUp, MoveDown      string
	Duplicate, Delete, AddHere, AddFirst                           string
	Question, Slot, SlotHint, Answer, Yes, No, Digits, Min, Max    string
	Option, Phrases, PhrasesHint, Report, DTMF                     string
	Reask, NoInput, MaxReasks, Timeout, OnFailure, AsOtherwise     string
	NoBarge, Confirm, Also, BranchHere                             string
	When, NoCase, Test, Is, IsSet, IsUnset, Value, GoTo, Otherwise string
	To, ToHint, Prompt, Turns, AddSlot                             string
	Identify, Voicemail                                            string
	TooLarge, Unreadable, Broken                                   string
	Missing                                                        string // {id}
	Faulty                                                         CountedText
	BadNumber                                                      string
}

// EditorIn returns the strings.
func EditorIn(l Language) EditorWords { return pickLanguage(l, editorArabic(), editorEnglish()) }

func editorArabic() EditorWords {
	return EditorWords{
		Form: "النموذج", Source: "JSON", Lead: "خطوة بعد خطوة، كما تُقال. لا يُحفظ شيء حتى تضغط «احفظ».",
		EmptyRemoves: "املأ السطر الفارغ الأخير لتضيف سطرًا، وأفرغ السطر لتحذفه.", Check: "افحص", Save: "احفظ", Checked: "لا أخطاء فيه.",
		Settings: "الإعدادات", Name: "الاسم", About: "الوصف", Start: "يبدأ بالخطوة", First: "الأولى في القائمة",
		Longest: "أطول مكالمة بالثواني", Ring: "أطول رنين بالثواني", Machine: "المجيب الآلي", OptOut: "عبارات تمنع الاتصال لاحقًا",
		Attempts: "عدد المحاولات", Delays: "الدقائق بين المحاولات", Endpoint: "النموذج اللغوي (اسم من مدير الخادم)",
		OnePerLine: "واحدة في كل سطر", Usual: "المعتاد: {n}",
		Variables: "القيم التي يأتي بها الحجز", VariablesHint: "تُكتب في الأسطر هكذا: {{name}}", Variable: "قيمة", VariableName: "المفتاح", Label: "التسمية",
		VariableType: "النوع", AnyType: "أي قيمة", VariableText: "نص", Phone: "رقم هاتف", Required: "مطلوبة",
		Default: "القيمة الافتراضية", Choices: "الخيارات", Role: "الدور",
		Key: "المفتاح", KeyHint: "اسم الخطوة في JSON. تغييره يغيّر كل ما يشير إليها.", Say: "ما يُقال", SayHint: "اكتب ما يُقال", Line: "سطر", Optional: "إن أمكن", CallBack: "يَعِد باتصال آخر",
		Hear: "اسمع", Next: "ثم", NextInList: "الخطوة التالية في القائمة", EndsThere: "تنتهي المكالمة", More: "المزيد", MoveUp: "انقل إلى أعلى", MoveDown: "انقل إلى أسفل",
		Duplicate: "كرّر", Delete: "احذف", AddHere: "أضف خطوة هنا", AddFirst: "أضف خطوة في البداية",
		Question: "السؤال", Slot: "مفتاح الإجابة", SlotHint: "اسم الإجابة في التقرير، بحروف لاتينية", Answer: "نوع الإجابة",
		Yes: "عبارات أخرى تعني نعم", No: "عبارات أخرى تعني لا", Digits: "عدد الأرقام", Min: "أقل قيمة", Max: "أكبر قيمة",
		Option: "خيار", Phrases: "ما يقوله الناس", PhrasesHint: "عبارة في كل سطر", Report: "القيمة في التقرير", DTMF: "الزر",
		Reask: "إن لم تُفهم الإجابة", NoInput: "إن سكت", MaxReasks: "كم مرة يُعاد السؤال", Timeout: "ثواني الانتظار", OnFailure: "إن لم تأتِ إجابة",
		AsOtherwise: "كما لو أجاب", NoBarge: "لا يُقاطع", Confirm: "أعد القيمة واسأل: هل هي صحيحة", Also: "وقد يجيب أيضًا عن", BranchHere: "فرّع بحسب الإجابة",
		When: "إذا كان", NoCase: "—", Test: "المقارنة", Is: "يساوي", IsSet: "معروفًا", IsUnset: "غير معروف", Value: "القيمة", GoTo: "اذهب إلى", Otherwise: "وإلا",
		To: "يُحوَّل إلى", ToHint: "رقم دولي مثل +966512345601 أو عنوان SIP مثل sip:desk@pbx.example", Prompt: "تعليمات النموذج", Turns: "أكثر عدد من الإجابات", AddSlot: "أضف إجابة",
		Identify: "لمن يسأل: من معي؟", Voicemail: "ما يُترك في البريد الصوتي",
		TooLarge:   "السيناريو أكبر من أن يُعرض في النموذج. عدّله بصيغة JSON.",
		Unreadable: "لا يمكن عرضه في النموذج حتى تُصحَّح هذه الأخطاء في JSON.",
		Broken:     "لم يُحفظ شيء.", Missing: "غير موجودة: {id}",
		Faulty: arabicCount(
			"لا أخطاء.", "خطأ واحد، بجانب حقله.", "خطآن، كلٌّ بجانب حقله.", "{n} أخطاء، كلٌّ بجانب حقله.",
			"{n} خطأً، كلٌّ بجانب حقله.", "{n} خطأ، كلٌّ بجانب حقله.",
		),
		BadNumber: "اكتب عددًا.",
	}
}

func editorEnglish() EditorWords {
	return EditorWords{
		Form: "Form", Source: "JSON", Lead: "Step by step, as it is spoken. Nothing is saved until you press Save.",
		EmptyRemoves: "Fill the empty last line to add one; clear a line to remove it.", Check: "Check", Save: "Save", Checked: "No errors.",
		Settings: "Settings", Name: "Name", About: "Description", Start: "Begins with", First: "the first in the list",
		Longest: "Longest call, in seconds", Ring: "Rings for at most, in seconds", Machine: "Answering machines", OptOut: "Phrases that forbid later calls",
		Attempts: "Attempts", Delays: "Minutes between attempts", Endpoint: "Language model (a name set by the administrator)",
		OnePerLine: "One on each line", Usual: "Usual: {n}",
		Variables: "Variables of the booking", VariablesHint: "Write them in lines as {{name}}", Variable: "Variable", VariableName: "Key", Label: "Label",
		VariableType: "Type", AnyType: "any value", VariableText: "text", Phone: "telephone number", Required: "Required",
		Default: "Default", Choices: "Choices", Role: "Role",
		Key: "Key", KeyHint: "The step's name in the JSON. A change is applied wherever it is used.", Say: "What is said", SayHint: "Write what is said", Line: "Line", Optional: "if possible", CallBack: "promises another call",
		Hear: "Listen", Next: "Then", NextInList: "the next step in the list", EndsThere: "the call ends", More: "More", MoveUp: "Move up", MoveDown: "Move down",
		Duplicate: "Duplicate", Delete: "Delete", AddHere: "Add a step here", AddFirst: "Add a step at the beginning",
		Question: "Question", Slot: "Key of the answer", SlotHint: "Its name in the report, in Latin letters", Answer: "Kind of answer",
		Yes: "Other phrases for yes", No: "Other phrases for no", Digits: "Digits", Min: "At least", Max: "At most",
		Option: "Option", Phrases: "What people say", PhrasesHint: "One phrase on each line", Report: "Value in the report", DTMF: "Key pressed",
		Reask: "When the answer is not understood", NoInput: "When nothing is said", MaxReasks: "Times to ask again", Timeout: "Seconds to wait", OnFailure: "Without an answer",
		AsOtherwise: "as after an answer", NoBarge: "Can't be interrupted", Confirm: "Read the value back and ask whether it is right", Also: "May answer, too", BranchHere: "Branch by the answer",
		When: "If", NoCase: "—", Test: "Comparison", Is: "is", IsSet: "is known", IsUnset: "is not known", Value: "Value", GoTo: "go to", Otherwise: "Otherwise",
		To: "Transfers to", ToHint: "An international number as +966512345601, or a SIP address as sip:desk@pbx.example", Prompt: "The model's instructions", Turns: "Answers at most", AddSlot: "Add an answer",
		Identify: "Answer to: who is calling?", Voicemail: "Left on voicemail",
		TooLarge:   "The scenario is too large for the form. Edit its JSON.",
		Unreadable: "The form can't show it until these errors in the JSON are corrected.",
		Broken:     "Nothing was saved.", Missing: "does not exist: {id}",
		Faulty: englishCount("One error, shown beside its field.", "{n} errors, each shown beside its field."), BadNumber: "Write a number.",
	}
}
