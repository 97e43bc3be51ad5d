package locale

// SuppressionsWords is the list of numbers that are not called.
type SuppressionsWords struct {
	Title, Lead, Rules                       string
	Search, SearchDo, All                    string
	Number, Reason, Source, Added, Until     string
	ForGood, Expired                         string
	Add, AddDo, NumberHint                   string
	ReasonHint, UntilHint                    string
	Remove, RemoveTitle, RemoveText, Back    string
	SaidAdded, SaidRemoved                   string
	Import, ImportFile, ImportHint           string
	ImportDo, Export                         string
	EmptyTitle, EmptyText                    string
	NoneTitle, NoneText                      string // nothing found
	Imported, Refused                        CountedText
	ImportedPart, Nothing                    string
	Row, Problem, ReportTitle                string
	BadNumber, BadReason, BadUntil, BadPast  string
	NotUTF8, NotCSV, TooBig, NoFile, TooMany string

	FromAPI, FromConsole, FromCSV, FromCall, FromCarrier, FromErasure string
	AskedInCall, NoSuchNumber                                         string
}

// ReasonText returns the display text of an entry's reason: in the page's language where calls wrote it, otherwise as a
// person wrote it.
func (w SuppressionsWords) ReasonText(source, reason string) string {
	switch source {
	case "call":
		return w.AskedInCall
	case "carrier":
		return w.NoSuchNumber
	default:
		return reason
	}
}

// SourceName returns the display name of an entry's source.
func (w SuppressionsWords) SourceName(source string) string {
	name := map[string]string{
		"api": w.FromAPI, "console": w.FromConsole, "csv": w.FromCSV, "call": w.FromCall, "carrier": w.FromCarrier,
		"erasure": w.FromErasure,
	}[source]
	if name == "" {
		return source
	}
	return name
}

// SuppressionsIn returns the strings.
func SuppressionsIn(l Language) SuppressionsWords {
	return pickLanguage(l, SuppressionsWords{
		Title: "قائمة المنع", Lead: "أرقام لا يُتصل بها، مهما حُجز لها.", Rules: "قواعد الاتصال",
		Search: "بحث عن رقم", SearchDo: "بحث", All: "كل القائمة",
		Number: "الرقم", Reason: "السبب", Source: "المصدر", Added: "أُضيف", Until: "حتى", ForGood: "دائمًا", Expired: "انتهى",
		Add: "أضف رقمًا", AddDo: "أضف إلى القائمة", NumberHint: "رقم دولي يبدأ بعلامة +.", ReasonHint: "اختياري: لماذا.",
		UntilHint: "اختياري: آخر يوم للمنع. فارغ: دائمًا.",
		Remove:    "أزل", RemoveTitle: "إزالة الرقم من القائمة؟", RemoveText: "يعود الاتصال بهذا الرقم ممكنًا، ومنه ما هو محجوز الآن.", Back: "رجوع",
		SaidAdded: "أُضيف الرقم. لن يُتصل به.", SaidRemoved: "أُزيل الرقم. يمكن الاتصال به.",
		Import: "استيراد CSV", ImportFile: "ملف CSV", ImportHint: "الأعمدة: phone_number ثم reason ثم until. رقم في كل سطر، وسطر العناوين اختياري.", ImportDo: "استورد الملف",
		Export: "تنزيل CSV", EmptyTitle: "قائمة المنع فارغة",
		EmptyText: "هنا أرقام من طلبوا ألا يُتصل بهم. تُضاف من هذه الصفحة، وعبر API، ومن المكالمة نفسها حين يطلب صاحبها ذلك.",
		NoneTitle: "لا رقم يطابق", NoneText: "لا شيء في القائمة فيه هذا الرقم.",
		Imported: arabicNoun("", "لم يُستورد أي رقم", "استُورد رقم واحد", "استُورد رقمان", "أرقام استُوردت", "رقمًا استُورد",
			"رقم استُورد", "."),
		Refused:      arabicNoun("", "لم يُرفض أي سطر", "رُفض سطر واحد", "رُفض سطران", "أسطر رُفضت", "سطرًا رُفض", "سطر رُفض", "."),
		ImportedPart: "أُضيف ما صحّ من الأسطر. صحّح ما في الجدول وأعد رفعه وحده.", Nothing: "ليس في الملف أي رقم.",
		Row: "السطر", Problem: "ما الخطأ", ReportTitle: "نتيجة الاستيراد",
		BadNumber: "ليس رقمًا دوليًا. اكتب علامة + ثم من 7 إلى 15 رقمًا.", BadReason: "السبب أطول من 500 حرف. اختصره.",
		BadUntil: "اكتب التاريخ هكذا: \u20662026-12-25\u2069.", BadPast: "هذا التاريخ مضى. اختر تاريخًا آتيًا.",
		NotUTF8: "الملف ليس بترميز UTF-8. احفظه بهذا الترميز.", NotCSV: "هذا ليس ملف CSV سليمًا. صحّحه ثم ارفعه.", TooBig: "الملف أكبر من المسموح. قسّمه.", NoFile: "اختر ملفًا أولًا.",
		TooMany: "أسطر مرفوضة أخرى كثيرة لا تظهر هنا.",
		FromAPI: "برنامج عبر API", FromConsole: "لوحة التحكم", FromCSV: "ملف CSV", FromCall: "طلب في مكالمة", FromCarrier: "شركة الاتصالات: رقم لا وجود له",
		AskedInCall: "طلب صاحبه ألا يُتصل به", NoSuchNumber: "تقول شركة الاتصالات: لا وجود لهذا الرقم",
		FromErasure: "حذف بيانات",
	}, SuppressionsWords{
		Title: "Suppression list", Lead: "Numbers that are not called, whatever is booked.", Rules: "Dialling rules",
		Search: "Find a number", SearchDo: "Search", All: "The whole list",
		Number: "Number", Reason: "Reason", Source: "Source", Added: "Added", Until: "Until", ForGood: "permanently", Expired: "expired",
		Add: "Add a number", AddDo: "Add to the list", NumberHint: "An international number that begins with +.", ReasonHint: "Optional: why.",
		UntilHint: "Optional: the last day of it. Empty: permanently.",
		Remove:    "Remove", RemoveTitle: "Remove the number from the list?", RemoveText: "It may be called again, and what is booked for it now will be.", Back: "Back",
		SaidAdded: "The number is on the list and won't be called.", SaidRemoved: "The number is off the list and may be called.",
		Import: "Import CSV", ImportFile: "CSV file", ImportHint: "Columns: phone_number, then reason, then until. One number on each line; a header row is optional.", ImportDo: "Import the file",
		Export: "Download CSV", EmptyTitle: "The suppression list is empty",
		EmptyText: "The numbers of people who asked not to be called are listed here. They are added on this page, by the API, and in a call when the person asks for it.",
		NoneTitle: "No number matches", NoneText: "This number is not on the list.",
		Imported:     englishCount("One number was imported.", "{n} numbers were imported."),
		Refused:      englishCount("One line was refused.", "{n} lines were refused."),
		ImportedPart: "The valid lines were added. Correct those in the table and upload only them.", Nothing: "There is no number in the file.",
		Row: "Line", Problem: "What is wrong", ReportTitle: "Result of the import",
		BadNumber: "Not an international number. Write + and 7 to 15 digits.", BadReason: "The reason has more than 500 characters. Shorten it.",
		BadUntil: "Write the date as 2026-12-25.", BadPast: "This date is in the past. Choose a future one.",
		NotUTF8: "The file is not UTF-8. Save it in that encoding.", NotCSV: "This is not a valid CSV file. Correct it and upload it again.", TooBig: "The file is larger than allowed. Split it.", NoFile: "Choose a file first.",
		TooMany: "Many more refused lines are not shown.",
		FromAPI: "API", FromConsole: "Console", FromCSV: "CSV file", FromCall: "Requested in a call", FromCarrier: "Carrier: no such number",
		AskedInCall: "The person asked not to be called", NoSuchNumber: "The carrier says that there is no such number",
		FromErasure: "Erasure",
	})
}
