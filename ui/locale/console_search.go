package locale

// SearchWords is the search in transcripts of calls.
type SearchWords struct {
	Said, Hint, By, ByPlatform  string
	Examined                    CountedText // with {until}
	All                         CountedText
	GoOn, NoneYet, None, NoBulk string
}

// SearchIn returns its strings.
func SearchIn(l Language) SearchWords {
	return pickLanguage(l, SearchWords{
		Said: "كلمات قيلت", Hint: "كما تُقال، بأي إملاء", By: "العميل", ByPlatform: "المنصة",
		Examined: arabicOfCalls("بُحث في ", " رُدّ عليها، حتى موعد {until}. هناك مكالمات أخرى لم يُبحث فيها بعد.").
			withDual("بُحث في مكالمتين رُدّ عليهما، حتى موعد {until}. هناك مكالمات أخرى لم يُبحث فيها بعد."),
		All: arabicOfCalls("بُحث في ", "، وهي كل ما رُدّ عليه هنا.").
			withDual("بُحث في مكالمتين، وهما كل ما رُدّ عليه هنا."),
		GoOn: "تابع البحث", NoneYet: "لم توجد الكلمات في هذه المكالمات", None: "لم تُقل هذه الكلمات",
		NoBulk: "لا يمكن تطبيق إجراء على كل نتائج البحث في الكلام.",
	}, SearchWords{
		Said: "Words that were said", Hint: "In any spelling", By: "Customer", ByPlatform: "Platform",
		Examined: englishCount("One answered call was searched, as far as {until}. There are more that were not searched yet.",
			"{n} answered calls were searched, as far as {until}. There are more that were not searched yet."),
		All: englishCount("One call was searched: all that were answered here.",
			"{n} calls were searched: all that were answered here."),
		GoOn: "Go on searching", NoneYet: "These calls do not have the words", None: "These words were not said",
		NoBulk: "Nothing can be done with all results of a search in words.",
	})
}
