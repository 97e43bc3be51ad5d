package locale

// AfterWords are the texts of notes, follow-up marks and corrections of a call, and of the queue of marked calls.
type AfterWords struct {
	Title, Note, NoteAdd, NoteAdded, NoteHint, NoteBad         string
	Need, NeedMark, NeedTake, NeedLeave, NeedDone, NeedDoneDo  string
	NeedWhy, NeedFree, NeedMine, NeedDoneBy, DoneNote          string // NeedWhy, NeedDoneBy with {who}
	Marked, Taken, Left, Done, Refused, Full                   string
	Correct, CorrectLead, CorrectDo, Corrected, NothingChanged string
	CorrectTurn, CorrectTurnDo, TurnWas, BadAnswer, BadTurn    string // BadAnswer with {name}
	CorrectWord, WordHint, WordChanged                         string
	Corrections, Unknown                                       string
	QueueLead, QueueEmpty, QueueEmptyText, Since, Who, Why     string
	LastNote, More, First                                      string
	QueueAll, QueueMine, QueueFree                             string
	Today                                                      CountedText
	TodayDo                                                    string
	Reasons                                                    map[string]string
}

// AfterIn returns its strings.
func AfterIn(l Language) AfterWords { return pickLanguage(l, afterArabic(), afterEnglish()) }

func afterArabic() AfterWords {
	return AfterWords{
		Title: "بعد المكالمة", Note: "ملاحظة", NoteAdd: "أضف الملاحظة", NoteAdded: "أُضيفت الملاحظة.",
		NoteHint: "يراها زملاؤك في هذه المكالمة، وتُحذف مع بيانات الشخص.", NoteBad: "اكتب ملاحظة من 1 إلى 1000 حرف.",
		Need: "تحتاج إلى موظف", NeedMark: "تحتاج إلى موظف", NeedTake: "أتولّاها", NeedLeave: "أتركها لغيري", NeedDone: "تمّت",
		NeedDoneDo: "أنهِ المتابعة", NeedWhy: "علّمها {who}", NeedFree: "لم يتولَّها أحد", NeedMine: "أنت", NeedDoneBy: "أنهى متابعتها {who}",
		DoneNote: "ماذا جرى؟ (اختياري)",
		Marked:   "صارت المكالمة في قائمة ما يحتاج إلى موظف.", Taken: "توليت المكالمة.", Left: "تركت المكالمة لغيرك.", Done: "انتهت متابعة المكالمة.",
		Refused: "لم يتغير شيء: المكالمة لا تقبل هذا الآن.", Full: "لا تقبل المكالمة ملاحظات أو تصحيحات أخرى.",
		Correct: "صحّح الإجابات", CorrectLead: "تبقى الإجابات كما سُمعت، ويُحسب التصحيح في القوائم والتقارير. ولا يُرسل إشعار جديد.",
		CorrectDo: "احفظ التصحيح", Corrected: "حُفظ التصحيح.", NothingChanged: "لم يتغير شيء.",
		CorrectTurn: "صحّح الكلام", CorrectTurnDo: "احفظ", TurnWas: "سُمع", BadAnswer: "الإجابة «{name}» لا تقبل هذه القيمة.",
		BadTurn: "اكتب ما قيل، من 1 إلى 1000 حرف.", Corrections: "التصحيحات", Unknown: "لم يُعرف",
		CorrectWord: "صحّح هذه الكلمة", WordHint: "اكتب ما قيل، كلمة أو أكثر. اتركه فارغًا إن لم تُقل.",
		WordChanged: "لم يُحفظ: صحّح غيرك هذا الكلام في أثناء ذلك. اقرأه ثم أعد المحاولة.",
		QueueAll:    "الكل", QueueMine: "ما توليته", QueueFree: "لم يتولَّها أحد",
		QueueLead: "مكالمات يتابعها موظف، الأطول انتظارًا أولًا.", QueueEmpty: "لا شيء ينتظر",
		QueueEmptyText: "تظهر هنا المكالمات التي طلب فيها الشخص موظفًا، أو لم تُفهم إجابته، أو تعذّر تحويلها، والتي تعلّمها بنفسك.",
		Since:          "منذ", Who: "يتولّاها", Why: "السبب", LastNote: "آخر ملاحظة", More: "التالية", First: "الأولى",
		Today:   arabicCalls("", " تنتظر من يتابعها.").withDual("مكالمتان تنتظران من يتابعهما."),
		TodayDo: "افتح القائمة",
		Reasons: map[string]string{
			"asked_for_person": "طلب التحدث إلى موظف", "not_understood": "لم تُفهم إجابته", "transfer_failed": "تعذّر التحويل",
			"scenario": "السيناريو يطلب متابعة", "staff": "علّمها موظف",
		},
	}
}

func afterEnglish() AfterWords {
	return AfterWords{
		Title: "After the call", Note: "Note", NoteAdd: "Add the note", NoteAdded: "The note was added.",
		NoteHint: "Your colleagues see it with this call; it is erased with the person.", NoteBad: "Write a note of 1 to 1000 characters.",
		Need: "Needs staff", NeedMark: "Mark as needing staff", NeedTake: "I take it", NeedLeave: "Leave it to others", NeedDone: "Done",
		NeedDoneDo: "End the follow-up", NeedWhy: "marked by {who}", NeedFree: "Not taken", NeedMine: "you",
		NeedDoneBy: "followed up by {who}", DoneNote: "What was the result? (optional)",
		Marked: "The call is in the queue of calls that need staff.", Taken: "You have taken the call.", Left: "You left the call to others.",
		Done: "The call is followed up.", Refused: "Nothing changed: the call does not allow this now.",
		Full:    "The call accepts no more notes or corrections.",
		Correct: "Correct the answers", CorrectLead: "What was heard is kept; lists and reports use the correction. No new webhook is sent.",
		CorrectDo: "Save the correction", Corrected: "The correction was saved.", NothingChanged: "Nothing changed.",
		CorrectTurn: "Correct the words", CorrectTurnDo: "Save", TurnWas: "Heard", BadAnswer: "The answer “{name}” does not accept this value.",
		BadTurn: "Write what was said, 1 to 1000 characters.", Corrections: "Corrections", Unknown: "unknown",
		CorrectWord: "Correct this word", WordHint: "Write what was said, one word or more. Leave it empty if it was not said.",
		WordChanged: "Not saved: someone else corrected these words in the meantime. Read them and try again.",
		QueueAll:    "All", QueueMine: "Mine", QueueFree: "Not taken",
		QueueLead: "Calls that staff follow up, the longest waiting first.", QueueEmpty: "Nothing is waiting",
		QueueEmptyText: "Calls show up here when the person asked for staff, an answer was not understood or a transfer failed, and when you mark them.",
		Since:          "Since", Who: "Taken by", Why: "Reason", LastNote: "Last note", More: "Next", First: "First",
		Today: englishCount("One call waits for staff.", "{n} calls wait for staff."), TodayDo: "Open the queue",
		Reasons: map[string]string{
			"asked_for_person": "asked for staff", "not_understood": "answer not understood", "transfer_failed": "transfer failed",
			"scenario": "the scenario asks for it", "staff": "marked by staff",
		},
	}
}
