package locale

// WebhookWords is the page of the notifications, and of one of them.
type WebhookWords struct {
	Title, Lead, URL, URLHint, Enabled, Signing, SigningHint, Save, Saved                  string
	SecretOnce, SecretLive, SecretUntil, Rotate, RotateHint, Rotated, Copy, Copied, BadURL string
	Test, TestLead, TestDo, TestNeedsURL, TestWaiting, TestTitle                           string
	Deliveries, When, Call, Kind, Tries, State, Open, Empty, EmptyDo, All, Next, First     string
	Pending, Delivered, Failed, OfCall, OfTest                                             string
	One, Try, Request, Response, NoResponse, Took, Of, Redeliver, Redelivered, UnderWay    string
	Milliseconds, Seconds                                                                  string // units after a number
	NextTry, NoTry, Status, Error, Back, Headers                                           string
	Alerts, AlertsHint, OfAlert, OfAllClear                                                string
}

// StateName returns the display name of a delivery's state.
func (w WebhookWords) StateName(state string) string {
	return map[string]string{"pending": w.Pending, "delivered": w.Delivered, "failed": w.Failed}[state]
}

// KindName returns the display name of a kind of notification.
func (w WebhookWords) KindName(kind string) string {
	name, known := map[string]string{"test": w.OfTest, "alert_raised": w.OfAlert, "alert_cleared": w.OfAllClear}[kind]
	if !known {
		return w.OfCall
	}
	return name
}

// WebhookIn returns its strings.
func WebhookIn(l Language) WebhookWords { return pickLanguage(l, webhookArabic(), webhookEnglish()) }

func webhookArabic() WebhookWords {
	return WebhookWords{
		Title: "الإشعارات", Lead: "حين تنتهي مكالمة يُرسل خبرها إلى خادمك، ثلاث محاولات على الأكثر.", URL: "عنوان خادمك",
		URLHint: "يبدأ بـ https أو http. لا تُتبع التحويلات.", Enabled: "الإشعارات مفعّلة", Signing: "توقيع الإشعارات",
		SigningHint: "رؤوس Standard Webhooks ليتأكد خادمك أن الخبر منا.", Save: "حفظ", Saved: "حُفظت الإعدادات.",
		SecretOnce: "سر التوقيع، يظهر الآن فقط. ضعه في خادمك.", SecretLive: "سر منذ", SecretUntil: "يعمل حتى",
		Rotate: "سر جديد", RotateHint: "يبقى السر القديم يوقّع يومًا آخر.", Rotated: "صار هناك سر جديد.", Copy: "نسخ", Copied: "نُسخ",
		BadURL: "هذا العنوان لا يصلح", Test: "تجربة", TestLead: "يُرسل خبر مصطنع الآن، ويظهر هنا ما أُرسل وما أجاب به خادمك.",
		TestDo: "أرسل إشعار تجربة", TestNeedsURL: "احفظ عنوانًا أولًا.", TestWaiting: "يُرسل الآن…", TestTitle: "نتيجة التجربة",
		Deliveries: "ما أُرسل", When: "متى", Call: "المكالمة", Kind: "النوع", Tries: "المحاولات", State: "الحالة", Open: "فتح",
		Empty: "لم يُرسل شيء بعد", EmptyDo: "احفظ عنوانًا ثم جرّبه، أو ابدأ مكالمة.", All: "الكل", Next: "الأقدم", First: "الأحدث",
		Pending: "قيد الإرسال", Delivered: "وصل", Failed: "لم يصل", OfCall: "نهاية مكالمة", OfTest: "تجربة",
		One: "إشعار", Try: "المحاولة", Request: "ما أُرسل", Response: "الرد", NoResponse: "لا رد", Took: "المدة", Of: "من", Milliseconds: "مللي ثانية", Seconds: "ثانية",
		Redeliver: "إرسال من جديد", Redelivered: "سيُرسل من جديد الآن.", UnderWay: "ما زال قيد الإرسال.",
		NextTry: "المحاولة القادمة", NoTry: "لا محاولة بعد", Status: "الرد", Error: "السبب", Back: "كل الإشعارات", Headers: "الوجهة",
		Alerts: "أرسل التنبيهات أيضًا", AlertsHint: "توقف الاتصال وكثرة الفشل، وحين ينتهيان. اتركه إن كان خادمك لا يعرف إلا المكالمات.",
		OfAlert: "تنبيه", OfAllClear: "انتهاء تنبيه",
	}
}

func webhookEnglish() WebhookWords {
	return WebhookWords{
		Title: "Webhook", Lead: "When a call has ended, your server gets a notification, in three tries at most.", URL: "Your server's address",
		URLHint: "Begins with https or http. Redirects are not followed.", Enabled: "Notifications are on", Signing: "Sign notifications",
		SigningHint: "Standard Webhooks headers, so that your server can tell that they come from us.", Save: "Save", Saved: "The settings were saved.",
		SecretOnce: "The signing secret, shown now and never again. Put it into your server.", SecretLive: "Secret since", SecretUntil: "signs until",
		Rotate: "New secret", RotateHint: "The old secret goes on signing for a day.", Rotated: "There is a new secret.", Copy: "Copy", Copied: "Copied",
		BadURL: "This address cannot be used", Test: "Test", TestLead: "A made-up notification is sent now; what was sent and what your server answered is shown here.",
		TestDo: "Send a test", TestNeedsURL: "Save an address first.", TestWaiting: "On its way…", TestTitle: "The test",
		Deliveries: "Deliveries", When: "When", Call: "Call", Kind: "Kind", Tries: "Tries", State: "State", Open: "Open",
		Empty: "Nothing was sent yet", EmptyDo: "Save an address and test it, or start a call.", All: "All", Next: "Older", First: "Newest",
		Pending: "On its way", Delivered: "Delivered", Failed: "Failed", OfCall: "End of a call", OfTest: "Test",
		One: "Delivery", Try: "Try", Request: "Request", Response: "Response", NoResponse: "no answer", Took: "Took", Of: "of", Milliseconds: "ms", Seconds: "s",
		Redeliver: "Send again", Redelivered: "It will be sent again now.", UnderWay: "It is still on its way.",
		NextTry: "Next try", NoTry: "not tried yet", Status: "Answer", Error: "Reason", Back: "All deliveries", Headers: "To",
		Alerts: "Send alerts too", AlertsHint: "Calling stopped, many failures, and when they are over. Leave it off if your server knows only calls.",
		OfAlert: "Alert", OfAllClear: "All-clear",
	}
}
