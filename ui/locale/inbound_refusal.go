package locale

import "munadi/store/call"

// DescribeInboundRefusal returns why an inbound call was refused, and what to do about it.
func DescribeInboundRefusal(l Language, cause call.RefusalCause) RefusalText {
	said := inboundRefusals[cause]
	return RefusalText{said.what.In(l), said.do.In(l)}
}

// inboundRefusals are the texts by cause.
var inboundRefusals = map[call.RefusalCause]struct{ what, do Text }{
	call.RefusalStranger: {
		Text{"لم تأتِ المكالمة من عناوين الخط.", "It came from none of the trunk's addresses."},
		Text{
			"إن كان العنوان لشركة الاتصالات فأضف خطًا بعنوانه. وإلا فلا يلزم شيء: برامج كثيرة تجرّب كل خادم SIP.",
			"If the address is the operator's, add a trunk with it. Otherwise nothing is to be done: programs try every SIP server.",
		},
	},
	call.RefusalFlood: {
		Text{"جاء من عنوان واحد من المكالمات في الثانية أكثر مما يُقبل.", "More calls a second came from one address than are taken."},
		Text{"اسأل شركة الاتصالات عن سببها.", "Ask the operator where they come from."},
	},
	call.RefusalIncomplete: {
		Text{"تنقص رسالة INVITE ترويسة.", "A header of the INVITE is missing."},
		Text{"أرسل الرسالة إلى شركة الاتصالات.", "Show the operator the message."},
	},
	call.RefusalDigest: {
		Text{"اسم المستخدم أو كلمة المرور غير صحيح (\u2066inbound-digest\u2069).", "User name or password is wrong (inbound-digest)."},
		Text{
			"قارنهما بما لدى شركة الاتصالات، أو أوقف إثبات الحساب في المكالمات الواردة.",
			"Compare them with the operator's, or do not ask for them on inbound calls.",
		},
	},
	call.RefusalNoRoute: {
		Text{"لا يطابق الرقم المطلوب أي رقم وارد.", "No number of the inbound routes was called."},
		Text{"أضف الرقم في صفحة المكالمات الواردة للمنظمة.", "Add the number to the organization's inbound calls."},
	},
	call.RefusalNoScenario: {
		Text{"حُذف سيناريو الرقم، أو تعذّر بدء المكالمة.", "The number's scenario is gone, or the call could not be held."},
		Text{"تحقق من سيناريو الرقم في صفحة المكالمات الواردة للمنظمة.", "Check the number's scenario in the organization's inbound calls."},
	},
	call.RefusalDuplicate: {
		Text{"وردت المكالمة نفسها من طريق آخر أيضًا.", "The same call came by another way, too."},
		Text{"لا يلزم شيء: يُردّ عليها في الطريق الأول.", "Nothing is to be done: it is taken where it came first."},
	},
	call.RefusalBusy: {
		Text{"خطوط الرقم أو المنظمة مشغولة كلها.", "All lines of the number or of the organization were in use."},
		Text{
			"زد \u00abمكالمات في وقت واحد\u00bb للرقم، أو خطوط المنظمة.",
			"Raise the calls at once of the number, or the organization's lines.",
		},
	},
	call.RefusalCodec: {
		Text{
			"لا ترميز مشترك مع \u2066sip-codecs\u2069، أو التشفير (SRTP) في جانب واحد فقط.",
			"No codec of its offer is one of sip-codecs, or only one side wants encryption (SRTP).",
		},
		Text{
			"اضبط \u2066sip-codecs\u2069 وتشفير الخط كما لدى شركة الاتصالات.",
			"Set sip-codecs and the trunk's encryption as the operator has them.",
		},
	},
	call.RefusalNoLine: {
		Text{"خطوط الخادم مشغولة كلها، أو لم يكن جاهزًا.", "All lines of the appliance were in use, or it was not ready."},
		Text{
			"زد \u2066lines\u2069، أو \u2066inbound-lines\u2069 لتبقى خطوط للمكالمات الواردة.",
			"Raise lines, or inbound-lines, which leaves lines free for inbound calls.",
		},
	},
}
