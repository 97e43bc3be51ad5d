// Package keys holds what a person sees of API keys.
package keys

import "munadi/ui/locale"

var Title = locale.Text{"مفاتيح API", "API keys"}
var Lead = locale.Text{"بها تدخل برامجك. لا يُعرض المفتاح بعد إنشائه إلا أوله.", "Your programs authenticate with them. A key is shown once, afterwards only its beginning."}
var Key = locale.Text{"أوله", "Begins with"}
var Scopes = locale.Text{"يسمح بـ", "Allows"}
var Never = locale.Text{"لم يُستعمل بعد", "never"}
var Live = locale.Text{"فعّال", "Live"}
var Revoked = locale.Text{"ملغى", "Revoked"}
var Add = locale.Text{"مفتاح جديد", "New key"}
var AddDo = locale.Text{"إنشاء", "Create"}
var NameHint = locale.Text{"لماذا هو؟ مثلًا: نظام المواعيد.", "What is it for? For example: appointment system."}
var NoScope = locale.Text{"اختر صلاحية واحدة على الأقل.", "Choose at least one permission."}
var BadName = locale.Text{"اكتب اسمًا من 1 إلى 80 حرفًا.", "Write a name of 1 to 80 characters."}
var Revoke = locale.Text{"إلغاء", "Revoke"}
var RevokeAsk = locale.Text{"إلغاء المفتاح؟", "Revoke the key?"}
var RevokeWhat = locale.Text{"يتوقف كل برنامج يستعمله فورًا، ولا رجعة فيه.", "Every program that uses it stops working at once. This cannot be undone."}
var Done = locale.Text{"أُلغي المفتاح.", "The key was revoked."}
var Empty = locale.Text{"لا مفاتيح بعد", "No keys yet"}
var EmptyDo = locale.Text{"أنشئ مفتاحًا ليستعمل برنامجك API.", "Create a key so that your program can use the API."}
var STT = locale.Text{"تفريغ الصوت", "speech-to-text"}
var Calls = locale.Text{"المكالمات: عرضها وحجزها", "calls: view and book"}
var CallsRead = locale.Text{"عرض المكالمات", "view calls"}
var CallsWrite = locale.Text{"حجز المكالمات وتعديلها", "book and change calls"}
var Settings = locale.Text{"الإعدادات والسيناريوهات", "settings and scenarios"}
var ErasePeople = locale.Text{"حذف بيانات الأشخاص", "erase people's data"}
var Admin = locale.Text{"الإدارة", "administration"}
var Search = locale.Text{"بحث في المفاتيح", "Search the keys"}

// ScopeName describes a scope.
func ScopeName(l locale.Language, scope string) string {
	return map[string]locale.Text{
		"stt": STT, "calls": Calls, "calls:read": CallsRead, "calls:write": CallsWrite, "settings": Settings,
		"people:erase": ErasePeople, "admin": Admin,
	}[scope].In(l)
}
