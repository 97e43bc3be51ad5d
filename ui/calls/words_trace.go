package calls

import "munadi/ui/locale"

// The SIP ladder.
var LadderTitle = locale.Text{"رسائل SIP", "SIP messages"}

var LadderHint = locale.Text{
	"ما تبادلته المنصة مع شركة الاتصالات. الأرقام مُخفاة، وبيانات الدخول محذوفة. اضغط رسالةً لترى تفاصيلها.",
	"What the platform and the carrier sent each other. Numbers are masked, credentials left out. Open a message for its details.",
}
var LadderStaff = locale.Text{"الموظف {n}", "Staff {n}"}
var LadderSent = locale.Text{"مُرسلة", "sent"}
var LadderReceived = locale.Text{"مُستلمة", "received"}
var LadderRepeats = locale.Text{"تكررت {n} مرة", "repeated {n} times"}
var LadderCut = locale.Text{"اختُصرت لطولها", "shortened"}
var LadderOmitted = locale.Text{"لم تُحفظ بعدها {n} من الرسائل", "after it {n} messages were not kept"}

// The media quality.
var QualityTitle = locale.Text{"جودة الصوت", "Sound quality"}

var QualityHint = locale.Text{
	"تقدير MOS بنموذج ITU-T G.107: من 1 (رديء) إلى 4.5 (ممتاز)، لكل بضع ثوانٍ.",
	"MOS estimated by the ITU-T G.107 E-model: 1 (bad) to 4.5 (excellent), every few seconds.",
}
var QualityIn = locale.Text{"ما تسمعه المنصة", "What the platform hears"}
var QualityOut = locale.Text{"ما يسمعه الطرف الآخر", "What the other side hears"}
var QualityNone = locale.Text{"لا قياسات: لم يرسل الطرف الآخر تقارير RTCP.", "Not measured: the other side sent no RTCP reports."}
var QualityRoundTrip = locale.Text{"ذهاب الحزمة وعودتها: {ms} م.ث", "Round trip: {ms} ms"}
var QualitySummary = locale.Text{"جودة MOS {mos} · الفقد {loss}% · التذبذب {jitter} م.ث", "MOS {mos} · loss {loss} % · jitter {jitter} ms"}
