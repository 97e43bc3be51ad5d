package calls

import "munadi/ui/locale"

// Texts of the search in transcripts of calls.

var SearchSaid = locale.Text{"كلمات قيلت", "Words that were said"}
var SearchHint = locale.Text{"كما تُقال، بأي إملاء", "In any spelling"}
var SearchBy = locale.Text{"العميل", "Customer"}
var SearchByPlatform = locale.Text{"المنصة", "Platform"}
var SearchExamined = locale.CountedPair{locale.ArabicOfCalls("بُحث في ", "، حتى موعد {until}. هناك مكالمات أخرى لم يُبحث فيها بعد."), locale.EnglishCount("One call was searched, as far as {until}. There are more that were not searched yet.", "{n} calls were searched, as far as {until}. There are more that were not searched yet.")}
var SearchAll = locale.CountedPair{locale.ArabicOfCalls("بُحث في ", "، وهي كل ما هنا.").WithDual("بُحث في مكالمتين، وهما كل ما هنا."), locale.EnglishCount("One call was searched: all there is here.", "{n} calls were searched: all there are here.")}
var SearchGoOn = locale.Text{"تابع البحث", "Go on searching"}
var SearchNoneYet = locale.Text{"لم توجد الكلمات في هذه المكالمات", "These calls do not have the words"}
var SearchNone = locale.Text{"لم تُقل هذه الكلمات", "These words were not said"}
var SearchNoBulk = locale.Text{"لا يمكن تطبيق إجراء على كل نتائج البحث في الكلام.", "Nothing can be done with all results of a search in words."}
