package scenarios

import "munadi/ui/locale"

var TalkLink = locale.Text{"تحدّث معه", "Talk to it"}
var TalkLead = locale.Text{"تحدّث مع السيناريو بميكروفون متصفحك كأنك الشخص الذي يُتصل به. تُحفظ تجربةً مع صوتها ونصها، ولا تُحسب في التقارير، ولا تُحوَّل مكالمة حقًا.", "Talk with the scenario by your browser's microphone, as the person who is called. It is kept as a trial, with its sound and words; it counts in no report, and no call is really transferred."}
var RingMe = locale.Text{"اتصل بهاتفي", "Ring my phone"}
var RingHint = locale.Text{"يرن {phone} عبر الخط نفسه الذي تُجرى به المكالمات، وتُحفظ تجربةً كهذه. تسري القواعد التي تحمي الناس: إيقاف الاتصال، وقائمة المنع، والأرقام المسموح بها، وساعات الاتصال؛ وليس للتحويلات ساعات.", "{phone} rings over the line of real calls, and it is kept as a trial like these. The rules that protect people hold: the kill switch, the suppression list, allowed numbers, calling hours; extensions have no hours."}
var RingNoPhone = locale.Text{"اضبط هاتفك في صفحة حسابك لتجرّب السيناريو بالهاتف.", "Set your extension on My account to try the scenario by telephone."}
var RingBegun = locale.Text{"يرن هاتفك الآن.", "Your extension rings now."}
var RingNoLine = locale.Text{"كل الخطوط مشغولة. أعد المحاولة بعد قليل.", "All lines are in use. Try again in a moment."}
var TalkKept = locale.Text{"استمع إليها واقرأها", "Listen to it and read it"}
var TalkTrials = locale.Text{"التجارب السابقة", "Earlier trials"}
var TalkDraft = locale.Text{"هذه المسودة، لا المنشور.", "This is the draft, not what is published."}
var TalkStart = locale.Text{"ردّ", "Answer"}
var TalkStop = locale.Text{"أنهِ", "Hang up"}
var TalkReady = locale.Text{"اضغط «ردّ»، وقل «ألو».", "Press “Answer” and say hello."}
var TalkListening = locale.Text{"المكالمة جارية. يمكنك المقاطعة.", "The call is on. You may interrupt."}
var TalkOver = locale.Text{"انتهت المكالمة.", "The call is over."}
var TalkLost = locale.Text{"انقطعت المكالمة. إن كانت محادثات أخرى مفتوحة أو كان الجهاز مشغولًا فأعد المحاولة بعد قليل.", "The call was cut. If other conversations are open or the machine is busy, try again in a while."}
var TalkTransfer = locale.Text{"هنا تُحوَّل المكالمة إلى {to}.", "Here the call would be transferred to {to}."}
var TalkTurns = locale.Text{"المحادثة", "Conversation"}
var TalkPerson = locale.Text{"أنت", "You"}
var TalkPlatform = locale.Text{"مُنادي", "Munadi"}
var TalkFull = locale.Text{"ملء الشاشة", "Full screen"}
var TalkKeys = locale.Text{"لوحة الأرقام", "Keypad"}
var TalkKey = locale.Text{"اضغط {key}", "Press {key}"}
var TalkFound = locale.Text{"ما عُرف", "Found out"}
var TalkSteps = locale.Text{"الخطوات", "Steps"}
var TalkValues = locale.Text{"بيانات المكالمة", "Values of the call"}
var TalkNoScript = locale.Text{"يحتاج هذا إلى JavaScript وميكروفون.", "This needs JavaScript and a microphone."}
