package locale

import (
	"strings"
	"sync"
)

// trunkFaults are why a SIP trunk takes no calls, by the message of its last check. The last one has an error before the
// advice and fits the others, too.
func trunkFaults() []machineMessage {
	const (
		advice       = "check address, port and transport in sip-trunk, and that the firewall allows requests from sip-listen and their answers"
		arabicAdvice = "تحقق من العنوان والمنفذ ووسيلة النقل في \u2066sip-trunk\u2069، ومن أن جدار الحماية يسمح بالطلبات من \u2066sip-listen\u2069 وبردودها."
	)
	return []machineMessage{
		{
			"{}: check sip-trunk, and this machine's DNS",
			"تحقق من \u2066sip-trunk\u2069 ومن DNS هذا الخادم: {1}", "Check sip-trunk, and this machine's DNS: {1}",
		},
		{
			"its certificate is not trusted ({}): set sip-ca to its CA's certificate",
			"شهادته غير موثوقة ({1}). ضع شهادة الجهة التي أصدرتها في \u2066sip-ca\u2069.",
			"Its certificate is not trusted ({1}). Set sip-ca to its CA's certificate.",
		},
		{
			"{}: check sip-user and MUNADI_SIP_PASSWORD",
			"تحقق من \u2066sip-user\u2069 ومن \u2066MUNADI_SIP_PASSWORD\u2069: {1}", "Check sip-user and MUNADI_SIP_PASSWORD: {1}",
		},
		{
			"{}: nothing listens there; check the port and transport in sip-trunk",
			"لا شيء يستقبل هناك. تحقق من المنفذ ووسيلة النقل في \u2066sip-trunk\u2069: {1}",
			"Nothing listens there; check the port and transport in sip-trunk: {1}",
		},
		{
			"SIP status {}: the trunk does not take user and password, or not from this address",
			"لا يقبل اسم المستخدم وكلمة المرور، أو لا يقبلهما من هذا العنوان (رمز SIP: {1}).",
			"It does not take user and password, or not from this address (SIP status {1}).",
		},
		{
			"SIP status {}: the trunk does not know the user",
			"لا يعرف اسم المستخدم (رمز SIP: {1}).", "It does not know the user (SIP status {1}).",
		},
		{
			"SIP status {}: the trunk does not know this kind of request",
			"لا يعرف هذا النوع من الطلبات (رمز SIP: {1}).", "It does not know this kind of request (SIP status {1}).",
		},
		{
			"SIP status {}: the trunk is overloaded or being serviced",
			"عليه حمل زائد أو هو في صيانة (رمز SIP: {1}).", "It is overloaded or being serviced (SIP status {1}).",
		},
		{"SIP status {}", "رفض الطلب (رمز SIP: {1}).", "It refused the request (SIP status {1})."},
		{
			"sip-trunks: {} has a user, but its stored password cannot be used: type it again on its page of the console",
			"كلمة المرور المحفوظة لا يمكن استعمالها: اكتبها من جديد.", "The stored password cannot be used: type it again.",
		},
		{
			"sip-trunks: {}: calls with its former settings use listen {}: it opens when they have ended, or with another port",
			"مكالمات جارية بإعداداته السابقة تستعمل {2}. يُفتح الخط حين تنتهي، أو بمنفذ آخر.",
			"Calls with its former settings use {2}. It opens when they have ended, or with another port.",
		},
		{
			"cannot listen on {}: another program has it ({}",
			"برنامج آخر يستعمل \u2066{1}\u2069. اختر منفذًا آخر.", "Another program uses {1} (`ss -lntup` shows which). Choose another port.",
		},
		{"no answer within {}: " + advice, "لا رد خلال {1}. " + arabicAdvice, "No answer within {1}: " + advice + "."},
		{"{}: " + advice, "{1}. " + arabicAdvice, "{1}: " + advice + "."},
	}
}

// compileTrunkFaults are compiled with the names of the settings; compileStoredFaults with those of the console's fields.
var (
	compileTrunkFaults  = sync.OnceValue(func() []compiledMessage { return compileMessages(trunkFaults()) })
	compileStoredFaults = sync.OnceValue(func() []compiledMessage {
		all := trunkFaults()
		for i, m := range all {
			all[i].arabic = TrunkNames(Arabic, true).Replace(m.arabic)
			all[i].english = TrunkNames(English, true).Replace(m.english)
		}
		return compileMessages(all)
	})
)

// TrunkFault returns why a SIP trunk takes no calls, in the page's language; a reason without a translation as it is.
// What to check is named as for [TrunkNames].
func TrunkFault(l Language, message string, stored bool) string {
	known := compileTrunkFaults
	if stored {
		known = compileStoredFaults
	}
	return translateMessage(l, known(), message, func(value string) string {
		return strings.TrimSuffix(TrunkFault(l, value, stored), ".") // an error before the advice
	})
}

// TrunkNames replaces the names of a trunk's settings in a text by those of the console's fields if it is stored, that
// is, was made there. Others, such as sip-public-ip, apply to such trunks as they are.
func TrunkNames(l Language, stored bool) *strings.Replacer {
	var pairs []string
	for _, one := range []struct {
		setting string
		label   Text
	}{
		{"sip-trunk", TrunkAddress},
		{"sip-listen", TrunkListen},
		{"sip-user", KitUserName},
		{"MUNADI_SIP_PASSWORD", KitPassword},
		{"sip-from", TrunkFrom},
		{"sip-calls-per-second", TrunkRate},
		{"lines", TrunkLines},
		{"sip-codecs", TrunkCodecs},
		{"sip-ca", TrunkCA},
	} {
		switch {
		case !stored:
		case l == Arabic:
			pairs = append(pairs, "\u2066"+one.setting+"\u2069", "«"+one.label.In(l)+"»")
		default:
			pairs = append(pairs, one.setting, "“"+one.label.In(l)+"”")
		}
	}
	return strings.NewReplacer(pairs...)
}

// authorityFaults are why the certificates of a trunk's authorities are refused.
func authorityFaults() []machineMessage {
	return []machineMessage{
		{
			"the trunk is reached over {}, where there is no certificate to check: add ;transport=tls to sip-trunk",
			"الخط يعمل عبر {1}، وليس فيه شهادة تُفحص: أضف \u2066;transport=tls\u2069 إلى العنوان، أو أفرغ هذا الحقل.",
			"The trunk is reached over {1}, where there is no certificate to check: add ;transport=tls to the address, or empty this field.",
		},
		{
			"has no certificate in PEM (-----BEGIN CERTIFICATE-----)",
			"لا شهادة فيه بصيغة PEM: ألصقها من \u2066-----BEGIN CERTIFICATE-----\u2069 إلى \u2066-----END CERTIFICATE-----\u2069.",
			"It has no certificate in PEM: paste it from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.",
		},
		{
			"certificate {} of {} is cut off or damaged",
			"الشهادة {1} من {2} ناقصة أو تالفة: انسخها كاملة.", "Certificate {1} of {2} is cut off or damaged: copy all of it.",
		},
		{
			"certificate {} of {} cannot be used: {}",
			"الشهادة {1} من {2} لا يمكن استعمالها: {3}.", "Certificate {1} of {2} cannot be used: {3}.",
		},
		{
			"{} is no certificate",
			"فيه {1}، وليس شهادة: ألصق شهادة الجهة وحدها.", "It has {1}, which is no certificate: paste the CA's certificate alone.",
		},
	}
}

var compileAuthorityFaults = sync.OnceValue(func() []compiledMessage { return compileMessages(authorityFaults()) })

// AuthorityFault returns why the certificates of a trunk's authorities are refused, in the page's language.
func AuthorityFault(l Language, message string) string {
	return translateMessage(l, compileAuthorityFaults(), message, keepValue)
}
