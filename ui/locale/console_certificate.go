package locale

// CertificateWords is the page that offers the local authority's root certificate.
type CertificateWords struct {
	Title, Lead, Link string
	Download          string
	Name, Until       string
	Fingerprint       string
	Compare           string // a command follows
	How               string
	Systems           []HowTo
	Commands          string // for programs; commands follow
	Only              string
	None              string
	Encryption        string // on the system page
	Off               string
}

// HowTo is how one system installs a root certificate.
type HowTo struct{ System, Steps string }

// CertificateIn returns its strings.
func CertificateIn(l Language) CertificateWords {
	return pickLanguage(l, CertificateWords{
		Title: "ثق بهذا الخادم", Lead: "هذا الخادم يصدر شهاداته بنفسه. ثبّت شهادته الجذرية مرة واحدة، فيختفي تحذير المتصفح ويعمل الميكروفون.",
		Link:     "المتصفح يحذّرك؟ ثبّت شهادة هذا الخادم",
		Download: "تنزيل الشهادة الجذرية", Name: "الاسم", Until: "صالحة حتى", Fingerprint: "بصمة SHA-256",
		Compare: "قبل التثبيت قارن البصمة بما يعرضه الخادم نفسه:",
		How:     "طريقة التثبيت",
		Systems: []HowTo{
			{"ويندوز", "افتح الملف، ثم «تثبيت الشهادة» ← «الجهاز المحلي» ← «وضع كافة الشهادات في المخزن التالي» ← «المراجع المصدقة الجذرية الموثوق بها»."},
			{"ماك", "افتح الملف فيُضاف إلى «سلسلة المفاتيح»، ثم افتح الشهادة هناك واختر من «الثقة»: «الوثوق دائمًا»."},
			{"آيفون وآيباد", "نزّل الملف بمتصفح سفاري، ثم «الإعدادات» ← «تم تنزيل الملف» ← «تثبيت»، ثم «عام» ← «حول» ← «إعدادات ثقة الشهادة» وفعّلها."},
			{"أندرويد", "«الإعدادات» ← «الأمان» ← «التشفير وبيانات الاعتماد» ← «تثبيت شهادة» ← «شهادة CA»، ثم اختر الملف."},
			{"لينكس", "انسخ الملف إلى /usr/local/share/ca-certificates/ ثم نفّذ update-ca-certificates. كروم: «الإعدادات» ← «الخصوصية والأمان» ← «إدارة الشهادات»."},
			{"فايرفوكس", "«الإعدادات» ← «الخصوصية والأمان» ← «عرض الشهادات» ← «السلطات» ← «استيراد»، وعلّم «الوثوق لتحديد مواقع الويب»."},
		},
		Commands: "وللبرامج:", Only: "لا تصلح هذه الشهادة إلا لأسماء هذا الخادم وللأسماء والشبكات الخاصة.",
		None:       "هذا الخادم لا يصدر شهاداته بنفسه، فلا شيء هنا للتثبيت.",
		Encryption: "التشفير", Off: "بلا تشفير",
	}, CertificateWords{
		Title: "Trust this appliance", Lead: "This appliance issues its own certificates. Install its root certificate once: the browser stops warning, and the microphone works.",
		Link:     "Does your browser warn you? Install this appliance's certificate",
		Download: "Download the root certificate", Name: "Name", Until: "Valid until", Fingerprint: "SHA-256 fingerprint",
		Compare: "Before you install it, compare the fingerprint with the one that the appliance itself prints:",
		How:     "How to install it",
		Systems: []HowTo{
			{"Windows", "Open the file, then Install certificate → Local machine → Place all certificates in the following store → Trusted Root Certification Authorities."},
			{"macOS", "Open the file, which adds it to Keychain Access; open it there and choose Trust → Always Trust."},
			{"iPhone and iPad", "Download the file with Safari, then Settings → Profile Downloaded → Install, and then General → About → Certificate Trust Settings: turn it on."},
			{"Android", "Settings → Security → Encryption & credentials → Install a certificate → CA certificate, and choose the file."},
			{"Linux", "Copy the file to /usr/local/share/ca-certificates/ and run update-ca-certificates. Chrome: Settings → Privacy and security → Manage certificates."},
			{"Firefox", "Settings → Privacy & Security → View Certificates → Authorities → Import, and tick “Trust this CA to identify websites”."},
		},
		Commands: "And for programs:", Only: "The certificate is valid only for this appliance's names and for private names and networks.",
		None:       "This appliance does not issue its own certificates; there is nothing to install.",
		Encryption: "Encryption", Off: "not encrypted",
	})
}
