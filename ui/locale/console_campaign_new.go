package locale

// NewCampaignWords is the way from a file of people to a campaign: upload, columns, check and settings.
type NewCampaignWords struct {
	Title, Lead, File, FileHint, Region, RegionHint, Scenario, Read, Template, Back string
	FromCalls                                                                       string
	ColumnsTitle, ColumnsLead, Remembered, Column, Samples, Holds, Ignore, Keep     string // ColumnsLead with {rows}
	Phone, Check, NeedPhone                                                         string
	CheckTitle, Ready, Bad, Duplicates, Suppressed                                  string
	BadTitle, BadLead, BadMore, CheckAgain, Row, Problem, Skipped                   string // BadMore with {count}
	Settings, Name, When, Now, At, Ends, EndsHint, Pace, PaceHint, Lines, LinesHint string
	Caller, CallerHint, Tries, Delays, Paused, Start, Booking, Other                string // Start, Booking with {count}
	Empty, TooLarge, TooMany, TooWide, OldFormat, NoTable, NoFile, ScenarioGone     string // faults of files
	BadNumber, BadName, BadEnds, BadPace, BadLines, NoneLeft, TooManyPeople         string // faults of settings
	Retry, Hours, Columns                                                           string
}

// NewCampaignIn returns its strings.
func NewCampaignIn(l Language) NewCampaignWords {
	return pickLanguage(l, newCampaignArabic(), newCampaignEnglish())
}

func newCampaignArabic() NewCampaignWords {
	return NewCampaignWords{
		Title: "حملة جديدة", Lead: "ارفع الملف كما هو عندك. لا يُتصل بأحد قبل أن ترى الصفوف وتبدأ الحملة بنفسك.",
		File: "ملف Excel أو CSV", FileHint: "\u200e.xlsx أو CSV بأي فاصل وأي ترميز، حتى 10,000 صف و16 ميغابايت. الأرقام كما تُكتب عندكم: 05… أو 9665… أو \u200e+966… أو بالأرقام العربية.",
		Region: "بلد الأرقام المكتوبة بلا مفتاح دولي", RegionHint: "يُحفظ ولا تُسأل عنه مرة أخرى.",
		Scenario: "السيناريو", Read: "اقرأ الملف", Template: "نموذج فارغ", Back: "رجوع",
		FromCalls:    "أو اختر من قائمة المكالمات من تريد الاتصال بهم من جديد: صفِّ القائمة ثم اضغط «حملة من هذه القائمة».",
		ColumnsTitle: "ما في كل عمود؟", ColumnsLead: "الصفوف في الملف: {rows}. راجع ما خمّناه وصحّحه إن لزم؛ نتذكره للملفات التي لها الأعمدة نفسها.",
		Remembered: "هذه الأعمدة معروفة من ملف سابق.", Column: "العمود", Samples: "أمثلة منه", Holds: "فيه",
		Ignore: "لا يُستعمل", Keep: "يُحفظ مع المكالمة ويعود في النتائج", Phone: "رقم الهاتف", Check: "افحص الصفوف",
		NeedPhone:  "اختر العمود الذي فيه أرقام الهواتف.",
		CheckTitle: "فحص الصفوف", Ready: "جاهزة", Bad: "فيها خطأ", Duplicates: "أرقام مكررة", Suppressed: "في قائمة المنع",
		BadTitle: "صفوف تحتاج إلى تصحيح", BadLead: "صحّح هنا ما تشاء ثم أعد الفحص. ما يبقى فيه خطأ لا يُتصل به، ولا يمنع غيره.",
		BadMore: "وصفوف أخرى فيها خطأ: {count}. صحّح هذه ثم أعد الفحص لترى ما بعدها.", CheckAgain: "أعد الفحص",
		Row: "الصف", Problem: "الخطأ", Skipped: "لا يُتصل بها",
		Settings: "إعدادات الحملة", Name: "اسم الحملة", When: "متى تبدأ", Now: "الآن", At: "في وقت محدد",
		Ends: "آخر وقت للاتصال", EndsHint: "اختياري. بتوقيت {zone}، وضمن ساعات الاتصال المعتادة.",
		Pace: "مكالمات في الدقيقة على الأكثر", PaceHint: "فارغ: بلا حد.", Lines: "مكالمات في وقت واحد على الأكثر", LinesHint: "فارغ: كل الخطوط الحرة.",
		Caller: "الرقم الذي يظهر للناس", CallerHint: "فارغ: رقم المنظمة أو رقم خط SIP.",
		Tries: "عدد المحاولات لكل شخص", Delays: "الانتظار قبل كل إعادة (دقائق)", Paused: "أنشئها متوقفة، لأبدأها لاحقًا",
		Start: "ابدأ الحملة ({count})", Booking: "تُحجز المكالمات: {count}", Other: "اعرض قيم السيناريو المختار",
		Empty: "لا صفوف في الملف تحت سطر العناوين.", TooLarge: "الملف أكبر مما يُقرأ. احذف الأوراق والصور الزائدة، أو قسّمه.",
		TooMany:   "في الملف أكثر من 10,000 صف. قسّمه إلى ملفين أو أكثر.",
		TooWide:   "في الملف أكثر من 64 عمودًا. احذف الأعمدة التي لا تحتاجها المكالمات.",
		OldFormat: "هذا ملف Excel قديم \u200e(.xls)\u200e أو محمي بكلمة مرور. احفظه بصيغة \u200e.xlsx بلا كلمة مرور.",
		NoTable:   "هذا الملف ليس \u200e.xlsx ولا CSV، أو هو تالف. اختر ملفًا آخر.", NoFile: "اختر ملفًا.", ScenarioGone: "حُذف السيناريو في هذه الأثناء. اختر سيناريو آخر.",
		BadNumber: "الرقم ناقص أو زائد أو ليس رقم هاتف. اكتبه كاملًا، مثل 0512345601 أو \u200e+966512345601.",
		BadName:   "اكتب اسمًا لا يزيد على 200 حرف.", BadEnds: "اختر وقتًا بعد الآن وبعد بداية الحملة.",
		BadPace: "اكتب عددًا من 1 إلى 6000، أو اتركه فارغًا.", BadLines: "اكتب عددًا من 1 إلى 1000، أو اتركه فارغًا.",
		NoneLeft: "لا صف جاهز. صحّح صفًا واحدًا على الأقل.", TooManyPeople: "في القائمة أكثر من 10,000 رقم. ضيّق التصفية.",
		Retry: "الإعادة عند عدم الوصول", Hours: "ساعات الاتصال في الأيام القادمة", Columns: "غيّر الأعمدة",
	}
}

func newCampaignEnglish() NewCampaignWords {
	return NewCampaignWords{
		Title: "New campaign", Lead: "Upload the file as you have it. Nobody is called before you have seen the rows and started the campaign.",
		File: "Excel or CSV file", FileHint: ".xlsx, or CSV of any delimiter and encoding; up to 10,000 rows and 16 MB. Numbers as you write them: 05…, 9665…, +966… or in Arabic digits.",
		Region: "Country of numbers without a country code", RegionHint: "It is remembered, so you are asked once.",
		Scenario: "Scenario", Read: "Read the file", Template: "Empty template", Back: "Back",
		FromCalls:    "Or call the people of earlier calls again: filter the list of calls, then press “Campaign from this list”.",
		ColumnsTitle: "What does each column hold?", ColumnsLead: "Rows in the file: {rows}. Correct our guess where it is wrong; it is remembered for files with the same columns.",
		Remembered: "These columns are known from an earlier file.", Column: "Column", Samples: "Examples", Holds: "Holds",
		Ignore: "Not used", Keep: "Kept with the call and in the results", Phone: "Telephone number", Check: "Check the rows",
		NeedPhone:  "Choose the column that holds the telephone numbers.",
		CheckTitle: "Check the rows", Ready: "Ready", Bad: "With an error", Duplicates: "Duplicate numbers", Suppressed: "On the suppression list",
		BadTitle: "Rows to correct", BadLead: "Correct rows as needed, then check again. Rows with an error are not called; the others are.",
		BadMore: "Further rows with an error: {count}. Correct these and check again to see them.", CheckAgain: "Check again",
		Row: "Row", Problem: "Error", Skipped: "Not called",
		Settings: "Settings of the campaign", Name: "Name", When: "Start", Now: "Now", At: "At a set time",
		Ends: "No calls after", EndsHint: "Optional. In {zone} time, and within the usual calling hours.",
		Pace: "Calls a minute at most", PaceHint: "Empty: no limit.", Lines: "Calls at once at most", LinesHint: "Empty: all free lines.",
		Caller: "Number that people see", CallerHint: "Empty: the organization's number, or the trunk's.",
		Tries: "Attempts for each person", Delays: "Wait before each retry (minutes)", Paused: "Make it paused, to start it later",
		Start: "Start the campaign ({count})", Booking: "Calls are being booked: {count}", Other: "Show the chosen scenario's variables",
		Empty: "The file has no rows below its header.", TooLarge: "The file is larger than what can be read. Remove unneeded sheets and pictures, or split it.",
		TooMany:   "The file has more than 10,000 rows. Split it.",
		TooWide:   "The file has more than 64 columns. Remove those that the calls do not need.",
		OldFormat: "This is an old Excel file (.xls), or one with a password. Save it as .xlsx without a password.",
		NoTable:   "This file is neither .xlsx nor CSV, or it is damaged. Choose another file.", NoFile: "Choose a file.", ScenarioGone: "The scenario was deleted in the meantime. Choose another one.",
		BadNumber: "This is not a complete telephone number. Write it in full, such as 0512345601 or +966512345601.",
		BadName:   "Write a name of at most 200 characters.", BadEnds: "Choose a time after now and after the start of the campaign.",
		BadPace: "Write a number from 1 to 6000, or leave it empty.", BadLines: "Write a number from 1 to 1000, or leave it empty.",
		NoneLeft: "No row is ready. Correct at least one.", TooManyPeople: "The list has more than 10,000 numbers. Narrow the filter.",
		Retry: "If nobody is reached", Hours: "Calling hours of the next days", Columns: "Change the columns",
	}
}
