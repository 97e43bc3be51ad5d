package locale

// CallWords is the page of one call: live while it runs, the record afterwards.
type CallWords struct {
	Title, Back, Platform, Customer, Transcript                  string
	Listen, StopListen, HangUp                                   string
	HangUpTitle, HangUpLead, HangUpDo, HungUp, NotRunning        string
	Report, ReportWait, NoReport, Unknown, Yes, No, JSON         string
	Heard                                                        CountedText // with {who} {time}
	Details, ID, Scenario, Booking, Created, Planned, Began, End string
	Attempt, Reason, SIP, Q850, Machine, ScenarioVersion         string
	Timeline, Webhook, WebhookNone, Answered                     string
	WebhookLater                                                 string // Answered with {code} {ms}
	NoAnswer, ShowDelivery                                       string
	Chain, This, NextAt                                          string
	Actions, Cancel, CancelLead, CancelDo, CancelledSay          string
	Move, MoveHint, MoveDo, Moved, BadMove, ClosedHours, Gone    string
	Erase, EraseTitle, EraseLead, EraseDo, ErasedNote            string
	ErasedSay, ErasedCancelled, ErasedUnreadable                 CountedText
	Player, Wave, Download, NoRecording, RecordingAway, Hear     string
	RecordingDamaged                                             string
	Troubles, NoWords, WaitWords, Lost, Full, ListenHint         string
	Metadata, Variables                                          string
	Person, CallAgain                                            string
	SIPCodes, Codec, Encrypted, Packets, Noticed, ForeignSound   string
	Trunk                                                        string
	PacketCounts                                                 string // with {sent} {received} {lost} {late} {ignored}
	States, Events                                               map[string]string
	Actors                                                       map[string]string // people and programs; none for the platform
}

// CallIn returns its strings.
func CallIn(l Language) CallWords { return pickLanguage(l, callArabic(), callEnglish()) }

func callArabic() CallWords {
	return CallWords{
		Title: "مكالمة", Back: "كل المكالمات", Platform: "المنصة", Customer: "العميل", Transcript: "ما قيل",
		Listen:     "استمع الآن",
		StopListen: "أوقف الاستماع", HangUp: "أنهِ المكالمة",
		HangUpTitle: "إنهاء المكالمة الجارية", HangUpLead: "ينقطع الخط عن الشخص في الحال، وتُسجَّل المكالمة على أنك أنهيتها.",
		HangUpDo: "نعم، أنهِها", HungUp: "طُلب إنهاء المكالمة.", NotRunning: "المكالمة ليست جارية الآن.",
		Report: "التقرير", ReportWait: "تظهر الإجابات هنا وهي تُفهم.", NoReport: "لا تقرير لهذه المكالمة.",
		Unknown: "لم يُعرف", Yes: "نعم", No: "لا", JSON: "التقرير كما يصل إلى برنامجك",
		Heard:   arabicNoun("{who}: ", "لم يتكلم", "مرة واحدة", "مرتين", "مرات", "مرة", "مرة", "، {time}"),
		Details: "التفاصيل", ID: "المعرّف", Scenario: "السيناريو", Booking: "الحجز", Created: "حُجزت", Planned: "الموعد",
		Began: "الرد", End: "النهاية", Attempt: "المحاولة", Reason: "السبب",
		SIP: "رمز SIP", Q850: "سبب Q.850", ScenarioVersion: "إصدار السيناريو", Machine: "كشف الآلة",
		Timeline: "ما جرى", Webhook: "الإشعار", WebhookNone: "لا إشعار لهذه المكالمة.", WebhookLater: "يُرسل حين تنتهي، إن كانت الإشعارات مفعّلة.", Answered: "الرد {code} بعد {ms} مللي ثانية", NoAnswer: "بلا رد", ShowDelivery: "الطلب والرد",
		Chain: "سلسلة المحاولات", This: "هذه المكالمة", NextAt: "الإعادة القادمة",
		Actions: "إجراءات", Cancel: "إلغاء المكالمة", CancelLead: "لن يُتصل بهذا الرقم، وتنتهي سلسلة الإعادة. لا يمكن التراجع.",
		CancelDo: "نعم، ألغِها", CancelledSay: "أُلغيت المكالمة.",
		Move: "تغيير الموعد", MoveHint: "بعد عشر دقائق على الأقل، بتوقيت {zone}.", MoveDo: "غيّر الموعد", Moved: "تغيّر الموعد.",
		BadMove: "اختر موعدًا بعد 10 دقائق على الأقل وخلال 30 يومًا.", ClosedHours: "هذا الوقت خارج ساعات الاتصال. اختر وقتًا ضمنها.",
		Gone:  "بدأ الاتصال أو انتهت المكالمة، فلم يتغير شيء.",
		Erase: "حذف بيانات الشخص", EraseTitle: "حذف كل ما يخص هذا الرقم",
		EraseLead:       "تُحذف تسجيلات كل مكالمات هذا الرقم ونصوصها وتقاريرها، وتُلغى المجدولة منها. لا يمكن التراجع.",
		EraseDo:         "نعم، احذف",
		ErasedSay:       arabicOfCalls("حُذفت بيانات ", "."),
		ErasedCancelled: arabicCalls("أُلغيت ", "."),
		ErasedUnreadable: arabicOfCalls("تعذّرت قراءة ", " أتلفها القرص، فبقيت كما هي.").
			withDual("تعذّرت قراءة مكالمتين أتلفهما القرص، فبقيتا كما هما."),
		ErasedNote: "حُذفت بيانات هذا الشخص.",
		Player:     "التسجيل", Wave: "الموجة من اليسار إلى اليمين: العميل فوق، والمنصة تحت", Download: "تنزيل التسجيل", NoRecording: "لا تسجيل لهذه المكالمة.",
		RecordingDamaged: "التسجيل تالف: ملفه ليس كما كُتب، فلا يُشغَّل. افحص القرص، واستعِد الملف من نسخة احتياطية إن وُجدت.",
		RecordingAway:    "ملف التسجيل ليس على هذا الخادم: حُذف، أو بقي على الخادم الذي أجرى المكالمة. تُسمع التسجيلات على كل خادم إذا ضُبط لها مخزن مشترك (recordings).", Hear: "استمع من هنا: {text}",
		Troubles: "أخطاء في المكالمة", NoWords: "لم يُقل شيء في هذه المكالمة.",
		WaitWords: "تظهر الكلمات هنا وهي تُقال.", Lost: "انقطع الاتصال بالصفحة، ويعود وحده.",
		Full:       "كثيرون يستمعون الآن. حاول بعد قليل.",
		ListenHint: "العميل في الأذن اليسرى، والمنصة في اليمنى.",
		Metadata:   "بياناتك", Variables: "القيم", Person: "كل مكالمات هذا الرقم", CallAgain: "اتصل به ثانية",
		Trunk: "خط SIP", SIPCodes: "ردود شركة الاتصالات (SIP)", Codec: "ترميز الصوت", Encrypted: "مشفَّر", Packets: "حزم الصوت",
		PacketCounts: "المرسلة {sent}، المستقبلة {received}، المفقودة {lost}، المتأخرة {late}، المتجاهَلة {ignored}",
		Noticed:      "تحذير", ForeignSound: "وصل صوت من عنوان لم يُتفق عليه.",
		States: map[string]string{"none": "لا شيء", "pending": "يُرسل", "delivered": "وصل", "failed": "لم يصل"},
		Events: map[string]string{
			"booked": "حُجزت", "rescheduled": "تغيّر موعدها", "moved": "نُقل موعدها", "cancelled": "أُلغيت", "released": "بدأ الاتصال",
			"stopped": "أُوقفت قبل الاتصال", "returned": "أُعيدت إلى الانتظار: لم تقبلها شركة الاتصالات",
			"answered": "رُدّ عليها", "ended": "انتهت", "rescued": "استُعيدت بعد توقف الخادم", "reopened": "لم تنقطع، وعُرفت نتيجتها",
			"erased": "حُذفت بياناتها", "hangup": "طُلب إنهاؤها", "hangup_requested": "طُلب إنهاؤها", "expired": "انتهت مدة حفظها",
			"retry rescheduled": "تغيّر موعد إعادتها", "retry moved": "نُقل موعد إعادتها", "retry cancelled": "أُلغيت إعادتها",
			"recording expired": "انتهت مدة حفظ تسجيلها", "words expired": "انتهت مدة حفظ نصها",
			"retry_booked": "حُجزت إعادة", "note": "كُتبت ملاحظة", "needs_person": "عُلّمت لموظف", "taken": "تولّاها موظف",
			"left": "تركها موظف لغيره", "done": "انتهت متابعتها", "corrected": "صُحّحت",
		},
		Actors: map[string]string{
			"key": "برنامج عبر API", "user": "مستخدم", "operator": "موظف",
			"retention": "مدة الحفظ",
		},
	}
}

func callEnglish() CallWords {
	return CallWords{
		Title: "Call", Back: "All calls", Platform: "Platform", Customer: "Customer", Transcript: "What was said",
		Listen:     "Listen in",
		StopListen: "Stop listening", HangUp: "Hang up",
		HangUpTitle: "Hang up a running call", HangUpLead: "The person is cut off at once, and the call is recorded as ended by you.",
		HangUpDo: "Yes, hang up", HungUp: "The call is being hung up.", NotRunning: "The call is not running now.",
		Report: "Report", ReportWait: "Answers show up here as they are understood.", NoReport: "The call has no report.",
		Unknown: "unknown", Yes: "Yes", No: "No", JSON: "The report as your program gets it",
		Heard:   englishCount("{who}: one turn, {time}", "{who}: {n} turns, {time}"),
		Details: "Details", ID: "Id", Scenario: "Scenario", Booking: "Booking", Created: "Booked", Planned: "Planned for",
		Began: "Answered", End: "Ended at", Attempt: "Attempt", Reason: "Reason",
		SIP: "SIP code", Q850: "Q.850 cause", ScenarioVersion: "Version of the scenario", Machine: "Machine detection",
		Timeline: "What happened", Webhook: "Webhook", WebhookNone: "No webhook is sent for this call.", WebhookLater: "Sent when the call ends, if the webhook is on.", Answered: "Answered {code} after {ms} ms", NoAnswer: "No answer", ShowDelivery: "Request and answer",
		Chain: "Retry chain", This: "This call", NextAt: "Next retry",
		Actions: "Actions", Cancel: "Cancel the call", CancelLead: "The number will not be called, and the retry chain ends. This cannot be undone.",
		CancelDo: "Yes, cancel it", CancelledSay: "The call is cancelled.",
		Move: "Change the time", MoveHint: "At least ten minutes ahead, in {zone} time.", MoveDo: "Change the time", Moved: "The time was changed.",
		BadMove: "Choose a time at least 10 minutes and at most 30 days ahead.", ClosedHours: "That time is outside calling hours. Choose one within them.",
		Gone:  "The call has been dialled or has ended, so nothing changed.",
		Erase: "Erase the person's data", EraseTitle: "Erase everything about this number",
		EraseLead:       "Recordings, transcripts and reports of all calls to this number are removed, and scheduled ones cancelled. This cannot be undone.",
		EraseDo:         "Yes, erase",
		ErasedSay:       englishCount("One call was erased.", "{n} calls were erased."),
		ErasedCancelled: englishCount("One scheduled call was cancelled.", "{n} scheduled calls were cancelled."),
		ErasedUnreadable: englishCount("One call cannot be read: the disk damaged it, and it was left as it is.",
			"{n} calls cannot be read: the disk damaged them, and they were left as they are."),
		ErasedNote: "This person's data was erased.",
		Player:     "Recording", Wave: "Waveform from left to right: the customer above, the platform below", Download: "Download the recording", NoRecording: "This call has no recording.",
		RecordingDamaged: "The recording is damaged: its file is not as it was written, so it is not played. Check the disk, and restore the file from a backup if there is one.",
		RecordingAway:    "The file of the recording is not on this appliance: it was deleted, or it is on the appliance that made the call. Appliances can play each other's recordings if they share a bucket (setting recordings).", Hear: "Hear from here: {text}",
		Troubles: "Errors in this call", NoWords: "Nothing was said in this call.",
		WaitWords: "Words show up here as they are said.", Lost: "The page lost its connection; it comes back by itself.",
		Full:       "Too many people are listening. Try again shortly.",
		ListenHint: "The customer is in the left ear, the platform in the right.",
		Metadata:   "Your data", Variables: "Variables", Person: "All calls to this number", CallAgain: "Call again",
		Trunk: "SIP trunk", SIPCodes: "SIP responses", Codec: "Codec", Encrypted: "encrypted", Packets: "Audio packets",
		PacketCounts: "sent {sent}, received {received}, lost {lost}, late {late}, ignored {ignored}",
		Noticed:      "Warning", ForeignSound: "Audio came from an address that was not negotiated.",
		States: map[string]string{"none": "None", "pending": "Being sent", "delivered": "Delivered", "failed": "Not delivered"},
		Events: map[string]string{
			"booked": "Booked", "rescheduled": "Time changed", "moved": "Moved to calling hours", "cancelled": "Cancelled",
			"released": "Dialled", "stopped": "Stopped before dialling", "returned": "Put back in the queue: the carrier accepted no calls",
			"answered": "Answered", "ended": "Ended",
			"rescued": "Recovered after a stop of the appliance", "reopened": "Was not interrupted; its outcome is known", "erased": "Erased", "hangup": "Hang-up requested",
			"hangup_requested": "Hang-up requested", "expired": "Its retention period ended",
			"retry rescheduled": "Retry rescheduled", "retry moved": "Retry moved", "retry cancelled": "Retry cancelled",
			"recording expired": "Its recording was deleted", "words expired": "Its transcript was deleted",
			"retry_booked": "Retry booked",
			"note":         "Note written", "needs_person": "Marked for staff", "taken": "Taken by staff",
			"left": "Left to others", "done": "Follow-up ended", "corrected": "Corrected",
		},
		Actors: map[string]string{
			"key": "a program, by API", "user": "a user", "operator": "staff", "retention": "retention period",
		},
	}
}
