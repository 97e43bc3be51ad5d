package locale

// UsersWords are the texts of the account, users and organizations pages.
type UsersWords struct {
	Account, Name, Role, Org                                                       string
	Password, Current, New, Again, Change, Changed, WrongCurrent                   string
	SessionsSearch                                                                 string
	Sessions, SessionsLead, Browser, OtherBrowser, Address, Began, Seen, This, End string
	EndOthers, Ended                                                               string

	Users, UsersLead, Add, AddDo, PasswordHint, Created, Made                           string
	MadeOnce, Copy, Copied, LastSignIn, Never, State, Active, Disabled                  string
	Disable, Enable, Delete, NewPassword, Save, Saved, Self                             string
	LastOwner, Taken, BadName, DeleteAsk, DeleteWhat, Cancel, PasswordAsk, PasswordWhat string
	You                                                                                 string

	Orgs, OrgsLead, OrgID, OrgIDHint, OrgName, Look, Looked, OrgAdd, OrgMade, OrgTaken, OrgBad, OrgNameLong, Manage string
	Search, OrgsSearch                                                                                              string

	Digits, DigitsHint, DigitsLatin, DigitsArabic string

	Owner, Operator, Viewer, OwnerMay, OperatorMay, ViewerMay string
}

// RoleName returns the display name of a role.
func (w UsersWords) RoleName(role string) string {
	return map[string]string{"owner": w.Owner, "operator": w.Operator, "viewer": w.Viewer}[role]
}

// RoleMay describes the permissions of a role.
func (w UsersWords) RoleMay(role string) string {
	return map[string]string{"owner": w.OwnerMay, "operator": w.OperatorMay, "viewer": w.ViewerMay}[role]
}

// UsersIn returns their strings.
func UsersIn(l Language) UsersWords { return pickLanguage(l, usersArabic(), usersEnglish()) }

func usersArabic() UsersWords {
	return UsersWords{
		Digits: "الأرقام", DigitsHint: "في الصفحات العربية، في هذا المتصفح.", DigitsLatin: "عربية غربية", DigitsArabic: "عربية مشرقية",
		Search: "بحث في المستخدمين", OrgsSearch: "بحث في المنظمات",
		Account: "حسابي", Name: "اسم المستخدم", Role: "الدور", Org: "المنظمة",
		Password: "كلمة المرور", Current: "كلمة المرور الحالية", New: "كلمة المرور الجديدة", Again: "مرة أخرى", Change: "تغيير",
		Changed: "تغيّرت كلمة المرور، وانتهت جلساتك الأخرى.", WrongCurrent: "كلمة المرور الحالية غير صحيحة.",
		SessionsSearch: "بحث في الجلسات",
		Sessions:       "الجلسات", SessionsLead: "المتصفحات التي سجّلت الدخول بحسابك. تنتهي الجلسة بعد 12 ساعة بلا استعمال.",
		Browser: "المتصفح", OtherBrowser: "برنامج غير معروف", Address: "العنوان", Began: "بدأت", Seen: "آخر استعمال", This: "هذه الجلسة", End: "إنهاء",
		EndOthers: "إنهاء كل الجلسات الأخرى", Ended: "انتهت الجلسة.",
		Users: "المستخدمون", UsersLead: "من يدخل لوحة التحكم، وما يستطيعه.", Add: "مستخدم جديد", AddDo: "إضافة",
		PasswordHint: "اتركها فارغة لتُنشأ كلمة تُعرض مرة واحدة.", Created: "أُنشئ", Made: "أُضيف المستخدم.",
		MadeOnce: "كلمة المرور الجديدة، تظهر الآن فقط وتنتهي بعد ثلاثة أيام. سلّمها إلى صاحبها ليختار غيرها من حسابه.", Copy: "نسخ", Copied: "نُسخت",
		LastSignIn: "آخر دخول", Never: "لم يدخل بعد", State: "الحالة", Active: "فعّال", Disabled: "موقوف",
		Disable: "إيقاف", Enable: "تفعيل", Delete: "حذف", NewPassword: "كلمة مرور جديدة",
		Save: "حفظ", Saved: "حُفظ التغيير.", Self: "لا تستطيع فعل هذا بحسابك أنت.",
		LastOwner: "هذا آخر مالك للمنظمة. أضف مالكًا آخر أولًا.", Taken: "هذا الاسم مستعمل. اختر غيره.",
		BadName:   "اكتب اسمًا من 1 إلى 64 حرفًا: حروف وأرقام و . _ - @ فقط.",
		DeleteAsk: "حذف المستخدم؟", DeleteWhat: "تنتهي جلساته فورًا. يبقى ما فعله في سجل التغييرات.", Cancel: "رجوع",
		PasswordAsk: "كلمة مرور جديدة؟", PasswordWhat: "تُنشأ كلمة جديدة وتُعرض مرة واحدة، وتنتهي كل جلسات المستخدم.",
		You:  "أنت",
		Orgs: "المنظمات", OrgsLead: "كل منظمة منفصلة: مكالماتها ومفاتيحها ومستخدموها لا تراها غيرها.",
		OrgID: "المعرّف", OrgIDHint: "حروف إنجليزية صغيرة وأرقام و - و _؛ لا يتغيّر بعد ذلك.", OrgName: "الاسم",
		Look: "عرضها", Looked: "معروضة الآن", OrgAdd: "منظمة جديدة", OrgMade: "أُضيفت المنظمة.",
		OrgTaken: "هذا المعرّف مستعمل. اختر غيره.", OrgBad: "اكتب معرّفًا من 1 إلى 64 حرفًا: a-z و 0-9 و - و _ فقط.", OrgNameLong: "اكتب اسمًا لا يزيد على 200 حرف.",
		Manage: "إدارة المنظمات",
		Owner:  "مالك", Operator: "مشغّل", Viewer: "مشاهد",
		OwnerMay: "كل شيء: المفاتيح والإشعارات والقواعد والمستخدمون", OperatorMay: "يدير المكالمات ويفرّغ الصوت",
		ViewerMay: "يشاهد فقط",
	}
}

func usersEnglish() UsersWords {
	return UsersWords{
		Digits: "Digits", DigitsHint: "On the pages in Arabic, in this browser.", DigitsLatin: "Latin", DigitsArabic: "Arabic-Indic",
		Search: "Search the users", OrgsSearch: "Search the organizations",
		Account: "My account", Name: "User name", Role: "Role", Org: "Organization",
		Password: "Password", Current: "Current password", New: "New password", Again: "Once more", Change: "Change",
		Changed: "Your password has changed, and your other sessions have ended.", WrongCurrent: "The current password is wrong.",
		SessionsSearch: "Search the sessions",
		Sessions:       "Sessions", SessionsLead: "Browsers that are signed in as you. A session ends after 12 hours without use.",
		Browser: "Browser", OtherBrowser: "Unknown program", Address: "Address", Began: "Began", Seen: "Last used", This: "This session", End: "End",
		EndOthers: "End all other sessions", Ended: "The session has ended.",
		Users: "Users", UsersLead: "Who signs in to the console, and what they may do.", Add: "New user", AddDo: "Add",
		PasswordHint: "Leave it empty to have one made and shown once.", Created: "Created", Made: "The user was added.",
		MadeOnce: "The new password, shown now and never again, good for three days. Hand it over; its owner chooses another in their account.",
		Copy:     "Copy", Copied: "Copied",
		LastSignIn: "Last sign-in", Never: "never", State: "State", Active: "Active", Disabled: "Disabled",
		Disable: "Disable", Enable: "Enable", Delete: "Delete", NewPassword: "New password",
		Save: "Save", Saved: "The change was saved.", Self: "You cannot do this to your own account.",
		LastOwner: "This is the organization's last owner. Add another owner first.", Taken: "This name is in use. Choose another.",
		BadName:   "Write a name of 1 to 64 characters: letters, digits and . _ - @ only.",
		DeleteAsk: "Delete the user?", DeleteWhat: "Their sessions end at once. What they did stays in the audit log.", Cancel: "Back",
		PasswordAsk: "A new password?", PasswordWhat: "A new password is made and shown once, and all sessions of the user end.",
		You:  "you",
		Orgs: "Organizations", OrgsLead: "Each organization is separate: no other sees its calls, keys and users.",
		OrgID: "Id", OrgIDHint: "Lower-case letters, digits, - and _; it cannot be changed later.", OrgName: "Name",
		Look: "Show", Looked: "Shown now", OrgAdd: "New organization", OrgMade: "The organization was added.",
		OrgTaken: "This id is in use. Choose another.", OrgBad: "Write an id of 1 to 64 characters: a-z, 0-9, - and _ only.", OrgNameLong: "Write a name of at most 200 characters.",
		Manage: "Organizations",
		Owner:  "Owner", Operator: "Operator", Viewer: "Viewer",
		OwnerMay: "everything: keys, webhook, rules, users", OperatorMay: "manage calls, transcribe",
		ViewerMay: "view only",
	}
}
