package locale

import (
	"slices"
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
		{"no answer within {}: " + advice, "لا رد خلال {1}. " + arabicAdvice, "No answer within {1}: " + advice + "."},
		{"{}: " + advice, "{1}. " + arabicAdvice, "{1}: " + advice + "."},
	}
}

var compileTrunkFaults = sync.OnceValue(func() []compiledMessage { return compileMessages(trunkFaults()) })

// TrunkFault returns why a SIP trunk takes no calls, in the page's language; a reason without a translation as it is.
// Names replaces the names of settings; nil: they are those of munadi.yaml.
func TrunkFault(l Language, message string, names *strings.Replacer) string {
	known := compileTrunkFaults()
	if names != nil {
		known = slices.Clone(known)
		for i, m := range known {
			known[i].arabic, known[i].english = names.Replace(m.arabic), names.Replace(m.english)
		}
	}
	return translateMessage(l, known, message, func(value string) string {
		return strings.TrimSuffix(TrunkFault(l, value, names), ".") // an error before the advice
	})
}
