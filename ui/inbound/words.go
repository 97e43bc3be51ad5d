// Package inbound holds what a person sees of the settings of inbound calls.
package inbound

import "munadi/ui/locale"

var Title = locale.Text{"المكالمات الواردة", "Inbound calls"}
var Lead = locale.Text{"من يتصل بأحد هذه الأرقام يسمع سيناريوه.", "Whoever calls one of these numbers hears its scenario."}
var NumberHint = locale.Text{"مثل \u20660112345678\u2069 أو \u200e+966112345678، أو بداية أرقام ثم نجمة: \u2066+96611*\u2069", "Such as 0112345678 or +966112345678, or a prefix and an asterisk: +96611*"}
var BadNumber = locale.Text{"اكتب رقمًا كاملًا مثل \u20660112345678\u2069، أو بداية أرقام ثم نجمة، ليس لغيره من المسارات.", "Write a complete number such as 0112345678, or a prefix and an asterisk, that no other route has."}
var Scenario = locale.Text{"السيناريو", "Scenario"}
var NoScenario = locale.Text{"{id} (حُذف)", "{id} (deleted)"}
var BadScenario = locale.Text{"اختر سيناريو موجودًا.", "Choose a scenario that exists."}
var Lines = locale.Text{"مكالمات في وقت واحد", "Calls at once"}
var LinesHint = locale.Text{"فارغ: بلا حدّ لهذا الرقم. من يزيد يسمع أن الخط مشغول.", "Empty: no limit for this number. Whoever is beyond it hears busy."}
var BadLines = locale.Text{"اكتب عددًا من 1 إلى 100000، أو اتركه فارغًا.", "Write a number from 1 to 100000, or leave it empty."}
var NoLimit = locale.Text{"بلا حدّ", "no limit"}
var Add = locale.Text{"رقم جديد", "New number"}
var Added = locale.Text{"أُضيف الرقم.", "The number was added."}
var Remove = locale.Text{"إزالة", "Remove"}
var RemoveAsk = locale.Text{"إزالة الرقم؟", "Remove the number?"}
var RemoveWhat = locale.Text{"من يتصل به بعد ذلك لا يُردّ عليه.", "Whoever calls it afterwards is not answered."}
var Removed = locale.Text{"أُزيل الرقم.", "The number was removed."}
var Empty = locale.Text{"لا أرقام بعد", "No numbers yet"}
var EmptyDo = locale.Text{"أضف رقمًا يوصله مزوّد الخط إلى هذا النظام.", "Add a number that your trunk delivers to this system."}
var Behaviour = locale.Text{"عند الاتصال", "When someone calls"}
var CallbackDays = locale.Text{"أيام معاودة الاتصال", "Days to call back"}
var CallbackHint = locale.Text{"من اتصلتم به خلال هذه الأيام واتصل بكم يكمل مكالمته: سيناريوها وبياناتها، وتُلغى المحاولة التالية، وتعدّها حملتها. فارغ: لا.", "A person whom you called within these days, and who calls, continues that call: its scenario and data; the next attempt is cancelled, and its campaign counts the call. Empty: no."}
var BadDays = locale.Text{"اكتب عددًا من 0 إلى 90.", "Write a number from 0 to 90."}
var Closed = locale.Text{"خارج ساعات الاتصال", "Outside calling hours"}
var ClosedHint = locale.Text{"جملة تُقال ثم تنتهي المكالمة. لا يُسأل المتصل شيئًا، ولذا تبقى المكالمة المحجوزة له. فارغ: يُردّ في كل وقت.", "A sentence that is spoken, and the call ends. Nothing is asked, so a call that is booked to the caller stays. Empty: calls are answered at any time."}
var UnspokenClosed = locale.Text{"لا تسجيل للجملة التي تُقال خارج الساعات ولا صوت يقولها، فلن يسمعها المتصل. اضبط speech-url أو ثبّت espeak-ng.", "The sentence outside calling hours has no recording and no voice that can say it: callers will not hear it. Set speech-url or install espeak-ng."}
var BadClosed = locale.Text{"اكتب نصًا لا يزيد على 2000 حرف، بلا قوالب.", "Write a text of at most 2000 characters, without templates."}
var Saved = locale.Text{"حُفظ.", "Saved."}
var Simulate = locale.Text{"متصل محاكى", "Simulated caller"}
var SimulateLead = locale.Text{"لا هاتف حقيقي هنا: شخص محاكى يتصل برقم من أرقامكم.", "No real telephone: a simulated person calls one of your numbers."}
var From = locale.Text{"رقم المتصل", "Caller's number"}
var FromHint = locale.Text{"آخر رقمين يختاران الشخص. فارغ: رقم محجوب.", "Its last two digits choose the person. Empty: withheld."}
var BadFrom = locale.Text{"اكتب رقمًا كاملًا مثل \u20660501234567\u2069، أو اتركه فارغًا.", "Write a complete number such as 0501234567, or leave it empty."}
var To = locale.Text{"الرقم المطلوب", "Number called"}
var BadTo = locale.Text{"اكتب رقمًا من الأرقام أعلاه.", "Write one of the numbers above."}
var SimulateDo = locale.Text{"اتصال", "Call"}
var Rings = locale.Text{"المكالمة المحاكاة بدأت.", "The simulated call has begun."}
var Refused = locale.Text{"سمع المتصل المحاكى رفضًا: SIP {code}.", "The simulated caller was refused: SIP {code}."}
var RefusedTitle = locale.Text{"مكالمات واردة مرفوضة", "Refused inbound calls"}
var RefusedLead = locale.Text{"آخر ما رفضه هذا الخادم منذ تشغيله، قبل أن تُحفظ مكالمة. الأرقام مُخفاة.", "The last ones that this appliance has refused since its start, before a call was stored. Numbers are masked."}
var RefusedEmpty = locale.Text{"لم تُرفض مكالمة واردة", "No inbound call was refused"}
var RefusedEmptyDo = locale.Text{"من يتصل فيسمع أن الرقم غير موجود أو مشغول يظهر هنا، مع السبب ورسائل SIP.", "Whoever calls and hears that the number does not exist or is busy is listed here, with the reason and the SIP messages."}
var RefusedTrunks = locale.Text{"خطوط SIP", "SIP trunks"}
var RefusedTrunk = locale.Text{"خط", "trunk"}
var RefusedTo = locale.Text{"إلى", "to"}
var RefusedTimes = locale.CountedPair{locale.ArabicNoun("", "لم تتكرر", "مرة واحدة:", "مرتين، وأولاهما:", "مرات، وأولاها:", "مرة، وأولاها:", "مرة، وأولاها:", ""), locale.EnglishCount("once:", "{n} times, first:")}
var Withheld = locale.Text{"رقم محجوب", "withheld"}
var NoNumber = locale.Text{"بلا رقم", "no number"}
