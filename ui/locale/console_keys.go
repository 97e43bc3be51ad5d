package locale

// KeysWords is the page of the API keys.
type KeysWords struct {
	Title, Lead, Name, Key, Scopes, Created, LastUsed, Never, State, Live, Revoked string
	Add, AddDo, NameHint, NoScope, BadName, Once, Copy, Copied                     string
	Revoke, RevokeAsk, RevokeWhat, Cancel, Done                                    string
	Empty, EmptyDo                                                                 string
	STT, Calls, CallsRead, CallsWrite, Settings, ErasePeople, Admin, Search        string
}

// ScopeName describes a scope.
func (w KeysWords) ScopeName(scope string) string {
	return map[string]string{
		"stt": w.STT, "calls": w.Calls, "calls:read": w.CallsRead, "calls:write": w.CallsWrite, "settings": w.Settings,
		"people:erase": w.ErasePeople, "admin": w.Admin,
	}[scope]
}

// KeysIn returns its strings.
func KeysIn(l Language) KeysWords {
	return pickLanguage(l, KeysWords{
		Title: "مفاتيح API", Lead: "بها تدخل برامجك. لا يُعرض المفتاح بعد إنشائه إلا أوله.", Name: "الاسم", Key: "أوله",
		Scopes: "يسمح بـ", Created: "أُنشئ", LastUsed: "آخر استعمال", Never: "لم يُستعمل بعد", State: "الحالة", Live: "فعّال", Revoked: "ملغى",
		Add: "مفتاح جديد", AddDo: "إنشاء", NameHint: "لماذا هو؟ مثلًا: نظام المواعيد.", NoScope: "اختر صلاحية واحدة على الأقل.",
		BadName: "اكتب اسمًا من 1 إلى 80 حرفًا.", Once: "يظهر هذا المفتاح الآن فقط. انسخه إلى مكان آمن.", Copy: "نسخ", Copied: "نُسخ",
		Revoke: "إلغاء", RevokeAsk: "إلغاء المفتاح؟", RevokeWhat: "يتوقف كل برنامج يستعمله فورًا، ولا رجعة فيه.", Cancel: "رجوع",
		Done: "أُلغي المفتاح.", Empty: "لا مفاتيح بعد", EmptyDo: "أنشئ مفتاحًا ليستعمل برنامجك API.",
		STT: "تفريغ الصوت", Calls: "المكالمات: عرضها وحجزها", CallsRead: "عرض المكالمات", CallsWrite: "حجز المكالمات وتعديلها",
		Settings: "الإعدادات والسيناريوهات", ErasePeople: "حذف بيانات الأشخاص", Admin: "الإدارة",
		Search: "بحث في المفاتيح",
	}, KeysWords{
		Title: "API keys", Lead: "Your programs authenticate with them. A key is shown once, afterwards only its beginning.", Name: "Name", Key: "Begins with",
		Scopes: "Allows", Created: "Created", LastUsed: "Last used", Never: "never", State: "State", Live: "Live", Revoked: "Revoked",
		Add: "New key", AddDo: "Create", NameHint: "What is it for? For example: appointment system.", NoScope: "Choose at least one permission.",
		BadName: "Write a name of 1 to 80 characters.", Once: "This key is shown now and never again. Copy it to a safe place.", Copy: "Copy", Copied: "Copied",
		Revoke: "Revoke", RevokeAsk: "Revoke the key?", RevokeWhat: "Every program that uses it stops working at once. This cannot be undone.", Cancel: "Back",
		Done: "The key was revoked.", Empty: "No keys yet", EmptyDo: "Create a key so that your program can use the API.",
		STT: "speech-to-text", Calls: "calls: view and book", CallsRead: "view calls", CallsWrite: "book and change calls",
		Settings: "settings and scenarios", ErasePeople: "erase people's data", Admin: "administration",
		Search: "Search the keys",
	})
}
