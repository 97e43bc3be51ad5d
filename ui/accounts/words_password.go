package accounts

import "munadi/ui/locale"

// Texts of the violations of a new password.

var PasswordShort = locale.Text{"كلمة المرور قصيرة: ثمانية أحرف على الأقل.", "The password is too short: eight characters at least."}
var PasswordLong = locale.Text{"كلمة المرور طويلة: 256 حرفًا على الأكثر.", "The password is too long: 256 characters at most."}
var PasswordIsName = locale.Text{"كلمة المرور هي اسم المستخدم نفسه. اختر غيرها.", "The password is the user's name. Choose another."}
var PasswordCommon = locale.Text{"كلمة المرور شائعة وسهلة التخمين. اختر غيرها.", "This password is common and easy to guess. Choose another."}
var PasswordDiffer = locale.Text{"الكلمتان مختلفتان. اكتبهما من جديد.", "The two passwords differ. Type them again."}
var PasswordTemporary = locale.Text{"كلمة مرورك مؤقتة لثلاثة أيام، ويعرفها من أعطاك إياها. اختر كلمة أخرى، ثم تفتح لك بقية الصفحات.", "Your password is temporary, for three days, and known to whoever gave it to you. Choose your own; the other pages open then."}
var PasswordRule = locale.Text{"ثمانية أحرف أو أكثر. جملة قصيرة خير من كلمة معقّدة.", "Eight characters or more. A short sentence beats a complicated word."}
