package calls

import "munadi/ui/locale"

var GapsLink = locale.Text{"استمع إلى الفجوات", "Listen to the gaps"}
var GapsTitle = locale.Text{"فجوات المكالمة", "Gaps of the call"}
var GapsLead = locale.Text{"متى تكلّم كلٌّ منهما، وكم صمت بينهما. اضغط فجوة لتسمعها. الزمن يجري من اليسار إلى اليمين.", "Who spoke when, and how long it was silent between them. Press a gap to hear it. Time runs left to right."}
var GapsNone = locale.Text{"لا فجوات في هذه المكالمة.", "This call has no gaps."}
var GapsAt = locale.Text{"الموضع", "At"}
var GapsWho = locale.Text{"من أجاب", "Who replied"}
var GapsLength = locale.Text{"الفجوة", "Gap"}
var GapsDecided = locale.Text{"عُدّ منتهيًا بعد", "Taken for over after"}
var GapsSent = locale.Text{"أُرسل بعد", "Sent after"}
var GapsBefore = locale.Text{"قيل قبلها", "Said before"}
var GapsReply = locale.Text{"الرد", "Reply"}
var GapsMilliseconds = locale.Text{"{n} مللي ثانية", "{n} ms"}
var GapsHear = locale.Text{"اسمع الفجوة عند {at}", "Hear the gap at {at}"}
var GapsMedian = locale.Text{"ردود المنصة: الوسيط {median} مللي ثانية، والأطول {longest}", "Replies of the platform: median {median} ms, longest {longest} ms"}
