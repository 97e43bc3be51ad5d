package locale

// SetUp is the first run: password, key, first call.
type SetUp struct {
	Title, Lead, User, Password, Again, Do string
	Steps                                  string // accessible name of the row of steps
	StepPassword, StepKey, StepCall        string

	Zone, ZoneHint, BadZone string

	ClosedTitle, Closed, ClosedDo string

	KeyTitle, KeyOnce, KeyGone, Copy, Copied string
	CallTitle, CallLead, CallDo, Later       string
	Number                                   string
	FirstKey                                 string // name of the key that is made
}

// StepNames returns the steps of the first run; a call is one where no telephone rings.
func (w SetUp) StepNames(simulated bool) []string {
	if simulated {
		return []string{w.StepPassword, w.StepKey, w.StepCall}
	}
	return []string{w.StepPassword, w.StepKey}
}

// SetUpIn returns its strings.
func SetUpIn(l Language) SetUp {
	return pickLanguage(l, SetUp{
		Title: "البداية", Lead: "اختر كلمة مرور المستخدم الأول. له كل الصلاحيات على هذا الخادم.",
		User: "اسم المستخدم", Password: "كلمة المرور", Again: "مرة أخرى", Do: "متابعة",
		Steps: "الخطوات", StepPassword: "كلمة المرور", StepKey: "المفتاح", StepCall: "أول مكالمة",
		Zone: "المنطقة الزمنية", ZoneHint: "من متصفحك. بها تُحسب ساعات الاتصال ويومك، وتغيّرها من قواعد الاتصال.",
		BadZone:     "لا توجد منطقة زمنية بهذا الاسم. مثال: Asia/Riyadh.",
		ClosedTitle: "هذا الرابط لم يعد يعمل",
		Closed:      "رابط الإعداد يعمل مرة واحدة ولنصف ساعة. إن كان هناك مستخدم فسجّل الدخول؛ وإلا فأعد تشغيل مُنادي ليطبع رابطًا جديدًا، أو أنشئ المستخدم من سطر الأوامر:",
		ClosedDo:    "تسجيل الدخول",
		KeyTitle:    "مفتاح برامجك", KeyOnce: "يظهر هذا المفتاح الآن فقط. انسخه إلى مكان آمن.",
		KeyGone: "ظهر المفتاح مرة واحدة ولا يُعرض ثانية. تستطيع إنشاء غيره في صفحة مفاتيح API.",
		Copy:    "نسخ", Copied: "نُسخ",
		CallTitle: "نادِ نفسك في المحاكاة", CallLead: "مكالمة إلى رقم محاكى: تسمع الحوار وتقرؤه وهو يجري. لا يرنّ أي هاتف.",
		CallDo: "ابدأ أول مكالمة", Later: "إلى لوحة التحكم", Number: "الرقم", FirstKey: "المفتاح الأول",
	}, SetUp{
		Title: "Welcome", Lead: "Choose the password of the first user, who may do everything on this appliance.",
		User: "User name", Password: "Password", Again: "Once more", Do: "Continue",
		Steps: "Steps", StepPassword: "Password", StepKey: "Key", StepCall: "First call",
		Zone: "Time zone", ZoneHint: "From your browser. Calling hours and your day follow it; the dialling rules change it.",
		BadZone:     "There is no time zone of this name. For example: Asia/Riyadh.",
		ClosedTitle: "This link no longer works",
		Closed:      "A set-up link works once, for half an hour. If there is a user, sign in; if not, restart Munadi to get a new link, or create the user on the command line:",
		ClosedDo:    "Sign in",
		KeyTitle:    "The key for your programs", KeyOnce: "This key is shown now and never again. Copy it to a safe place.",
		KeyGone: "The key was shown once and cannot be shown again. Create another one on the page API keys.",
		Copy:    "Copy", Copied: "Copied",
		CallTitle: "Call yourself in the simulator", CallLead: "A call to a simulated number: hear and read the conversation while it runs. No telephone rings.",
		CallDo: "Start the first call", Later: "To the console", Number: "Number", FirstKey: "First key",
	})
}
