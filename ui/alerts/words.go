// Package alerts holds what a person sees of alerts.
package alerts

import (
	"munadi/store/alert"
	"munadi/ui/locale"
)

var Lead = locale.Text{"ما يحتاج إلى تدخّل: يُرسل مرة حين يبدأ ومرة حين ينتهي.", "What needs attention: sent once when it begins and once when it is over."}
var None = locale.Text{"لا تنبيهات الآن", "No alerts"}
var NoneText = locale.Text{"يظهر هنا توقف الاتصال وكثرة الفشل وأعطال الخادم.", "Stopped calling, many failures and faults of the appliance show up here."}
var SeenBy = locale.Text{"اطّلع عليه", "Acknowledged by"}
var OfInstallation = locale.Text{"لمدير الخادم وحده", "for the administrator only"}
var Acknowledge = locale.Text{"اطّلعت عليه", "Acknowledge"}
var Acknowledged = locale.Text{"سُجّل أنك اطّلعت عليه. يبقى مفتوحًا حتى يزول سببه.", "Your acknowledgement is recorded. The alert stays open until its cause is gone."}
var Past = locale.Text{"تنبيهات انتهت", "Past alerts"}
var What = locale.Text{"التنبيه", "Alert"}
var From = locale.Text{"من", "From"}
var Until = locale.Text{"إلى", "Until"}
var Mail = locale.Text{"بالبريد الإلكتروني", "By e-mail"}
var NoServer = locale.Text{"لا خادم بريد. يضبطه مدير الخادم هنا أو في munadi.yaml.", "No mail server is set. The administrator of the appliance sets it here, or in munadi.yaml."}
var Addresses = locale.Text{"العناوين", "Addresses"}
var RecipientsHint = locale.Text{"عنوان في كل سطر، خمسة على الأكثر.", "One on each line, at most five."}
var Saved = locale.Text{"حُفظت العناوين.", "The addresses were saved."}
var BadRecipients = locale.Text{"عنوان منها غير صالح. اكتب عنوانًا في كل سطر مثل name@example.com، خمسة على الأكثر.", "One of them is not an address. Write one on each line, such as name@example.com, at most five."}
var Test = locale.Text{"أرسل رسالة تجربة", "Send a test e-mail"}
var Testing = locale.Text{"تُرسل الآن. تظهر نتيجتها في هذه الصفحة.", "It is being sent. The result shows up on this page."}
var NoTest = locale.Text{"تعذّر الإرسال: لا خادم بريد، أو لا عناوين، أو أُرسلت رسائل كثيرة في الساعة الأخيرة. أصلح ذلك أو أعد المحاولة بعد ساعة.", "Nothing was sent: there is no mail server or no address, or too many were sent within the last hour. Set them, or try again in an hour."}
var Hook = locale.Text{"بالإشعارات", "By webhook"}
var HookOn = locale.Text{"تُرسل التنبيهات إلى عنوان الإشعارات.", "Alerts are sent to the webhook."}
var HookOff = locale.Text{"لا تُرسل التنبيهات إلى عنوان الإشعارات.", "Alerts are not sent to the webhook."}
var Mails = locale.Text{"رسائل أُرسلت", "E-mails"}
var To = locale.Text{"إلى", "To"}
var Pending = locale.Text{"قيد الإرسال", "Being sent"}
var Sent = locale.Text{"أُرسلت", "Sent"}
var Failed = locale.Text{"لم تُرسل", "Not sent"}
var OfTest = locale.Text{"تجربة", "Test"}

// MailState returns the display name of an e-mail's state.
func MailState(l locale.Language, state alert.MailState) string {
	return map[alert.MailState]locale.Text{alert.MailPending: Pending, alert.MailSent: Sent, alert.MailFailed: Failed}[state].In(l)
}

// MailSubject returns the subject of an alert's e-mail.
func MailSubject(l locale.Language, event alert.AlertEvent, title string) string {
	switch event {
	case alert.Trial:
		return OfTest.In(l)
	case alert.Cleared:
		return locale.FillSentence(locale.AlertOver.In(l), "title", title)
	}
	return title
}
