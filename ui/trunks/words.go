// Package trunks holds what a person sees of the SIP trunks that are set in the console.
package trunks

import "munadi/ui/locale"

var Title = locale.Text{"خطوط SIP", "SIP trunks"}
var Lead = locale.Text{"تمر المكالمات بأول خط يخدم رقمها. يسري كل تغيير فورًا، والمكالمات الجارية تبقى على خطها.", "A call goes over the first trunk that serves its number. A change takes effect at once; calls in progress stay on their trunk."}
var Fixed = locale.Text{"مضبوطة في munadi.yaml أو عند التشغيل، ولذلك لا تُغيّر هنا.", "Set in munadi.yaml, the environment or flags, which take precedence: they cannot be changed here."}
var Simulated = locale.Text{"المكالمات محاكاة الآن. اضبط carrier: sip وأعد التشغيل لتُستعمل هذه الخطوط.", "Calls are simulated now. Set carrier: sip and restart to use these trunks."}
var Empty = locale.Text{"لا خطوط بعد", "No trunks yet"}
var EmptyDo = locale.Text{"أضف خط شركة الاتصالات أو السنترال. تنتظر المكالمات حتى يُضاف.", "Add the trunk of the operator or PBX. Calls wait until there is one."}
var Add = locale.Text{"خط جديد", "New trunk"}
var Settings = locale.Text{"الإعدادات", "Settings"}
var Back = locale.Text{"كل الخطوط", "All trunks"}
var Name = locale.Text{"الاسم", "Name"}
var NameHint = locale.Text{"حروف إنجليزية صغيرة وأرقام، مثل stc.", "Small letters and digits, such as stc."}
var BadName = locale.Text{"اكتب من 1 إلى 64 من \u2066a-z 0-9 _ . -\u2069، واسمًا لا يحمله خط آخر.", "Write 1 to 64 of a-z 0-9 _ . -, and a name that no other trunk has."}
var BadAddress = locale.Text{"اكتب عنوانًا مثل sip:trunk.example.com أو sip:192.0.2.1:5060;transport=tcp أو sips:trunk.example.com.", "Write an address such as sip:trunk.example.com, sip:192.0.2.1:5060;transport=tcp or sips:trunk.example.com."}
var Prefixes = locale.Text{"بدايات الأرقام", "Number prefixes"}
var PrefixesHint = locale.Text{"واحدة في كل سطر، مثل \u200e+966. فارغ: كل الأرقام.", "One a line, such as +966. Empty: all numbers."}
var BadPrefixes = locale.Text{"اكتب بدايات مثل \u200e+966.", "Write prefixes such as +966."}
var LinesHint = locale.Text{"فارغ: 10.", "Empty: 10."}
var BadLines = locale.Text{"اكتب عددًا لا يزيد على 10000.", "Write a number of at most 10,000."}
var RateHint = locale.Text{"فارغ: كما في sip-calls-per-second.", "Empty: as sip-calls-per-second."}
var BadRate = locale.Text{"اكتب عددًا لا يزيد على 100.", "Write a number of at most 100."}
var UserHint = locale.Text{"فارغ: تعرف الشركة هذا الخادم بعنوان IP.", "Empty: the operator knows this machine by its IP address."}
var BadUser = locale.Text{"اكتب اسم المستخدم بلا مسافات؛ كلمة المرور والتسجيل لا يكونان إلا معه.", "Write the user name without spaces; a password or a registration requires it."}
var PasswordHint = locale.Text{"تُحفظ مشفّرة ولا تُعرض بعد ذلك.", "It is stored encrypted, and never shown again."}
var PasswordKept = locale.Text{"محفوظة. اتركها فارغة لتبقى، أو اكتب غيرها.", "One is stored. Leave it empty to keep it, or type another."}
var BadPassword = locale.Text{"اكتب كلمة المرور لهذا العنوان وهذا المستخدم، في 1000 بايت على الأكثر.", "Type the password of this address and user, at most 1000 bytes."}
var FromHint = locale.Text{"كما تكتبه الشركة. فارغ: اسم المستخدم.", "In the operator's notation. Empty: the user name."}
var BadFrom = locale.Text{"اكتب رقمًا أو اسمًا بلا @.", "Write a number or a name, without @."}
var Identity = locale.Text{"رقم الهوية (P-Asserted-Identity)", "Identity (P-Asserted-Identity)"}
var IdentityHint = locale.Text{"رقم تعرف به الشركة المشترك، كما تكتبه هي. فارغ: لا يُرسل.", "The number by which the operator knows the subscriber, in its notation. Empty: the header is not sent."}
var Allowed = locale.Text{"بدايات أرقام المتصل المسموحة", "Allowed caller numbers"}
var AllowedHint = locale.Text{"للأرقام التي تختارها الحملات والمنظمات. بداية في كل سطر، مثل \u2066+96611\u2069. فارغ: كل رقم.", "Of those that campaigns and organizations choose: one beginning a line, such as +96611. Empty: any."}
var Callers = locale.Text{"أرقام المتصل بحسب الوجهة", "Caller numbers by destination"}
var CallersHint = locale.Text{"للمكالمات التي لا رقم لمنظمتها. سطر لكل بداية رقم، مثل \u2066+966: +966112345678, +966112345679\u2069، و\u2066+\u2069 لكل الأرقام. لكل شخص رقم واحد ثابت من أرقام السطر. فارغ: رقم المتصل أعلاه.", "For calls whose organization has no number of its own. One line for each beginning, such as +966: +966112345678, +966112345679; + is for all numbers. Each person always sees the same number of a line. Empty: the caller number above."}
var BadCallers = locale.Text{"اكتب كل سطر هكذا: \u2066+966: +966112345678\u2069.", "Write each line like this: +966: +966112345678."}
var Plus = locale.Text{"بدل علامة +", "Instead of +"}
var PlusHint = locale.Text{"\u200e+ أو 00 أو none. فارغ: كما في sip-plus.", "+, 00 or none. Empty: as sip-plus."}
var BadPlus = locale.Text{"اكتب \u200e+ أو none أو أرقامًا مثل 00.", "Write +, none or digits such as 00."}
var ListenHint = locale.Text{"إن أرسلت الشركة المكالمات إلى عنوان ثابت بلا تسجيل، أو طلبه جدار الحماية، مثل \u20660.0.0.0:5060\u2069. بعد تغيير يأخذ الخط المكالمات حين تنتهي مكالماته السابقة. فارغ: أي منفذ.", "If the operator sends calls to a fixed address without a registration, or a firewall needs it, such as 0.0.0.0:5060. After a change the trunk takes calls when its former ones have ended. Empty: any port."}
var BadListen = locale.Text{"اكتب عنوان IP ومنفذًا مثل \u20660.0.0.0:5060\u2069 لا يستعملهما خط آخر.", "Write an IP address and a port such as 0.0.0.0:5060, which no other trunk has."}
var Further = locale.Text{"إعدادات أخرى", "Further settings"}
var CodecsHint = locale.Text{"واحد في كل سطر، والمفضل أولًا: \u2066pcma\u2069 و\u2066pcmu\u2069 و\u2066g722\u2069 و\u2066opus\u2069. فارغ: كما في sip-codecs.", "One a line, the preferred one first: pcma, pcmu, g722, opus. Empty: as sip-codecs."}
var BadCodecs = locale.Text{"اكتب من \u2066pcma\u2069 و\u2066pcmu\u2069 و\u2066g722\u2069 و\u2066opus\u2069، كل ترميز مرة واحدة.", "Write some of pcma, pcmu, g722 and opus, each once."}
var CAHint = locale.Text{"مع TLS، إن أصدرت الشهادة جهة خاصة بالشركة أو السنترال: ألصق شهادة تلك الجهة بصيغة PEM، من \u2066-----BEGIN CERTIFICATE-----\u2069 إلى \u2066-----END CERTIFICATE-----\u2069. فارغ: الجهات التي يعرفها هذا الخادم.", "With TLS, if the certificate is from a CA of the operator or PBX: paste that CA's certificate in PEM, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----. Empty: the CAs that this machine knows."}
var Register = locale.Text{"تسجيل الحساب عند الشركة", "Register the account at the operator"}
var InboundDigest = locale.Text{"إثبات الحساب في المكالمات الواردة", "Inbound calls prove the account"}
var InboundDigestHint = locale.Text{"تُطلب من كل مكالمة واردة كلمة المرور نفسها (SIP digest)، إن كانت الشركة ترسلها. وإلا كفى عنوانها.", "Each call that comes in is asked for the same password (SIP digest), if the operator sends it. Else its address is enough."}
var BadInboundDigest = locale.Text{"يلزمه اسم المستخدم وكلمة المرور.", "It needs the user name and the password."}
var SRTP = locale.Text{"تشفير الصوت (SRTP)، مع TLS فقط", "Encrypt audio (SRTP), with TLS only"}
var BadSRTP = locale.Text{"أضف \u200e;transport=tls إلى العنوان: لولاه لظهرت مفاتيح التشفير.", "Add ;transport=tls to the address: without it the keys would be visible."}
var Saved = locale.Text{"حُفظ الخط. جرّبه بمكالمة.", "The trunk was saved. Test it with a call."}
var Removed = locale.Text{"حُذف الخط. مكالماته الجارية تكتمل.", "The trunk was removed. Its calls in progress go on."}
var RemoveAsk = locale.Text{"حذف الخط؟", "Remove the trunk?"}
var RemoveWhat = locale.Text{"لا يأخذ مكالمات جديدة من الآن، وتكتمل مكالماته الجارية.", "It gets no new calls from now on; its calls in progress go on."}
var Up = locale.Text{"يعمل", "Up"}
var Unheard = locale.Text{"لم يتبيّن بعد هل يقبل المكالمات", "Not known yet whether it takes calls"}
var Down = locale.Text{"تنتظر مكالماته", "Its calls wait"}
var Registered = locale.Text{"مسجّل", "Registered"}
var NotRegistered = locale.Text{"غير مسجّل", "Not registered"}
var Test = locale.Text{"مكالمة تجربة", "Test call"}
var TestHint = locale.Text{"مكالمة حقيقية عبر هذا الخط، بقواعد المنظمة. تظهر رسائل SIP في صفحتها أولًا بأول.", "A real call over this trunk, by the rules of the organization. Its page shows the SIP messages as they come and go."}
var TestNumber = locale.Text{"الرقم", "Number"}
var TestScenario = locale.Text{"السيناريو", "Scenario"}
var BadNumber = locale.Text{"اكتب رقمًا كاملًا مثل \u20660500000000\u2069 أو \u200e+966500000000.", "Write a complete number such as 0500000000 or +966500000000."}
var BadScenario = locale.Text{"اختر سيناريو منشورًا لا يلزمه متغير.", "Choose a published scenario that requires no variable."}
var TestDo = locale.Text{"اتصل الآن", "Call now"}
