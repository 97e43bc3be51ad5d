package accounts

import "munadi/ui/locale"

// Texts of the page before all others.

var SignInTitle = locale.Text{"تسجيل الدخول", "Sign in"}
var SignInLead = locale.Text{"لوحة تحكم مُنادي", "Munadi's console"}
var SignInDo = locale.Text{"دخول", "Sign in"}
var SignInWrong = locale.Text{"اسم المستخدم أو كلمة المرور غير صحيحة.", "The user name or the password is wrong."}

// minutes
var SignInLocked = locale.CountedPair{locale.ArabicNoun("محاولات فاشلة كثيرة. حاول مرة أخرى بعد ", "قليل", "دقيقة واحدة", "دقيقتين", "دقائق", "دقيقة", "دقيقة", "."), locale.EnglishCount("Too many failed attempts. Try again in a minute.", "Too many failed attempts. Try again in {n} minutes.")}
var SignInBusy = locale.Text{"محاولات دخول كثيرة في هذه اللحظة. حاول بعد قليل.", "Too many sign-ins at this moment. Try again shortly."}
var SignInNotSetUp = locale.Text{"لم يُعدّ هذا الخادم بعد. افتح رابط الإعداد المكتوب في سجله عند أول تشغيل (يصلح نصف ساعة؛ أعد التشغيل لرابط جديد)، أو نفّذ على جهازه:", "This appliance is not set up yet. Open the set-up link that its log shows at the first start (valid for half an hour; a restart makes a new one), or run on its machine:"}
var SignInForgot = locale.Text{"نسيت كلمة المرور؟ يضع لك مالك المنظمة كلمة جديدة، أو نفّذ على الخادم:", "Forgot your password? Ask an owner of your organization for a new one, or run on the appliance:"}
var SignInSignedOut = locale.Text{"سُجّل خروجك.", "You are signed out."}
var SignInOutlived = locale.Text{"انتهت صلاحية كلمة المرور الأولى. اطلب من مالك المنظمة كلمة جديدة.", "The first password has expired. Ask an owner of your organization for a new one."}
