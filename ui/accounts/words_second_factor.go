package accounts

import "munadi/ui/locale"

// Texts of the second factor: the code of an authenticator app after the password.

var FactorTitle = locale.Text{"التحقق بخطوتين", "Two-step sign-in"}
var FactorLead = locale.Text{"بعد كلمة المرور يُطلب رمز من تطبيق مصادقة في هاتفك. من عرف كلمتك وحدها لا يدخل.", "After the password, sign-in asks for a code of an authenticator app on your phone. Your password alone opens nothing."}
var FactorOn = locale.Text{"مفعّل", "On"}
var FactorCompany = locale.Text{"لدى الشركة", "at the company"}
var FactorOff = locale.Text{"غير مفعّل", "Off"}
var FactorSetUp = locale.Text{"إعداد التحقق بخطوتين", "Set up two-step sign-in"}
var FactorManage = locale.Text{"إدارة التحقق بخطوتين", "Manage two-step sign-in"}
var FactorMust = locale.Text{"منظمتك تشترط التحقق بخطوتين. أعدّه الآن، ثم تفتح لك بقية الصفحات.", "Your organization requires two-step sign-in. Set it up now; the other pages open then."}
var FactorScan = locale.Text{"امسح هذا الرمز بتطبيق مصادقة، مثل Google Authenticator أو Aegis أو تطبيق كلمات المرور في هاتفك.", "Scan this code with an authenticator app, such as Google Authenticator, Aegis or the password app of your phone."}
var FactorQR = locale.Text{"رمز QR لتطبيق المصادقة", "QR code for the authenticator app"}
var FactorType = locale.Text{"أو اكتب هذا المفتاح في التطبيق:", "Or type this key into the app:"}
var FactorThen = locale.Text{"ثم أكّد بكلمة مرورك وبالرمز الذي يعرضه التطبيق.", "Then confirm with your password and the code that the app shows."}
var FactorCode = locale.Text{"الرمز", "Code"}
var FactorCodeHint = locale.Text{"ستة أرقام من التطبيق.", "Six digits of the app."}
var FactorConfirm = locale.Text{"تفعيل", "Turn on"}
var FactorWrong = locale.Text{"الرمز غير صحيح، أو انتهى وقته، أو استُعمل من قبل. انتظر الرمز التالي وتحقق من ساعة هاتفك.", "The code is wrong, too old, or was used already. Wait for the next one, and check your phone's clock."}
var FactorExpired = locale.Text{"انتهى وقت هذا الإعداد. امسح الرمز الجديد.", "This set-up has expired. Scan the new code."}
var FactorDone = locale.Text{"فُعّل التحقق بخطوتين، وانتهت جلساتك الأخرى.", "Two-step sign-in is on, and your other sessions have ended."}
var FactorGone = locale.Text{"أُلغي التحقق بخطوتين، وانتهت الجلسات الأخرى.", "Two-step sign-in is off, and the other sessions have ended."}
var FactorSince = locale.Text{"فُعّل", "Turned on"}

// number of codes
var FactorLeft = locale.Text{"رموز الاسترداد الباقية", "Recovery codes left"}
var FactorCodesOnce = locale.Text{"رموز الاسترداد، تظهر الآن فقط. احفظها بعيدًا عن هاتفك: كل رمز يقوم مرة واحدة مقام رمز التطبيق إن ضاع الهاتف.", "Recovery codes, shown now and never again. Keep them away from your phone: each replaces the app's code once, if the phone is lost."}
var FactorChangeLead = locale.Text{"أكّد بكلمة مرورك وبرمز من التطبيق أو رمز استرداد.", "Confirm with your password and a code of the app, or a recovery code."}
var FactorRenew = locale.Text{"رموز استرداد جديدة", "New recovery codes"}
var FactorRemove = locale.Text{"إلغاء التحقق بخطوتين", "Turn off"}

var SignInCodeTitle = locale.Text{"رمز الدخول", "Sign-in code"}
var SignInCodeLead = locale.Text{"افتح تطبيق المصادقة واكتب الرمز الذي يعرضه لمُنادي.", "Open your authenticator app and type the code that it shows for Munadi."}
var SignInCodeHint = locale.Text{"ستة أرقام، أو أحد رموز الاسترداد.", "Six digits, or one of your recovery codes."}
var SignInCodeBack = locale.Text{"الدخول باسم آخر", "Sign in as somebody else"}
var SignInCodeLost = locale.Text{"ضاع الهاتف ورموز الاسترداد؟ يلغي مالك المنظمة التحقق بخطوتين لحسابك، أو نفّذ على الخادم:", "Phone and recovery codes lost? An owner of your organization turns two-step sign-in off for you, or run on the appliance:"}
var SignInCodeExpired = locale.Text{"مضى وقت طويل منذ كلمة المرور. سجّل الدخول من جديد.", "Too much time has passed since the password. Sign in again."}

var FactorNeededTitle = locale.Text{"اشتراط التحقق بخطوتين", "Require two-step sign-in"}
var FactorNeededLabel = locale.Text{"على كل مستخدمي هذه المنظمة", "For all users of this organization"}
var FactorNeededHint = locale.Text{"من لم يُعدّه لا تفتح له أي صفحة أخرى حتى يُعدّه.", "Who has not set it up sees no other page until it is done."}
var FactorReset = locale.Text{"إلغاء التحقق بخطوتين", "Turn off two-step sign-in"}
var FactorResetAsk = locale.Text{"إلغاء التحقق بخطوتين لهذا المستخدم؟", "Turn off two-step sign-in for this user?"}
var FactorResetWhat = locale.Text{"لمن ضاع هاتفه: تكفي كلمة المرور للدخول بعد ذلك، وتنتهي كل جلسات المستخدم. تأكد أولًا أنه هو من يطلب.", "For who lost the phone: the password alone signs in then, and all sessions of the user end. Make sure first that it is they who ask."}
var FactorNone = locale.Text{"ليس لهذا المستخدم تحقق بخطوتين.", "This user has no two-step sign-in."}
