package locale

// TroubleWords is the page of a failure.
type TroubleWords struct {
	NotFound, Forbidden, SignIn, Stale, TooLarge, Busy, Internal, Other string // headings
	NotFoundDo, ForbiddenDo, SignInDo, StaleDo, BusyDo, InternalDo      string // remedies
	Full, FullDo                                                        string // the disk
	Request, Copy, Copied, Back                                         string
}

// TroubleIn returns its strings.
func TroubleIn(l Language) TroubleWords {
	return pickLanguage(l, TroubleWords{
		NotFound: "الصفحة غير موجودة", NotFoundDo: "ربما حُذف، أو يتبع منظمة أخرى، أو في العنوان خطأ.",
		Forbidden: "دورك لا يسمح بهذا", ForbiddenDo: "اطلب من مالك المنظمة أن يفعله أو أن يغيّر دورك.",
		SignIn: "سجّل الدخول أولًا", SignInDo: "انتهت جلستك أو لم تبدأ بعد. لم يُنفَّذ شيء.",
		Stale: "لم يُقبل هذا الطلب", StaleDo: "النموذج قديم أو أرسله موقع آخر. افتح الصفحة من جديد وأعد المحاولة.",
		TooLarge: "ما أُرسل أكبر من المسموح",
		Busy:     "مُنادي غير جاهز الآن", BusyDo: "يُحمَّل النموذج أو يتوقف الخادم. أعد المحاولة بعد لحظات.",
		Full: "القرص ممتلئ", FullDo: "القرص ممتلئ أو للقراءة فقط، فلم يُحفظ شيء. احذف ملفات من القرص ثم أعد المحاولة؛ لا حاجة إلى إعادة التشغيل.",
		Internal: "حدث خطأ عندنا", InternalDo: "إن تكرر فأرسل معرّف الطلب إلى مدير الخادم؛ في سجل الخادم سطر بالمعرّف نفسه.",
		Other: "تعذّر تنفيذ الطلب", Request: "معرّف الطلب", Copy: "نسخ", Copied: "نُسخ", Back: "إلى لوحة التحكم",
	}, TroubleWords{
		NotFound: "Page not found", NotFoundDo: "It may have been deleted, belong to another organization, or the address is mistyped.",
		Forbidden: "Your role does not allow this", ForbiddenDo: "Ask an owner of the organization to do it, or to change your role.",
		SignIn: "Sign in first", SignInDo: "Your session has ended, or never began. Nothing was done.",
		Stale: "This request was not accepted", StaleDo: "The form is out of date, or another site sent it. Open the page again and retry.",
		TooLarge: "What was sent is too large",
		Busy:     "Munadi is not ready at the moment", BusyDo: "The model is being loaded, or the appliance is stopping. Try again in a moment.",
		Full: "The disk is full", FullDo: "The disk is full or read-only, so nothing was stored. Free disk space and try again; no restart is needed.",
		Internal: "Something went wrong on our side", InternalDo: "If it happens again, send the request id to the administrator of the appliance: its log has a line with the same id.",
		Other: "The request could not be completed", Request: "Request id", Copy: "Copy", Copied: "Copied", Back: "To the console",
	})
}
