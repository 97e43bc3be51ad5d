package locale

// WebhookWords is the page of the notifications, and of one of them.
type WebhookWords struct {
	Title, Lead, URL, URLHint, Enabled, Signing, SigningHint, Save, Saved                           string
	SecretOnce, SecretLive, SecretUntil, Rotate, RotateHint, Rotated, Copy, Copied, BadURL          string
	Test, TestLead, TestDo, TestNeedsURL, TestWaiting, TestTitle                                    string
	Deliveries, When, Call, Kind, Tries, State, Open, Empty, EmptyDo, All, Next, First              string
	Pending, Delivered, Failed, OfCall, OfTest                                                      string
	One, Try, Request, Response, NoResponse, Took, Of, Redeliver, Redelivered, UnderWay, NoReceiver string
	Milliseconds, Seconds                                                                           string // units after a number
	NextTry, NoTry, Status, Error, Back, Headers                                                    string
	Alerts, AlertsHint, OfAlert, OfAllClear                                                         string
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
		Title: "الإشعارات", Lead: "حين تنتهي مكالمة يُرسل إشعار (webhook) إلى نظامك، بثلاث محاولات على الأكثر.", URL: "عنوان نظامك",
		URLHint: "يبدأ بـ https أو http. لا تُتبع إعادة التوجيه.", Enabled: "الإشعارات مفعّلة", Signing: "توقيع الإشعارات",
		SigningHint: "ترويسات Standard Webhooks ليتأكد نظامك أن الإشعار من مُنادي.", Save: "حفظ", Saved: "حُفظت الإعدادات.",
		SecretOnce: "سر التوقيع، يظهر الآن فقط. ضعه في نظامك.", SecretLive: "سر منذ", SecretUntil: "يعمل حتى",
		Rotate: "سر جديد", RotateHint: "يبقى السر القديم صالحًا للتوقيع يومًا آخر.", Rotated: "أُنشئ سر جديد.", Copy: "نسخ", Copied: "نُسخ",
		BadURL: "هذا العنوان غير صالح", Test: "تجربة", TestLead: "يُرسل الآن إشعار تجربة، ويظهر هنا ما أُرسل وما ردّ به نظامك.",
		TestDo: "أرسل إشعار تجربة", TestNeedsURL: "احفظ عنوانًا أولًا.", TestWaiting: "يُرسل الآن…", TestTitle: "نتيجة التجربة",
		Deliveries: "ما أُرسل", When: "متى", Call: "المكالمة", Kind: "النوع", Tries: "المحاولات", State: "الحالة", Open: "فتح",
		Empty: "لم يُرسل شيء بعد", EmptyDo: "احفظ عنوانًا ثم جرّبه، أو ابدأ مكالمة.", All: "الكل", Next: "الأقدم", First: "الأحدث",
		Pending: "قيد الإرسال", Delivered: "وصل", Failed: "لم يصل", OfCall: "نهاية مكالمة", OfTest: "تجربة",
		One: "إشعار", Try: "المحاولة", Request: "ما أُرسل", Response: "الرد", NoResponse: "لا رد", Took: "المدة", Of: "من", Milliseconds: "مللي ثانية", Seconds: "ثانية",
		Redeliver: "إرسال من جديد", Redelivered: "يُرسل الآن من جديد.", UnderWay: "ما زال قيد الإرسال. انتظر حتى ينتهي.",
		NoReceiver: "لم يُحفظ عنوان للإشعارات، أو أنها غير مفعّلة. احفظ العنوان وفعّلها، ثم أرسل من جديد.",
		NextTry:    "المحاولة القادمة", NoTry: "لم تبدأ المحاولات بعد", Status: "الرد", Error: "السبب", Back: "كل الإشعارات", Headers: "الوجهة",
		Alerts: "أرسل التنبيهات أيضًا", AlertsHint: "توقف الاتصال وكثرة الفشل، وحين ينتهيان. اتركه إن كان نظامك لا يعرف إلا المكالمات.",
		OfAlert: "تنبيه", OfAllClear: "انتهاء تنبيه",
	}
}

func webhookEnglish() WebhookWords {
	return WebhookWords{
		Title: "Webhook", Lead: "When a call has ended, a webhook is sent to your server, with at most three attempts.", URL: "Your server's address",
		URLHint: "Begins with https or http. Redirects are not followed.", Enabled: "The webhook is on", Signing: "Sign webhooks",
		SigningHint: "Standard Webhooks headers, so that your server can verify that they come from Munadi.", Save: "Save", Saved: "The settings were saved.",
		SecretOnce: "The signing secret, shown now and never again. Store it in your server.", SecretLive: "Secret since", SecretUntil: "valid until",
		Rotate: "New secret", RotateHint: "The old secret stays valid for another day.", Rotated: "A new secret was created.", Copy: "Copy", Copied: "Copied",
		BadURL: "This address is not valid", Test: "Test", TestLead: "A test webhook is sent now; the request and the response of your server are shown here.",
		TestDo: "Send a test", TestNeedsURL: "Save an address first.", TestWaiting: "Sending…", TestTitle: "Result of the test",
		Deliveries: "Deliveries", When: "When", Call: "Call", Kind: "Kind", Tries: "Attempts", State: "State", Open: "Open",
		Empty: "Nothing was sent yet", EmptyDo: "Save an address and test it, or start a call.", All: "All", Next: "Older", First: "Newest",
		Pending: "Being sent", Delivered: "Delivered", Failed: "Failed", OfCall: "End of a call", OfTest: "Test",
		One: "Delivery", Try: "Attempt", Request: "Request", Response: "Response", NoResponse: "no answer", Took: "Took", Of: "of", Milliseconds: "ms", Seconds: "s",
		Redeliver: "Send again", Redelivered: "It is being sent again now.", UnderWay: "It is still being sent. Wait until that has ended.",
		NoReceiver: "The webhook has no address or is turned off. Save an address, turn the webhook on, then send again.",
		NextTry:    "Next attempt", NoTry: "no attempt yet", Status: "Response", Error: "Reason", Back: "All deliveries", Headers: "To",
		Alerts: "Send alerts too", AlertsHint: "Calling stopped, many failures, and when they are over. Leave it off if your server knows only calls.",
		OfAlert: "Alert", OfAllClear: "End of an alert",
	}
}
