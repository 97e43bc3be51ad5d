package locale

// PhrasesWords are the words of the restaurant mode.
type PhrasesWords struct {
	Title, Lead                   string
	Bias, BiasHint                string
	Enter, EnterHint              string
	Exit, ExitHint                string
	BuiltIn                       CountedText // the two choices
	Own                           string
	OwnHint                       string
	Save, Reset                   string
	ResetTitle, ResetText, Back   string
	SaidSaved, SaidReset, Wrong   string
	TooMany, TooLong, Both, Folds string // with {line}
	Only                          string
	HowTitle, How, HowHeader      string
}

// PhrasesIn returns the strings.
func PhrasesIn(l Language) PhrasesWords {
	return pickLanguage(l, PhrasesWords{
		Title: "عبارات المطعم", Lead: "في وضع المطعم يرجّح المُفكِّك هذه العبارات، وتُكتب الأعداد أرقامًا.",
		Bias: "الأطباق والأحجام والإضافات", BiasHint: "عبارة في كل سطر. يرجّح التعرّف هذه العبارات.",
		Enter: "عبارات الدخول", EnterHint: "حين تُسمع إحداها في جلسة يبدأ الوضع من الطلب التالي.",
		Exit: "عبارات الخروج", ExitHint: "حين تُسمع إحداها ينتهي الوضع.",
		BuiltIn: arabicNoun("القائمة المدمجة: ", "فارغة", "عبارة واحدة", "عبارتان", "عبارات", "عبارة", "عبارة", ""),
		Own:     "قائمتي", OwnHint: "تُحفظ هذه القائمة إذا اخترت: قائمتي.",
		Save: "احفظ العبارات", Reset: "ارجع إلى المدمجة", ResetTitle: "الرجوع إلى القوائم المدمجة؟",
		ResetText: "تُحذف قوائمك الثلاث. الجلسات الجارية تأخذ القوائم المدمجة من طلبها التالي.", Back: "رجوع",
		SaidSaved: "حُفظت العبارات.", SaidReset: "عادت القوائم المدمجة.", Wrong: "لم يُحفظ شيء: صحّح ما أُشير إليه أدناه.",
		TooMany: "القائمة أطول من 2000 عبارة. احذف بعضها.", TooLong: "العبارة في السطر {line} أطول من 100 حرف. اختصرها.",
		Both:     "العبارة في السطر {line} من عبارات الدخول أيضًا. احذفها من إحدى القائمتين.",
		Folds:    "ليس في السطر {line} كلمة. اكتب فيه عبارة أو احذفه.",
		Only:     "يغيّر هذه العبارات من له دور المشغّل أو المالك.",
		HowTitle: "كيف يبدأ الوضع", How: "بعبارة دخول في نص الجلسة نفسها، أو بترويسة الطلب:",
		HowHeader: "وينتهي بعبارة خروج، أو بعد 30 دقيقة بلا طلب.",
	}, PhrasesWords{
		Title: "Restaurant phrases", Lead: "In restaurant mode the decoder favours these phrases, and numbers are written as digits.",
		Bias: "Dishes, sizes, extras", BiasHint: "One phrase on each line. The recognizer prefers these phrases.",
		Enter: "Phrases that begin the mode", EnterHint: "When one is heard in a session, the mode counts from the next request on.",
		Exit: "Phrases that end the mode", ExitHint: "When one is heard, the mode ends.",
		BuiltIn: englishCount("The built-in list: one phrase", "The built-in list: {n} phrases"),
		Own:     "My own list", OwnHint: "This list is kept when you choose: my own.",
		Save: "Save the phrases", Reset: "Back to built-in", ResetTitle: "Back to the built-in lists?",
		ResetText: "Your three lists are deleted. Running sessions take the built-in lists from their next request on.", Back: "Back",
		SaidSaved: "The phrases are saved.", SaidReset: "The built-in lists are back.", Wrong: "Nothing was saved: correct what is marked below.",
		TooMany: "The list has more than 2000 phrases. Remove some.", TooLong: "The phrase in line {line} has more than 100 characters. Shorten it.",
		Both:     "The phrase in line {line} also begins the mode. Remove it from one of the lists.",
		Folds:    "There is no word in line {line}. Write a phrase, or delete the line.",
		Only:     "An operator or an owner changes these phrases.",
		HowTitle: "How the mode begins", How: "With a phrase in a transcript of the session, or with the request's header:",
		HowHeader: "It ends with a phrase of the last list, or after 30 minutes without a request.",
	})
}
