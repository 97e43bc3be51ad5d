package locale

// CampaignsWords is the list of campaigns and the page of one.
type CampaignsWords struct {
	Title, Lead, New, Name, Scenario, Status, Progress, Answers, Began string
	Empty, EmptyLead                                                   string
	Done                                                               string // with {done} {total}
	Booking                                                            string // while its calls are being booked
	Pause, Resume, Cancel, Retry, Results, Calls                       string // buttons
	CancelTitle, CancelLead, CancelDo                                  string
	RetryTitle, RetryLead, RetryDo                                     string // RetryLead with {count}
	Paused, Resumed, Cancelled, Retried, Refused                       string // afterwards
	States, NoAnswers, NoAnswersLead, Others                           string // Others with {count}
	Details, Made, Starts, Ends, AtOnce, Never, Pace, NoPace           string
	PerMinute, Lines, NoLines, Attempts, Waits                         string // PerMinute, Waits with {count}
	People, Unreached, NoPeople, PersonCalls                           string
	Caller, UsualCaller                                                string
	Skipped, Row, Number, Why                                          string
	SkippedLost                                                        string // they are damaged on the disk
	Statuses, SkipReasons                                              map[string]string
}

// CampaignsIn returns its strings.
func CampaignsIn(l Language) CampaignsWords {
	return pickLanguage(l, campaignsArabic(), campaignsEnglish())
}

func campaignsArabic() CampaignsWords {
	return CampaignsWords{
		Title: "الحملات", Lead: "مكالمات كثيرة بسيناريو واحد، تبدأ وتتوقف وتُحصى معًا.", New: "حملة جديدة",
		Name: "الاسم", Scenario: "السيناريو", Status: "الحالة", Progress: "التقدم", Answers: "الإجابات", Began: "البداية",
		Empty:     "لا حملات بعد",
		EmptyLead: "ارفع ملف Excel أو CSV كما هو عندك، وطابق أعمدته مرة واحدة، ثم تابع الإجابات وهي تصل.",
		Done:      "الأشخاص: انتهى {done} من {total}", Booking: "تُحجز مكالمات الحملة الآن.",
		Pause: "إيقاف مؤقت", Resume: "استئناف", Cancel: "إلغاء الحملة", Retry: "اتصل بمن تعذّر الوصول إليهم",
		Results: "النتائج CSV", Calls: "مكالمات الحملة",
		CancelTitle: "إلغاء الحملة", CancelLead: "لن يُتصل بمن ينتظر دوره في الحملة، وتكمل المكالمات الجارية. لا يمكن التراجع.",
		CancelDo:   "نعم، ألغِ الحملة",
		RetryTitle: "الاتصال بمن تعذّر الوصول إليهم",
		RetryLead:  "تُحجز في الحملة نفسها مكالمة جديدة لكل من تعذّر الوصول إليه (حتى {count})، إلا من رفض، أو كان رقمه في قائمة المنع، أو له مكالمة مجدولة.",
		RetryDo:    "نعم، اتصل بهم", Paused: "توقفت الحملة مؤقتًا: لا تبدأ منها مكالمة جديدة.", Resumed: "استؤنفت الحملة.",
		Cancelled: "أُلغيت الحملة.", Retried: "حُجزت مكالمات لمن تعذّر الوصول إليهم.",
		Refused: "حالة الحملة الآن لا تسمح بهذا: {status}.",
		States:  "الأشخاص حسب نتيجة مكالماتهم", NoAnswers: "لا إجابات بعد",
		NoAnswersLead: "تظهر هنا إجابات الناس معدودة حين تنتهي أول مكالمة.", Others: "إجابات أخرى: {count}",
		Details: "إعدادات الحملة", Made: "أُنشئت", Starts: "تبدأ", Ends: "تنتهي", AtOnce: "في الحال", Never: "حين تنتهي مكالماتها",
		Pace: "السرعة", NoPace: "بلا حد", PerMinute: "مكالمات في الدقيقة: {count}", Lines: "مكالمات في وقت واحد", NoLines: "بلا حد",
		People: "الأشخاص", Unreached: "تعذّر الوصول إليهم",
		NoPeople: "لا أحد هنا.", PersonCalls: "المحاولة",
		Caller: "الرقم الذي يظهر للناس", UsualCaller: "رقم المنظمة أو رقم خط SIP",
		Attempts: "المحاولات لكل شخص", Waits: "الانتظار قبل الإعادة (دقائق): {count}",
		SkippedLost: "تعذّرت قراءة الصفوف التي لم تُحجز: تلفت على القرص.",
		Skipped:     "صفوف لم تُحجز", Row: "الصف", Number: "الرقم", Why: "السبب",
		Statuses: map[string]string{
			"scheduled": "تبدأ لاحقًا", "running": "جارية", "paused": "متوقفة مؤقتًا", "finished": "انتهت", "cancelled": "أُلغيت",
		},
		SkipReasons: map[string]string{
			"invalid": "فيه خطأ", "duplicate": "رقم مكرر", "suppressed": "الرقم في قائمة المنع",
		},
	}
}

func campaignsEnglish() CampaignsWords {
	return CampaignsWords{
		Title: "Campaigns", Lead: "Many calls of one scenario that start, pause and are counted together.", New: "New campaign",
		Name: "Name", Scenario: "Scenario", Status: "Status", Progress: "Progress", Answers: "Answers", Began: "Start",
		Empty:     "No campaigns yet",
		EmptyLead: "Upload an Excel or CSV file as you have it, match its columns once, and watch the answers come in.",
		Done:      "{done} of {total} people done", Booking: "The calls of this campaign are being booked.",
		Pause: "Pause", Resume: "Resume", Cancel: "Cancel campaign", Retry: "Retry the unreached",
		Results: "Results as CSV", Calls: "Calls of this campaign",
		CancelTitle: "Cancel the campaign",
		CancelLead:  "Waiting calls of the campaign are not dialled; running calls end by themselves. This cannot be undone.",
		CancelDo:    "Yes, cancel the campaign",
		RetryTitle:  "Retry the unreached",
		RetryLead: "A new call is booked in this campaign for each person who was not reached (up to {count}); not for those " +
			"who declined, whose number is on the suppression list, or who have a scheduled call.",
		RetryDo: "Yes, call them again", Paused: "The campaign is paused: no further call of it is dialled.",
		Resumed: "The campaign runs again.", Cancelled: "The campaign is cancelled.",
		Retried: "Calls are booked for the unreached.", Refused: "The campaign's status does not allow this: {status}.",
		States: "People by the outcome of their calls", NoAnswers: "No answers yet",
		NoAnswersLead: "What people answer is counted here when the first call has ended.", Others: "Other answers: {count}",
		Details: "Settings of the campaign", Made: "Created", Starts: "Starts", Ends: "Ends", AtOnce: "At once",
		Never: "When its calls have ended", Pace: "Pace", NoPace: "No limit", PerMinute: "{count} calls a minute",
		People: "People", Unreached: "Not reached",
		NoPeople: "No people here.", PersonCalls: "Attempt",
		Caller: "Number that people see", UsualCaller: "The organization's number, or the trunk's",
		Lines: "Calls at once", NoLines: "No limit", Attempts: "Attempts for each person",
		SkippedLost: "The rows that were not booked cannot be read: they are damaged on the disk.",
		Waits:       "Wait before each retry (minutes): {count}", Skipped: "Rows that were not booked", Row: "Row", Number: "Number",
		Why: "Reason", Statuses: map[string]string{
			"scheduled": "Starts later", "running": "Running", "paused": "Paused", "finished": "Finished", "cancelled": "Cancelled",
		},
		SkipReasons: map[string]string{
			"invalid": "Has an error", "duplicate": "Duplicate number", "suppressed": "On the suppression list",
		},
	}
}
