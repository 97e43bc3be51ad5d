package accounts

import "munadi/ui/locale"

// Texts of the first run: password, key, first call.

var SetUpTitle = locale.Text{"البداية", "Welcome"}
var SetUpLead = locale.Text{"اختر كلمة مرور المستخدم الأول. له كل الصلاحيات على هذا الخادم.", "Choose the password of the first user, who may do everything on this appliance."}
var SetUpDo = locale.Text{"متابعة", "Continue"}

// accessible name of the row of steps
var SetUpSteps = locale.Text{"الخطوات", "Steps"}
var SetUpStepKey = locale.Text{"المفتاح", "Key"}
var SetUpStepCall = locale.Text{"أول مكالمة", "First call"}
var SetUpZoneHint = locale.Text{"من متصفحك. بها تُحسب ساعات الاتصال ويومك، وتغيّرها من قواعد الاتصال.", "From your browser. Calling hours and your day follow it; the dialling rules change it."}
var SetUpBadZone = locale.Text{"لا توجد منطقة زمنية بهذا الاسم. مثال: Asia/Riyadh.", "There is no time zone of this name. For example: Asia/Riyadh."}
var SetUpClosedTitle = locale.Text{"هذا الرابط لم يعد يعمل", "This link no longer works"}
var SetUpClosed = locale.Text{"رابط الإعداد يعمل مرة واحدة ولنصف ساعة. إن كان هناك مستخدم فسجّل الدخول؛ وإلا فأعد تشغيل مُنادي ليطبع رابطًا جديدًا، أو أنشئ المستخدم من سطر الأوامر:", "A set-up link works once, for half an hour. If there is a user, sign in; if not, restart Munadi to get a new link, or create the user on the command line:"}
var SetUpClosedDo = locale.Text{"تسجيل الدخول", "Sign in"}
var SetUpKeyTitle = locale.Text{"مفتاح برامجك", "The key for your programs"}
var SetUpKeyGone = locale.Text{"ظهر المفتاح مرة واحدة ولا يُعرض ثانية. تستطيع إنشاء غيره في صفحة مفاتيح API.", "The key was shown once and cannot be shown again. Create another one on the page API keys."}
var SetUpCallTitle = locale.Text{"نادِ نفسك في المحاكاة", "Call yourself in the simulator"}
var SetUpCallLead = locale.Text{"مكالمة إلى رقم محاكى: تسمع الحوار وتقرؤه وهو يجري. لا يرنّ أي هاتف.", "A call to a simulated number: hear and read the conversation while it runs. No telephone rings."}
var SetUpCallDo = locale.Text{"ابدأ أول مكالمة", "Start the first call"}
var SetUpLater = locale.Text{"إلى لوحة التحكم", "To the console"}

// name of the key that is made
var SetUpFirstKey = locale.Text{"المفتاح الأول", "First key"}

// SetUpStepNames returns the steps of the first run; a call is one where no telephone rings.
func SetUpStepNames(l locale.Language, simulated bool) []string {
	if simulated {
		return []string{locale.KitPassword.In(l), SetUpStepKey.In(l), SetUpStepCall.In(l)}
	}
	return []string{locale.KitPassword.In(l), SetUpStepKey.In(l)}
}
