package locale

import (
	"strconv"
	"strings"
)

// deliveryFaults maps the beginnings of English delivery errors to Arabic.
var deliveryFaults = [][2]string{
	{"the connection was refused", "رُفض الاتصال: لا برنامج يستمع عند هذا العنوان."},
	{"the host name", "لم يُعثر على اسم المضيف. راجع العنوان."},
	{"connected, but not answered", "تم الاتصال بنظامك ولم يُجب في الوقت المسموح."},
	{"no connection within", "لم يتم الاتصال في الوقت المسموح."},
	{"the network has no way", "لا طريق في الشبكة إلى نظامك."},
	{"the receiver closed the connection", "أغلق نظامك الاتصال قبل أن يجيب."},
	{"no TLS is spoken", "لا تشفير عند هذا المنفذ: لعل العنوان يبدأ بـ http لا https."},
	{"the certificate is signed by an authority", "شهادة نظامك من جهة لا يعرفها هذا الخادم."},
	{"the certificate is for another host", "شهادة نظامك لاسم آخر."},
	{"the certificate has expired", "انتهت صلاحية شهادة نظامك أو لم تبدأ بعد."},
}

// DeliveryFault translates the recorded error of a delivery attempt. Unknown errors stay in English.
func DeliveryFault(l Language, status int, recorded string) string {
	if l != Arabic || recorded == "" {
		return recorded
	}
	code := "\u2066" + strconv.Itoa(status) + "\u2069"
	switch {
	case strings.Contains(recorded, "a redirect to"):
		return "أجاب نظامك بإعادة توجيه (" + code + ")، وهي لا تُتبع. اكتب العنوان الأخير."
	case status != 0:
		return "أجاب نظامك بالرمز " + code + "، والمنتظر \u20662xx\u2069."
	}
	for _, pair := range deliveryFaults {
		if strings.HasPrefix(recorded, pair[0]) {
			return pair[1]
		}
	}
	return recorded
}

// addressFaults maps the beginnings of English webhook URL errors to Arabic.
var addressFaults = [][2]string{
	{"must begin with https", "يجب أن يبدأ بـ https أو http"},
	{"must not contain spaces", "فيه مسافة أو رمز خفي"},
	{"must not contain a user name", "فيه اسم مستخدم أو كلمة مرور؛ ضع السر في المسار"},
	{"must not name an address with a zone", "فيه عنوان IP مع نطاق محلي بعد %؛ احذف النطاق"},
	{"must not contain a fragment", "فيه جزء بعد #، وهو لا يُرسل"},
	{"must have a port", "رقم المنفذ ليس بين 1 و65535"},
	{"must have at most", "أطول من المسموح"},
	{"must name", "اسم المضيف فيه غير صالح"},
	{"is not a valid URL", "ليس عنوانًا سليمًا"},
}

// AddressFault translates why a webhook URL is refused, like [DeliveryFault].
func AddressFault(l Language, reason string) string {
	if l == Arabic {
		for _, pair := range addressFaults {
			if strings.HasPrefix(reason, pair[0]) {
				return pair[1]
			}
		}
	}
	return "\u2066" + reason + "\u2069"
}
