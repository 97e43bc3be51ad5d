package locale

// PersonWords is the page of a person: all calls to one number.
type PersonWords struct {
	Title, Back, CallAgain, Suppressed, Allow, Calls, NoCalls, Answers, NoAnswers string
	Actions, Reason, ReasonHint, Suppress, Erase                                  string
}

// PersonIn returns its strings.
func PersonIn(l Language) PersonWords {
	return pickLanguage(l, PersonWords{
		Title: "صفحة شخص", Back: "كل المكالمات", CallAgain: "اتصل به ثانية", Suppressed: "هذا الرقم في قائمة المنع.",
		Allow: "أزله من القائمة", Calls: "المكالمات", NoCalls: "لا مكالمات إلى هذا الرقم.", Answers: "آخر ما أجاب به",
		NoAnswers: "لم يجب عن شيء بعد.", Actions: "إجراءات", Reason: "سبب المنع", ReasonHint: "اختياري. يظهر في قائمة المنع.",
		Suppress: "أضفه إلى قائمة المنع", Erase: "حذف بيانات الشخص",
	}, PersonWords{
		Title: "Person", Back: "All calls", CallAgain: "Call again", Suppressed: "This number is on the suppression list.",
		Allow: "Remove from the list", Calls: "Calls", NoCalls: "There are no calls to this number.", Answers: "Latest answers",
		NoAnswers: "No answers yet.", Actions: "Actions", Reason: "Reason", ReasonHint: "Optional. It is shown in the suppression list.",
		Suppress: "Add to the suppression list", Erase: "Erase the person's data",
	})
}
