package locale

// SignIn is the page before all others.
type SignIn struct {
	Title, Lead, Name, Password, Do string
	Wrong                           string
	Locked                          CountedText // minutes
	Busy                            string
	Forgot                          string
	SignedOut                       string
	Outlived, Temporary             string
}

// SignInIn returns its strings.
func SignInIn(l Language) SignIn {
	return pickLanguage(l, SignIn{
		Title: "تسجيل الدخول", Lead: "لوحة تحكم مُنادي", Name: "اسم المستخدم", Password: "كلمة المرور", Do: "دخول",
		Wrong: "اسم المستخدم أو كلمة المرور غير صحيحة.",
		Locked: arabicNoun("محاولات فاشلة كثيرة. حاول مرة أخرى بعد ", "قليل", "دقيقة واحدة", "دقيقتين", "دقائق", "دقيقة",
			"دقيقة", "."),
		Busy:      "محاولات دخول كثيرة في هذه اللحظة. حاول بعد قليل.",
		Forgot:    "نسيت كلمة المرور؟ يضع لك مالك المنظمة كلمة جديدة، أو نفّذ على الخادم:",
		SignedOut: "سُجّل خروجك.",
		Outlived:  "انتهت صلاحية كلمة المرور الأولى. اطلب من مالك المنظمة كلمة جديدة.",
		Temporary: "كلمة مرورك مؤقتة لثلاثة أيام. اختر كلمة لا يعرفها غيرك من صفحة حسابي.",
	}, SignIn{
		Title: "Sign in", Lead: "Munadi's console", Name: "User name", Password: "Password", Do: "Sign in",
		Wrong:     "The user name or the password is wrong.",
		Locked:    englishCount("Too many failed attempts. Try again in a minute.", "Too many failed attempts. Try again in {n} minutes."),
		Busy:      "Too many sign-ins at this moment. Try again shortly.",
		Forgot:    "Forgot your password? Ask an owner of your organization for a new one, or run on the appliance:",
		SignedOut: "You are signed out.",
		Outlived:  "The first password has expired. Ask an owner of your organization for a new one.",
		Temporary: "Your password is temporary, for three days. Choose one that only you know on the page My account.",
	})
}

// PasswordWords are the violations of a new password.
type PasswordWords struct{ Short, Long, IsName, Common, Differ, Rule string }

// PasswordsIn returns its strings.
func PasswordsIn(l Language) PasswordWords {
	return pickLanguage(l, PasswordWords{
		Short:  "كلمة المرور قصيرة: ثمانية أحرف على الأقل.",
		Long:   "كلمة المرور طويلة: 256 حرفًا على الأكثر.",
		IsName: "كلمة المرور هي اسم المستخدم نفسه. اختر غيرها.",
		Common: "كلمة المرور شائعة وسهلة التخمين. اختر غيرها.",
		Differ: "الكلمتان مختلفتان. اكتبهما من جديد.",
		Rule:   "ثمانية أحرف أو أكثر. جملة قصيرة خير من كلمة معقّدة.",
	}, PasswordWords{
		Short:  "The password is too short: eight characters at least.",
		Long:   "The password is too long: 256 characters at most.",
		IsName: "The password is the user's name. Choose another.",
		Common: "This password is common and easy to guess. Choose another.",
		Differ: "The two passwords differ. Type them again.",
		Rule:   "Eight characters or more. A short sentence beats a complicated word.",
	})
}
