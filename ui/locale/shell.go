package locale

// ShellWords is the frame around every page.
type ShellWords struct {
	Product  string // the name as this language writes it
	Skip     string // first link of the page, for the keyboard
	Light    string // labels of the appearance switch, by the target appearance
	Dark     string
	Footer   string // accessible name of the footer's navigation
	Version  string
	Console  string
	Docs     string
	OpenAPI  string
	Health   string
	SameText string // says, in the other language, that it is the same page
	Exposed  string // the warning over an unencrypted page; a command follows
}

// ShellIn returns the frame's strings.
func ShellIn(l Language) ShellWords {
	return pickLanguage(l, ShellWords{
		Product:  "مُنادي",
		Skip:     "إلى المحتوى",
		Light:    "المظهر الفاتح",
		Dark:     "المظهر الداكن",
		Footer:   "روابط الخدمة",
		Version:  "الإصدار",
		Console:  "لوحة التحكم",
		Docs:     "التوثيق",
		OpenAPI:  "وصف OpenAPI",
		Health:   "حالة الخدمة",
		SameText: "This page in English",
		Exposed:  "هذا الاتصال غير مشفّر: يستطيع غيرك على الشبكة قراءة كلمات المرور والمفاتيح وسماع الصوت. لتشغيل التشفير نفّذ:",
	}, ShellWords{
		Product:  "Munadi",
		Skip:     "Skip to content",
		Light:    "Light appearance",
		Dark:     "Dark appearance",
		Footer:   "Service links",
		Version:  "Version",
		Console:  "Console",
		Docs:     "Documentation",
		OpenAPI:  "OpenAPI description",
		Health:   "Service health",
		SameText: "هذه الصفحة بالعربية",
		Exposed:  "This connection is not encrypted: others on the network can read passwords, keys and audio. To encrypt it, run:",
	})
}
