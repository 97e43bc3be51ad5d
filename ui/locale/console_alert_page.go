package locale

// AlertsWords is the page of the alerts.
type AlertsWords struct {
	Title, Lead, None, NoneText, Since, SeenBy, OfInstallation, Go, Acknowledge, Acknowledged     string
	Past, What, From, Until                                                                       string
	Mail, NoServer, Recipients, RecipientsHint, Save, Saved, BadRecipients, Test, Testing, NoTest string
	Hook, HookOn, HookOff, HookGo                                                                 string
	Mails, When, To, State, Pending, Sent, Failed, OfTest, Over                                   string
}

// MailState returns the display name of an e-mail's state.
func (w AlertsWords) MailState(state string) string {
	return map[string]string{"pending": w.Pending, "sent": w.Sent, "failed": w.Failed}[state]
}

// MailSubject returns the subject of an alert's e-mail.
func (w AlertsWords) MailSubject(event, title string) string {
	switch event {
	case "trial":
		return w.OfTest
	case "cleared":
		return FillSentence(w.Over, "title", title)
	}
	return title
}

// AlertsIn returns its strings.
func AlertsIn(l Language) AlertsWords {
	return pickLanguage(l, AlertsWords{
		Title: "التنبيهات", Lead: "ما يحتاج إلى تدخّل: يُرسل مرة حين يبدأ ومرة حين ينتهي.", None: "لا تنبيهات الآن",
		NoneText: "يظهر هنا توقف الاتصال وكثرة الفشل وأعطال الخادم.", Since: "منذ", SeenBy: "اطّلع عليه", OfInstallation: "لمدير الخادم وحده",
		Go: "اذهب إليه", Acknowledge: "اطّلعت عليه", Acknowledged: "سُجّل أنك اطّلعت عليه. يبقى مفتوحًا حتى يزول سببه.",
		Past: "تنبيهات انتهت", What: "التنبيه", From: "من", Until: "إلى", Mail: "بالبريد الإلكتروني",
		NoServer:   "لا خادم بريد. اضبط smtp-host وmail-from في munadi.yaml.",
		Recipients: "العناوين", RecipientsHint: "عنوان في كل سطر، خمسة على الأكثر.", Save: "حفظ", Saved: "حُفظت العناوين.",
		BadRecipients: "عنوان منها غير صالح. اكتب عنوانًا في كل سطر مثل name@example.com، خمسة على الأكثر.",
		Test:          "أرسل رسالة تجربة", Testing: "تُرسل الآن. تظهر نتيجتها في هذه الصفحة.",
		NoTest: "تعذّر الإرسال: لا خادم بريد، أو لا عناوين، أو أُرسلت رسائل كثيرة في الساعة الأخيرة. أصلح ذلك أو أعد المحاولة بعد ساعة.", Hook: "بالإشعارات",
		HookOn: "تُرسل التنبيهات إلى عنوان الإشعارات.", HookOff: "لا تُرسل التنبيهات إلى عنوان الإشعارات.", HookGo: "الإشعارات",
		Mails: "رسائل أُرسلت", When: "متى", To: "إلى", State: "الحالة", Pending: "قيد الإرسال", Sent: "أُرسلت", Failed: "لم تُرسل",
		OfTest: "تجربة", Over: "انتهى: {title}",
	}, AlertsWords{
		Title: "Alerts", Lead: "What needs attention: sent once when it begins and once when it is over.", None: "No alerts",
		NoneText: "Stopped calling, many failures and faults of the appliance show up here.", Since: "Since", SeenBy: "Acknowledged by", OfInstallation: "for the administrator only",
		Go: "Go there", Acknowledge: "Acknowledge", Acknowledged: "Your acknowledgement is recorded. The alert stays open until its cause is gone.",
		Past: "Past alerts", What: "Alert", From: "From", Until: "Until", Mail: "By e-mail",
		NoServer:   "No mail server is set: set smtp-host and mail-from in munadi.yaml.",
		Recipients: "Addresses", RecipientsHint: "One on each line, at most five.", Save: "Save", Saved: "The addresses were saved.",
		BadRecipients: "One of them is not an address. Write one on each line, such as name@example.com, at most five.",
		Test:          "Send a test e-mail", Testing: "It is being sent. The result shows up on this page.",
		NoTest: "Nothing was sent: there is no mail server or no address, or too many were sent within the last hour. Set them, or try again in an hour.", Hook: "By webhook",
		HookOn: "Alerts are sent to the webhook.", HookOff: "Alerts are not sent to the webhook.", HookGo: "Webhook",
		Mails: "E-mails", When: "When", To: "To", State: "State", Pending: "Being sent", Sent: "Sent", Failed: "Not sent",
		OfTest: "Test", Over: "Over: {title}",
	})
}
