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

// Texts of the sign-in with the company's identity provider.

var CompanyDo = locale.Text{"الدخول بحساب الشركة", "Sign in with your company's account"}

// a name follows
var CompanyDoNamed = locale.Text{"الدخول عبر", "Sign in with"}
var CompanyOr = locale.Text{"أو بكلمة مرور هذا الخادم:", "Or with a password of this appliance:"}
var CompanyAway = locale.Text{"خادم الدخول في شركتك لا يجيب الآن. حاول بعد قليل، أو ادخل بكلمة مرور.", "Your company's sign-in server does not answer now. Try again shortly, or use a password."}
var DirectoryAway = locale.Text{"دليل حسابات شركتك لا يجيب الآن. حاول بعد قليل.", "Your company's directory does not answer now. Try again shortly."}
var SignInAway = locale.Text{"دليل حسابات شركتك لا يجيب الآن. حاول بعد قليل. وإن كنت من مستخدمي هذا الخادم، فاسم المستخدم أو كلمة المرور غير صحيحة.", "Your company's directory does not answer now. Try again shortly. If you are a user of this appliance, the user name or the password is wrong."}
var DirectoryHint = locale.Text{"ادخل باسم حسابك في شركتك وكلمة مروره، أو باسم مستخدم على هذا الخادم.", "Use the user name and password of your company, or those of a user of this appliance."}
var DirectoryPassword = locale.Text{"كلمة مرور هذا المستخدم من دليل حسابات الشركة، وتُغيَّر هناك.", "This user's password is that of the company's directory, and is changed there."}
var CompanySignsIn = locale.Text{"بحساب شركتك، وكلمة مروره وخطوته الثانية هناك", "With your company's account, which has the password and the second step"}
var CompanyExpired = locale.Text{"لم يبدأ هذا الدخول في هذا المتصفح، أو طال وقته. ابدأ من جديد.", "This sign-in was not begun in this browser, or took too long. Begin again."}
var CompanyRefused = locale.Text{"لم يؤكد خادم الدخول في شركتك دخولك.", "Your company's sign-in server did not confirm your sign-in."}
var CompanyNoRole = locale.Text{"لا دور لك على هذا الخادم. اطلب من مديره أن يعطيك واحدًا.", "You have no role on this appliance. Ask its administrator for one."}
var CompanyTaken = locale.Text{"اسمك أو حسابك هنا لمستخدم آخر أو منظمة أخرى. راجع مدير الخادم.", "Your name or account here belongs to another user or organization. Ask the administrator."}
var CompanyOnly = locale.Text{"الدخول بكلمة مرور هنا للمالكين فقط. ادخل بحساب شركتك.", "Only owners sign in with a password here. Use your company's account."}
