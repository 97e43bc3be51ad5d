// Package accounts holds what a person sees of users, organizations, sign-in, set-up and the own account.
package accounts

import (
	"munadi/store/account"
	"munadi/ui/locale"
)

var Role = locale.Text{"الدور", "Role"}
var Org = locale.Text{"المنظمة", "Organization"}
var Current = locale.Text{"كلمة المرور الحالية", "Current password"}
var New = locale.Text{"كلمة المرور الجديدة", "New password"}
var Change = locale.Text{"تغيير", "Change"}
var Changed = locale.Text{"تغيّرت كلمة المرور، وانتهت جلساتك الأخرى.", "Your password has changed, and your other sessions have ended."}
var WrongCurrent = locale.Text{"كلمة المرور الحالية غير صحيحة.", "The current password is wrong."}
var SessionsSearch = locale.Text{"بحث في الجلسات", "Search the sessions"}
var Sessions = locale.Text{"الجلسات", "Sessions"}
var SessionsLead = locale.Text{"المتصفحات التي سجّلت الدخول بحسابك. تنتهي الجلسة بعد 12 ساعة بلا استعمال.", "Browsers that are signed in as you. A session ends after 12 hours without use."}
var Browser = locale.Text{"المتصفح", "Browser"}
var OtherBrowser = locale.Text{"برنامج غير معروف", "Unknown program"}
var Address = locale.Text{"العنوان", "Address"}
var Began = locale.Text{"بدأت", "Began"}
var This = locale.Text{"هذه الجلسة", "This session"}
var End = locale.Text{"إنهاء", "End"}
var EndOthers = locale.Text{"إنهاء كل الجلسات الأخرى", "End all other sessions"}
var Ended = locale.Text{"انتهت الجلسة.", "The session has ended."}
var Users = locale.Text{"المستخدمون", "Users"}
var UsersLead = locale.Text{"من يدخل لوحة التحكم، وما يستطيعه.", "Who signs in to the console, and what they may do."}
var Add = locale.Text{"مستخدم جديد", "New user"}
var PasswordHint = locale.Text{"اتركها فارغة لتُنشأ كلمة تُعرض مرة واحدة. ويختار صاحبها غيرها في أول دخول.", "Leave it empty to have one made and shown once. Its owner chooses another at the first sign-in."}
var Made = locale.Text{"أُضيف المستخدم.", "The user was added."}
var MadeOnce = locale.Text{"كلمة المرور الجديدة، تظهر الآن فقط وتنتهي بعد ثلاثة أيام. سلّمها إلى صاحبها ليختار غيرها من حسابه.", "The new password, shown now and never again, good for three days. Hand it over; its owner chooses another in their account."}
var LastSignIn = locale.Text{"آخر دخول", "Last sign-in"}
var Never = locale.Text{"لم يدخل بعد", "never"}
var Active = locale.Text{"فعّال", "Active"}
var Disabled = locale.Text{"موقوف", "Disabled"}
var Disable = locale.Text{"إيقاف", "Disable"}
var Enable = locale.Text{"تفعيل", "Enable"}
var NewPassword = locale.Text{"كلمة مرور جديدة", "New password"}
var Saved = locale.Text{"حُفظ التغيير.", "The change was saved."}
var Self = locale.Text{"لا تستطيع فعل هذا بحسابك أنت.", "You cannot do this to your own account."}
var Stale = locale.Text{"لم يُحفظ {typed}: غيّر شخص آخر قيمة {name} بعد أن فتحت الصفحة، وهي الآن {saved}. غيّرها من جديد إن أردت.", "{typed} was not saved: somebody else changed the value of {name} after you opened the page, and it is {saved} now. Change it again if you want to."}
var LastOwner = locale.Text{"هذا آخر مالك للمنظمة. أضف مالكًا آخر أولًا.", "This is the organization's last owner. Add another owner first."}
var Taken = locale.Text{"هذا الاسم مستعمل. اختر غيره.", "This name is in use. Choose another."}
var BadName = locale.Text{"اكتب اسمًا من 1 إلى 64 حرفًا: حروف وأرقام و . _ - @ فقط.", "Write a name of 1 to 64 characters: letters, digits and . _ - @ only."}
var DeleteAsk = locale.Text{"حذف المستخدم؟", "Delete the user?"}
var DeleteWhat = locale.Text{"تنتهي جلساته فورًا. يبقى ما فعله في سجل التغييرات.", "Their sessions end at once. What they did stays in the audit log."}
var PasswordAsk = locale.Text{"كلمة مرور جديدة؟", "A new password?"}
var PasswordWhat = locale.Text{"تُنشأ كلمة جديدة وتُعرض مرة واحدة، وتنتهي كل جلسات المستخدم.", "A new password is made and shown once, and all sessions of the user end."}
var You = locale.Text{"أنت", "you"}
var Orgs = locale.Text{"المنظمات", "Organizations"}
var OrgsLead = locale.Text{"كل منظمة منفصلة: مكالماتها ومفاتيحها ومستخدموها لا تراها غيرها.", "Each organization is separate: no other sees its calls, keys and users."}
var OrgID = locale.Text{"المعرّف", "Id"}
var OrgIDHint = locale.Text{"حروف إنجليزية صغيرة وأرقام و - و _؛ لا يتغيّر بعد ذلك.", "Lower-case letters, digits, - and _; it cannot be changed later."}
var Look = locale.Text{"عرضها", "Show"}
var Looked = locale.Text{"معروضة الآن", "Shown now"}
var OrgAdd = locale.Text{"منظمة جديدة", "New organization"}
var OrgMade = locale.Text{"أُضيفت المنظمة.", "The organization was added."}
var OrgTaken = locale.Text{"هذا المعرّف مستعمل. اختر غيره.", "This id is in use. Choose another."}
var OrgBad = locale.Text{"اكتب معرّفًا من 1 إلى 64 حرفًا: \u2066a-z 0-9 - _\u2069 فقط.", "Write an id of 1 to 64 characters: a-z, 0-9, - and _ only."}
var OrgNameLong = locale.Text{"اكتب اسمًا لا يزيد على 200 حرف.", "Write a name of at most 200 characters."}
var Manage = locale.Text{"إدارة المنظمات", "Organizations"}
var Search = locale.Text{"بحث في المستخدمين", "Search the users"}
var OrgsSearch = locale.Text{"بحث في المنظمات", "Search the organizations"}
var Digits = locale.Text{"الأرقام", "Digits"}
var DigitsHint = locale.Text{"في الصفحات العربية، في هذا المتصفح.", "On the pages in Arabic, in this browser."}
var DigitsLatin = locale.Text{"عربية غربية", "Latin"}
var DigitsArabic = locale.Text{"عربية مشرقية", "Arabic-Indic"}
var Owner = locale.Text{"مالك", "Owner"}
var BadRole = locale.Text{"دور غير معروف: {id}", "Unknown role: {id}"}
var Operator = locale.Text{"مشغّل", "Operator"}
var Viewer = locale.Text{"مشاهد", "Viewer"}
var OwnerMay = locale.Text{"كل شيء: المفاتيح والإشعارات والقواعد والمستخدمون", "everything: keys, webhook, rules, users"}
var OperatorMay = locale.Text{"يدير المكالمات ويفرّغ الصوت", "manage calls, transcribe"}
var ViewerMay = locale.Text{"يشاهد فقط", "view only"}

// RoleName returns the display name of a role.
func RoleName(l locale.Language, role account.UserRole) string {
	return map[account.UserRole]locale.Text{
		account.Owner: Owner, account.Operator: Operator, account.Viewer: Viewer,
	}[role].In(l)
}

// RoleMay describes the permissions of a role.
func RoleMay(l locale.Language, role account.UserRole) string {
	return map[account.UserRole]locale.Text{
		account.Owner: OwnerMay, account.Operator: OperatorMay, account.Viewer: ViewerMay,
	}[role].In(l)
}

var Extension = locale.Text{"هاتف معاودة الاتصال", "Extension for call-backs"}
var ExtensionHint = locale.Text{"رقم هاتف أو عنوان SIP مثل sip:204@pbx.example.com. عند معاودة الاتصال يرن أولًا، ثم يُتصل بالشخص. إن تُرك فارغًا يُعرض رقم الشخص فقط.", "A telephone number or a SIP address, such as sip:204@pbx.example.com. A call-back rings here first, then calls the person. Empty: only the person's number is shown."}
var ExtensionInvalid = locale.Text{"ليس هذا رقم هاتف كاملًا ولا عنوان SIP مثل sip:204@pbx.example.com.", "This is neither a complete telephone number nor a SIP address such as sip:204@pbx.example.com."}
var ExtensionSaved = locale.Text{"حُفظ الهاتف.", "The extension is saved."}
