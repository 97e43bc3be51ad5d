package alerts

import (
	"munadi/store/alert"
	"munadi/ui/locale"
)

// Texts of the page of the mail server.

var Server = locale.Text{"خادم البريد", "Mail server"}
var ServerLead = locale.Text{"منه تُرسل رسائل التنبيهات لكل المنظمات. يسري التغيير فورًا.", "E-mails of alerts are sent through it, for all organizations. A change takes effect at once."}
var ServerSettings = locale.Text{"الاتصال بالخادم", "Connection"}
var ServerFixed = locale.Text{"مضبوط في munadi.yaml أو عند التشغيل، ولذلك لا يُغيّر هنا.", "Set in munadi.yaml, the environment or flags, which take precedence: it cannot be changed here."}
var ServerHost = locale.Text{"اسم الخادم", "Host"}
var ServerHostHint = locale.Text{"الاسم وحده. فارغ: لا بريد.", "The name alone. Empty: no e-mail."}
var BadHost = locale.Text{"اكتب اسم الخادم أو عنوان IPv4 وحده، مثل mail.example.com.", "Write only a host name or an IPv4 address, such as mail.example.com."}
var ServerSecurity = locale.Text{"التشفير", "Encryption"}
var BadSecurity = locale.Text{"اختر تشفيرًا من القائمة.", "Choose an encryption of the list."}
var ServerPort = locale.Text{"المنفذ", "Port"}
var ServerPortHint = locale.Text{"فارغ: 587 مع STARTTLS، و465 مع TLS، و25 بلا تشفير.", "Empty: 587 with STARTTLS, 465 with TLS, 25 without encryption."}
var BadPort = locale.Text{"اكتب عددًا من 1 إلى 65535، أو اتركه فارغًا.", "Write a number from 1 to 65535, or leave it empty."}
var ServerUserHint = locale.Text{"فارغ: بلا تسجيل دخول.", "Empty: no sign-in."}
var BadUser = locale.Text{"اسم المستخدم وكلمة المرور يُكتبان معًا، ومع تشفير فقط، وبما لا يزيد على 320 بايت.", "A user name and a password belong together, need encryption, and have at most 320 bytes."}
var ServerPasswordHint = locale.Text{"تُحفظ مشفّرة ولا تُعرض بعد ذلك.", "It is stored encrypted, and never shown again."}
var ServerPasswordKept = locale.Text{"محفوظة. اتركها فارغة لتبقى، أو اكتب غيرها.", "One is stored. Leave it empty to keep it, or type another."}
var BadPassword = locale.Text{"اكتب كلمة المرور لهذا الخادم وهذا المستخدم، في 1000 بايت على الأكثر.", "Type the password of this host and user, at most 1000 bytes."}
var ServerFrom = locale.Text{"المرسِل", "Sender"}
var ServerFromHint = locale.Text{"العنوان الذي تأتي منه الرسائل.", "The address that e-mails come from."}
var BadFrom = locale.Text{"اكتب عنوانًا مثل name@example.com.", "Write an address such as name@example.com."}
var ServerSaved = locale.Text{"حُفظ خادم البريد. أرسل رسالة تجربة.", "The mail server was saved. Send a test message."}
var ServerRemoved = locale.Text{"أُزيل خادم البريد: لا تُرسل رسائل.", "The mail server was removed: no e-mails are sent."}
var ServerTestLead = locale.Text{"تُرسل الآن بالإعدادات المحفوظة، وتظهر إجابة خادم البريد هنا.", "It is sent now with the saved settings; the mail server's answer is shown here."}
var ServerTestNone = locale.Text{"احفظ خادم بريد أولًا.", "Save a mail server first."}
var ServerTest = locale.Text{"أرسل رسالة تجربة", "Send a test message"}
var ServerTaken = locale.Text{"قبل خادم البريد الرسالة. تحقق من صندوق الوارد.", "The mail server has taken the message. Look into the inbox."}
var ServerRefused = locale.Text{"لم تُرسل. قال خادم البريد أو الاتصال به:", "It was not sent. The mail server, or the connection to it, said:"}
var ServerBusy = locale.Text{"تُرسل رسالة تجربة الآن. انتظر حتى تنتهي.", "A test message is being sent. Wait until it has ended."}
var ServerGo = locale.Text{"اضبط خادم البريد", "Set the mail server"}
var TestTo = locale.Text{"إلى العنوان", "To the address"}
var BadTo = locale.Text{"اكتب عنوانًا واحدًا مثل name@example.com.", "Write one address such as name@example.com."}
var SecurityStartTLS = locale.Text{"STARTTLS، وهو المعتاد", "STARTTLS, the usual one"}
var SecurityTLS = locale.Text{"TLS من البداية", "TLS from the start"}
var SecurityPlain = locale.Text{"بلا تشفير", "No encryption"}

// SecurityName returns the display name of an encryption.
func SecurityName(l locale.Language, security string) string {
	return map[string]locale.Text{
		alert.MailStartTLS: SecurityStartTLS, alert.MailTLS: SecurityTLS, alert.MailPlain: SecurityPlain,
	}[security].In(l)
}
