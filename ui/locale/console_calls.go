package locale

import "sync"

// CallsWords is the list of calls and all that begins there.
type CallsWords struct {
	Title, New, Campaign, CampaignOfList, Export                  string
	All                                                           string // chips beside the states
	Number, Scenario, Status, Time, Length, Attempt               string // columns
	FromDay, ToDay, Search, Every, Select, SelectAll, Erased      string
	Filters, StatusFilter                                         string // accessible names
	Empty, EmptyLead, NoMatch, NoMatchLead, Clear                 string
	Newer, Older, Keys                                            string
	OtherAnswers                                                  string // folds the questions that are not yes or no
	CancelSelected, CancelTitle, CancelLead, CancelDo, CancelNone string
	Cancelled, NotCancelled                                       CountedText
	Back, Attempts                                                string // attempts with {n} {of}
	Result, Turn, Dialled, NumberEnd                              string // Dialled is followed by a time
	Views, ViewsEdit, ViewName, ViewSave, ViewDelete              string // ViewDelete with {name}
	ViewSaved, ViewDeleted, ViewsFull                             string
	BulkOpen, BulkTitle, BulkLead, BulkNone, BulkCancel, BulkMove string
	BulkMoveAt, BulkWait, BulkUndo, BulkUndone, BulkLate          string
	BulkBad, BulkBroken, BulkDropped, BulkFull, BulkLost          string
	BulkFound, BulkCancels, BulkMoves, BulkMoved                  CountedText
	NewTitle, NewLead, NumberHint, When, Now, At, AtHint, Hours   string
	Closed, OpenAll, Variables, NoVariables, Required, Retry      string
	Tries, Delays, DelaysHint, Book, Booked, Moved                string
	BadNumber, BadTime, BadTimeWindow, BadDelays, BadTries        string
	BadExtras                                                     string
	NeverOpen, BadScenario, NowOrThen, Other, Endings             string
	ScenarioHint                                                  string
	Weekdays                                                      [7]string
	Statuses, Reasons, Bookings                                   map[string]string

	Unspoken string // with {line}
}

// CallsIn returns its strings.
func CallsIn(l Language) CallsWords { return pickLanguage(l, callsInArabic, callsInEnglish)() }

// The strings are made once, since lists and charts ask for a word with each row and mark. They are not to be changed.
var callsInArabic, callsInEnglish = sync.OnceValue(callsArabic), sync.OnceValue(callsEnglish)

func callsArabic() CallsWords {
	return CallsWords{
		Title: "المكالمات", New: "مكالمة جديدة", Campaign: "حملة جديدة", CampaignOfList: "حملة من هذه القائمة", Export: "تنزيل CSV",
		All: "الكل", Number: "الرقم", Scenario: "السيناريو", Status: "الحالة", Time: "الوقت", Length: "المدة", Attempt: "المحاولة",
		FromDay: "من يوم", ToDay: "إلى يوم", Search: "بحث", Every: "كل السيناريوهات", Select: "اختر مكالمة {number}",
		SelectAll: "اختر كل ما يمكن إلغاؤه", Erased: "بيانات محذوفة",
		Filters: "تصفية المكالمات", StatusFilter: "تصفية حسب الحالة",
		Empty:     "لا مكالمات بعد",
		EmptyLead: "هنا تظهر كل مكالمة: ما حُجز منها، وما يجري الآن، وما انتهى. ابدأ بمكالمة واحدة، أو بحملة من ملف Excel.",
		NoMatch:   "لا مكالمة تطابق هذه التصفية", NoMatchLead: "غيّر التصفية أو امسحها لترى كل المكالمات.", Clear: "مسح التصفية",
		OtherAnswers: "بحسب بقية الإجابات",
		Newer:        "الصفحة الأولى", Older: "الصفحة التالية", Keys: "لوحة المفاتيح: j التالي، k السابق، Enter للفتح، x للاختيار.",
		CancelSelected: "إلغاء المختار", CancelTitle: "إلغاء مكالمات مجدولة",
		CancelLead: "لن يُتصل بهذه الأرقام، وتنتهي معها محاولات الإعادة. لا يمكن التراجع.", CancelDo: "نعم، ألغِها",
		CancelNone: "لم تُختر مكالمة يمكن إلغاؤها.",
		Cancelled: arabicCount("لم تُلغَ أي مكالمة.", "أُلغيت مكالمة واحدة.", "أُلغيت مكالمتان.", "أُلغيت {n} مكالمات.",
			"أُلغيت {n} مكالمة.", "أُلغيت {n} مكالمة."),
		NotCancelled: arabicCount("", "وبقيت مكالمة واحدة بدأ الاتصال بها أو انتهت.", "وبقيت مكالمتان بدأ الاتصال بهما أو انتهتا.",
			"وبقيت {n} مكالمات بدأ الاتصال بها أو انتهت.", "وبقيت {n} مكالمة بدأ الاتصال بها أو انتهت.",
			"وبقيت {n} مكالمة بدأ الاتصال بها أو انتهت."),
		Back: "رجوع", Attempts: "{n} من {of}",
		Result: "النتيجة", Turn: "اعكس الترتيب", Dialled: "بدأ الاتصال", NumberEnd: "آخر الرقم أو كله",
		Views: "عروضي", ViewsEdit: "احفظ العرض", ViewName: "اسم لهذه التصفية", ViewSave: "احفظ", ViewDelete: "احذف العرض {name}",
		ViewSaved: "حُفظ العرض.", ViewDeleted: "حُذف العرض.", ViewsFull: "لديك 20 عرضًا. احذف واحدًا قبل أن تحفظ آخر.",
		BulkOpen: "إجراء على كل ما يطابق", BulkTitle: "إجراء على كل ما يطابق التصفية",
		BulkLead: "يشمل المكالمات المجدولة فقط. بعد الضغط تبقى عشر ثوانٍ للتراجع قبل أن يبدأ شيء. وإن أُعيد تشغيل الخادم أكمل من حيث توقف.",
		BulkNone: "لا مكالمة مجدولة تطابق هذه التصفية.", BulkCancel: "ألغها كلها", BulkMove: "انقلها كلها",
		BulkMoveAt: "إلى", BulkWait: "يبدأ بعد ثوانٍ.", BulkUndo: "تراجع", BulkUndone: "تراجعت: لم يتغير شيء.",
		BulkLate: "بدأ الإجراء قبل أن تتراجع.", BulkBad: "اكتب وقتًا من الآن إلى 30 يومًا، داخل ساعات الاتصال.",
		BulkDropped: "استُعيدت نسخة احتياطية أُخذت قبل أن ينتهي هذا الإجراء، فلم يُكمل. إن كان ما يزال مطلوبًا فاطلبه من جديد.",
		BulkBroken:  "توقف الإجراء في منتصفه بسبب عطل في قاعدة البيانات. أعد المحاولة لما بقي.",
		BulkFull:    "إجراءات كثيرة تنتظر. أعد المحاولة بعد دقيقة.", BulkLost: "لم يعد هذا الإجراء محفوظًا: انتهى قبل أكثر من يوم، أو جاءت بعده إجراءات كثيرة.",
		BulkMoved:   arabicNoun("", "لم تُنقل أي مكالمة", "نُقلت مكالمة واحدة", "نُقلت مكالمتان", "مكالمات نُقلت", "مكالمة نُقلت", "مكالمة نُقلت", "."),
		BulkFound:   arabicCalls("", " مجدولة تطابق التصفية").withDual("مكالمتان مجدولتان تطابقان التصفية"),
		BulkCancels: arabicNoun("", "لا مكالمات تُلغى", "مكالمة واحدة تُلغى", "مكالمتان تُلغيان", "مكالمات تُلغى", "مكالمة تُلغى", "مكالمة تُلغى", "."),
		BulkMoves:   arabicNoun("", "لا مكالمات تُنقل", "مكالمة واحدة تُنقل", "مكالمتان تُنقلان", "مكالمات تُنقل", "مكالمة تُنقل", "مكالمة تُنقل", "."),
		NewTitle:    "مكالمة جديدة", NewLead: "يُتصل بالرقم في الوقت الذي تختاره، ضمن ساعات الاتصال.",
		NumberHint: "بالصيغة الدولية، مثل \u200e+966512345601.", When: "متى", Now: "الآن، حين يفرغ خط", At: "في وقت محدد",
		AtHint: "بتوقيت {zone}. خارج ساعات الاتصال ينتقل الموعد إلى أول ساعة اتصال.",
		Hours:  "ساعات الاتصال في الأيام القادمة", Closed: "مغلق", OpenAll: "مفتوح طوال اليوم",
		Variables: "قيم السيناريو", NoVariables: "لا يحتاج هذا السيناريو إلى قيم.", Required: "مطلوب",
		Retry: "الإعادة عند عدم الوصول", Tries: "عدد المحاولات", Delays: "الانتظار قبل كل إعادة (دقائق)",
		DelaysHint: "مفصولة بفواصل، والأخيرة تتكرر. مثال: 10, 30, 60", Book: "احجز المكالمة",
		Booked: "حُجزت المكالمة.", Moved: "الوقت المطلوب خارج ساعات الاتصال، فانتقل الموعد إلى أول ساعة اتصال.",
		BadNumber:     "اكتب الرقم بالصيغة الدولية: علامة + ثم 7 إلى 15 رقمًا.",
		BadTime:       "هذا ليس وقتًا. اكتب التاريخ والساعة.",
		BadTimeWindow: "اختر وقتًا من الآن إلى 30 يومًا.",
		BadDelays:     "اكتب دقائق من 0 إلى 43200 مفصولة بفواصل، عشرة على الأكثر.",
		BadTries:      "اكتب عددًا من 1 إلى 10 محاولات.",
		BadExtras:     "البيانات المرافقة أكبر من المسموح. الحد: 100 حقل، و64 حرفًا للاسم، و2000 حرف للقيمة، و64 KiB في المجموع.",
		NowOrThen:     "كتبت موعدًا واخترت «الآن». اختر أحدهما، أو امسح الموعد.",
		Other:         "اعرض قيم السيناريو المختار",
		ScenarioHint:  "لكل سيناريو قيمه أدناه؛ تتبدّل حين تختار غيره.",
		Endings:       "في المحاكاة يحدّد آخر رقمين من يجيب: من 00 إلى 89 يردّ، و90 لا يردّ، و91 يرفض، و96 مشغول.",
		NeverOpen:     "لا توجد ساعة مفتوحة: ساعات المنظمة وساعات السيناريو لا تلتقي. غيّر إحداهما.",
		BadScenario:   "لا سيناريو بهذا الاسم. اختر واحدًا من القائمة.",
		Unspoken:      "لا تسجيل لهذا السطر ولا صوت يقوله: «{line}». أضف تسجيلًا له، أو اضبط speech-url، أو ثبّت espeak-ng، أو اجعل السطر اختياريًا.",
		Weekdays:      [7]string{"الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"},
		Statuses: map[string]string{
			"scheduled": "مجدولة", "dialing": "يرنّ", "in_progress": "جارية", "completed": "اكتملت", "no_answer": "لا رد",
			"user_rejected": "رُفضت", "user_unavailable": "غير متاح", "automation": "ردّ آلي", "failed": "فشلت",
			"cancelled": "أُلغيت", "running": "جارية الآن", "stopped": "أنهاها موظف",
		},
		Reasons: map[string]string{
			"ring_timeout": "رنّ دون رد", "busy": "الخط مشغول", "declined": "رفض المكالمة",
			"hung_up_early": "أغلق قبل أن يتكلم", "unavailable": "الهاتف مغلق أو خارج التغطية",
			"invalid_number": "الرقم غير موجود", "announcement": "رسالة من شركة الاتصالات", "ringing_tone": "نغمة رنين بعد الرد", "music": "موسيقى بعد الرد",
			"busy_tone": "نغمة الانشغال بعد الرد", "congestion_tone": "نغمة ازدحام الشبكة بعد الرد", "information_tone": "نغمات إعلام من الشبكة بعد الرد",
			"voicemail": "بريد صوتي",
			"ivr":       "قائمة آلية", "fax": "فاكس", "carrier_failure": "عطل لدى شركة الاتصالات", "no_carrier": "لا رد من شركة الاتصالات",
			"no_audio":   "لا صوت على الخط",
			"suppressed": "الرقم في قائمة المنع", "blocked_destination": "وجهة ممنوعة", "attempt_limit": "بلغ الرقم حد المحاولات",
			"no_voice": "تعذّر نطق نص السيناريو", "operator": "أنهاها موظف", "scenario_gone": "حُذف السيناريو",
			"interrupted": "توقف الخادم في أثنائها", "internal": "خطأ داخلي",
		},
		Bookings: map[string]string{
			"immediate": "في الحال", "booked": "لموعد محدد", "moved_to_calling_hours": "نُقلت إلى ساعات الاتصال",
			"rescheduled": "أُعيدت جدولتها", "retry_booked": "إعادة محاولة",
		},
	}
}

func callsEnglish() CallsWords {
	return CallsWords{
		Title: "Calls", New: "New call", Campaign: "New campaign", CampaignOfList: "Campaign from this list", Export: "Download CSV",
		All: "All", Number: "Number", Scenario: "Scenario", Status: "Status", Time: "Time", Length: "Length", Attempt: "Attempt",
		FromDay: "From day", ToDay: "To day", Search: "Search", Every: "Every scenario", Select: "Select call {number}",
		SelectAll: "Select all that can be cancelled", Erased: "Data erased",
		Filters: "Filter calls", StatusFilter: "Filter by status",
		Empty:     "No calls yet",
		EmptyLead: "Every call shows up here: what is booked, what runs now, what has ended. Begin with one call, or a campaign from an Excel file.",
		NoMatch:   "No call matches this filter", NoMatchLead: "Change the filter, or clear it to see every call.", Clear: "Clear the filter",
		OtherAnswers: "By further answers",
		Newer:        "First page", Older: "Next page", Keys: "Keyboard: j next, k previous, Enter opens, x selects.",
		CancelSelected: "Cancel selected", CancelTitle: "Cancel scheduled calls",
		CancelLead: "These numbers will not be called, and their retries end with them. This cannot be undone.", CancelDo: "Yes, cancel them",
		CancelNone:   "No call was selected that can be cancelled.",
		Cancelled:    englishCount("One call was cancelled.", "{n} calls were cancelled."),
		NotCancelled: englishCount("One was not cancelled: it was already dialled or had ended.", "{n} were not cancelled: they were already dialled or had ended."),
		Back:         "Back", Attempts: "{n} of {of}",
		Result: "Result", Turn: "Reverse the order", Dialled: "dialled", NumberEnd: "End of the number, or all of it",
		Views: "My views", ViewsEdit: "Save the view", ViewName: "A name for this filter", ViewSave: "Save", ViewDelete: "Delete the view {name}",
		ViewSaved: "The view is saved.", ViewDeleted: "The view is deleted.", ViewsFull: "You have 20 views. Delete one before you save another.",
		BulkOpen: "Act on everything that matches", BulkTitle: "Act on everything that the filter matches",
		BulkLead: "Scheduled calls only. After you press there are ten seconds to undo it before anything happens. If the appliance restarts, it continues from where it was.",
		BulkNone: "No scheduled call matches this filter.", BulkCancel: "Cancel all of them", BulkMove: "Move all of them",
		BulkMoveAt: "To", BulkWait: "It begins in a few seconds.", BulkUndo: "Undo", BulkUndone: "Undone: nothing has changed.",
		BulkLate: "It had begun before you undid it.", BulkBad: "Write a time from now to 30 days ahead, within calling hours.",
		BulkDropped: "A backup was restored that was made before this had ended, so it does not go on. Ask for it again if you still want it.",
		BulkBroken:  "It stopped in the middle because the database failed. Try again for the rest.",
		BulkFull:    "Too many changes are waiting. Try again in a minute.", BulkLost: "This change is no longer kept: it ended more than a day ago, or many others came after it.",
		BulkMoved:   englishCount("One call was moved.", "{n} calls were moved."),
		BulkFound:   englishCount("One scheduled call matches", "{n} scheduled calls match"),
		BulkCancels: englishCount("One call will be cancelled.", "{n} calls will be cancelled."),
		BulkMoves:   englishCount("One call will be moved.", "{n} calls will be moved."),
		NewTitle:    "New call", NewLead: "The number is called at the time you choose, within calling hours.",
		NumberHint: "In international form, like +966512345601.", When: "When", Now: "Now, as soon as a line is free", At: "At a time",
		AtHint: "In {zone} time. Outside calling hours it moves to the next calling hour.",
		Hours:  "Calling hours of the next days", Closed: "closed", OpenAll: "open all day",
		Variables: "Variables of the scenario", NoVariables: "This scenario needs no variables.", Required: "required",
		Retry: "If no one answers", Tries: "Attempts in total", Delays: "Wait before each retry (minutes)",
		DelaysHint: "Separated by commas; the last one repeats. For example: 10, 30, 60", Book: "Book the call",
		Booked: "The call is booked.", Moved: "That time lies outside calling hours, so the call moved to the next calling hour.",
		BadNumber:     "Write the number in international form: a plus sign and 7 to 15 digits.",
		BadTime:       "This is not a time. Write the date and the hour.",
		BadTimeWindow: "Choose a time from now to 30 days ahead.",
		BadDelays:     "Write minutes from 0 to 43200 separated by commas, ten at most.",
		BadTries:      "Write a number of attempts from 1 to 10.",
		BadExtras:     "The data of this call is too large. At most: 100 fields, 64 characters for a name, 2000 for a value, 64 KiB in total.",
		NowOrThen:     "You wrote a time and chose Now. Choose one of them, or clear the time.",
		Other:         "Show the chosen scenario's variables",
		ScenarioHint:  "Each scenario has its own variables below; they change with your choice.",
		Endings:       "In the simulator the last two digits decide who answers: 00 to 89 answer, 90 does not, 91 declines, 96 is busy.",
		NeverOpen:     "There is no open hour: the hours of the organization and of the scenario do not overlap. Change one of them.",
		BadScenario:   "There is no scenario with this name. Choose one from the list.",
		Unspoken:      "This line has no recording and no voice that can say it: “{line}”. Add a recording of it, set speech-url, install espeak-ng, or make the line optional.",
		Weekdays:      [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		Statuses: map[string]string{
			"scheduled": "Scheduled", "dialing": "Ringing", "in_progress": "On the line", "completed": "Completed",
			"no_answer": "No answer", "user_rejected": "Rejected", "user_unavailable": "Unavailable",
			"automation": "Machine", "failed": "Failed", "cancelled": "Cancelled", "running": "Running", "stopped": "Ended by staff",
		},
		Reasons: map[string]string{
			"ring_timeout": "Rang without an answer", "busy": "The line was busy", "declined": "The call was declined",
			"hung_up_early": "Hung up without speaking", "unavailable": "Phone off or out of reach",
			"invalid_number": "The number does not exist", "announcement": "The carrier's announcement", "ringing_tone": "A ringing tone after the answer", "music": "Music after the answer",
			"busy_tone": "A busy tone after the answer", "congestion_tone": "A fast busy tone after the answer", "information_tone": "Special information tones after the answer",
			"voicemail": "Voicemail", "ivr": "Automatic menu", "fax": "Fax", "carrier_failure": "The carrier failed",
			"no_carrier": "The carrier did not answer", "no_audio": "No audio on the line",
			"suppressed":          "The number is on the suppression list",
			"blocked_destination": "The destination is blocked", "attempt_limit": "The attempt limit is reached",
			"no_voice": "The scenario's lines could not be spoken", "operator": "Ended by staff",
			"scenario_gone": "The scenario was deleted", "interrupted": "The appliance stopped during the call",
			"internal": "Internal error",
		},
		Bookings: map[string]string{
			"immediate": "At once", "booked": "For a set time", "moved_to_calling_hours": "Moved to calling hours",
			"rescheduled": "Rescheduled", "retry_booked": "Retry",
		},
	}
}
