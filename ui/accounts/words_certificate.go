package accounts

import "munadi/ui/locale"

// Texts of the page that offers the local authority's root certificate.

var CertificateTitle = locale.Text{"ثق بهذا الخادم", "Trust this appliance"}
var CertificateLead = locale.Text{"هذا الخادم يصدر شهاداته بنفسه. ثبّت شهادته الجذرية مرة واحدة، فيختفي تحذير المتصفح ويعمل الميكروفون.", "This appliance issues its own certificates. Install its root certificate once: the browser stops warning, and the microphone works."}
var CertificateLink = locale.Text{"المتصفح يحذّرك؟ ثبّت شهادة هذا الخادم", "Does your browser warn you? Install this appliance's certificate"}
var CertificateDownload = locale.Text{"تنزيل الشهادة الجذرية", "Download the root certificate"}
var CertificateUntil = locale.Text{"صالحة حتى", "Valid until"}
var CertificateFingerprint = locale.Text{"بصمة SHA-256", "SHA-256 fingerprint"}

// a command follows
var CertificateCompare = locale.Text{"قبل التثبيت قارن البصمة بما يعرضه الخادم نفسه:", "Before you install it, compare the fingerprint with the one that the appliance itself prints:"}
var CertificateHow = locale.Text{"طريقة التثبيت", "How to install it"}
var CertificateSystems = []HowTo{
	{locale.Text{"ويندوز", "Windows"}, locale.Text{"افتح الملف، ثم «تثبيت الشهادة» ← «الجهاز المحلي» ← «وضع كافة الشهادات في المخزن التالي» ← «المراجع المصدقة الجذرية الموثوق بها».", "Open the file, then Install certificate → Local machine → Place all certificates in the following store → Trusted Root Certification Authorities."}},
	{locale.Text{"ماك", "macOS"}, locale.Text{"افتح الملف فيُضاف إلى «سلسلة المفاتيح»، ثم افتح الشهادة هناك واختر من «الثقة»: «الوثوق دائمًا».", "Open the file, which adds it to Keychain Access; open it there and choose Trust → Always Trust."}},
	{locale.Text{"آيفون وآيباد", "iPhone and iPad"}, locale.Text{"نزّل الملف بمتصفح سفاري، ثم «الإعدادات» ← «تم تنزيل الملف» ← «تثبيت»، ثم «عام» ← «حول» ← «إعدادات ثقة الشهادة» وفعّلها.", "Download the file with Safari, then Settings → Profile Downloaded → Install, and then General → About → Certificate Trust Settings: turn it on."}},
	{locale.Text{"أندرويد", "Android"}, locale.Text{"«الإعدادات» ← «الأمان» ← «التشفير وبيانات الاعتماد» ← «تثبيت شهادة» ← «شهادة CA»، ثم اختر الملف.", "Settings → Security → Encryption & credentials → Install a certificate → CA certificate, and choose the file."}},
	{locale.Text{"لينكس", "Linux"}, locale.Text{"انسخ الملف إلى \u200e/usr/local/share/ca-certificates/ ثم نفّذ update-ca-certificates. كروم: «الإعدادات» ← «الخصوصية والأمان» ← «إدارة الشهادات».", "Copy the file to /usr/local/share/ca-certificates/ and run update-ca-certificates. Chrome: Settings → Privacy and security → Manage certificates."}},
	{locale.Text{"فايرفوكس", "Firefox"}, locale.Text{"«الإعدادات» ← «الخصوصية والأمان» ← «عرض الشهادات» ← «السلطات» ← «استيراد»، وعلّم «الوثوق لتحديد مواقع الويب».", "Settings → Privacy & Security → View Certificates → Authorities → Import, and tick “Trust this CA to identify websites”."}},
}

// HowTo is how one system installs a root certificate.
type HowTo struct{ System, Steps locale.Text }

// for programs; commands follow
var CertificateCommands = locale.Text{"وللبرامج:", "And for programs:"}
var CertificateOnly = locale.Text{"لا تصلح هذه الشهادة إلا لأسماء هذا الخادم وللأسماء والشبكات الخاصة.", "The certificate is valid only for this appliance's names and for private names and networks."}
var CertificateNone = locale.Text{"هذا الخادم لا يصدر شهاداته بنفسه، فلا شيء هنا للتثبيت.", "This appliance does not issue its own certificates; there is nothing to install."}

// on the system page
var CertificateEncryption = locale.Text{"التشفير", "Encryption"}
var CertificateOff = locale.Text{"بلا تشفير", "not encrypted"}
