// Package webhook holds what a person sees of the webhook and its deliveries.
package webhook

import "munadi/ui/locale"

var Lead = locale.Text{"حين تنتهي مكالمة يُرسل إشعار (webhook) إلى نظامك، بثلاث محاولات على الأكثر.", "When a call has ended, a webhook is sent to your server, with at most three attempts."}
var URL = locale.Text{"عنوان نظامك", "Your server's address"}
var Enabled = locale.Text{"الإشعارات مفعّلة", "The webhook is on"}
var Signing = locale.Text{"توقيع الإشعارات", "Sign webhooks"}
var SigningHint = locale.Text{"ترويسات Standard Webhooks ليتأكد نظامك أن الإشعار من مُنادي.", "Standard Webhooks headers, so that your server can verify that they come from Munadi."}
var Saved = locale.Text{"حُفظت الإعدادات.", "The settings were saved."}
var SecretLive = locale.Text{"أُنشئ السر", "Secret created"}
var SecretUntil = locale.Text{"يعمل حتى", "valid until"}
var Rotate = locale.Text{"سر جديد", "New secret"}
var RotateHint = locale.Text{"يبقى السر القديم صالحًا للتوقيع يومًا آخر.", "The old secret stays valid for another day."}
var Rotated = locale.Text{"أُنشئ سر جديد.", "A new secret was created."}
var Test = locale.Text{"تجربة", "Test"}
var TestLead = locale.Text{"يُرسل الآن إشعار تجربة، ويظهر هنا ما أُرسل وما ردّ به نظامك.", "A test webhook is sent now; the request and the response of your server are shown here."}
var TestDo = locale.Text{"أرسل إشعار تجربة", "Send a test"}
var TestNeedsURL = locale.Text{"احفظ عنوانًا أولًا.", "Save an address first."}
var TestWaiting = locale.Text{"يُرسل الآن…", "Sending…"}
var TestTitle = locale.Text{"نتيجة التجربة", "Result of the test"}
var About = locale.Text{"عن", "About"}
var Kind = locale.Text{"النوع", "Kind"}
var EmptyDo = locale.Text{"احفظ عنوانًا ثم جرّبه، أو ابدأ مكالمة.", "Save an address and test it, or start a call."}
var OfCall = locale.Text{"نهاية مكالمة", "End of a call"}
var OfTest = locale.Text{"تجربة", "Test"}
var One = locale.Text{"إشعار", "Delivery"}
var Try = locale.Text{"المحاولة", "Attempt"}
var Request = locale.Text{"ما أُرسل", "Request"}
var Response = locale.Text{"الرد", "Response"}
var NoResponse = locale.Text{"لا رد", "no answer"}
var Took = locale.Text{"المدة", "Took"}
var Of = locale.Text{"من", "of"}
var NoReceiver = locale.Text{"لم يُحفظ عنوان للإشعارات، أو أنها غير مفعّلة. احفظ العنوان وفعّلها، ثم أرسل من جديد.", "The webhook has no address or is turned off. Save an address, turn the webhook on, then send again."}

// units after a number
var Milliseconds = locale.Text{"مللي ثانية", "ms"}
var Seconds = locale.Text{"ثانية", "s"}
var Error = locale.Text{"السبب", "Reason"}
var Back = locale.Text{"كل الإشعارات", "All deliveries"}
var Headers = locale.Text{"الوجهة", "To"}
var Alerts = locale.Text{"أرسل التنبيهات أيضًا", "Send alerts too"}
var AlertsHint = locale.Text{"توقف الاتصال وكثرة الفشل، وحين ينتهيان. اتركه إن كان نظامك لا يعرف إلا المكالمات.", "Calling stopped, many failures, and when they are over. Leave it off if your server knows only calls."}
var OfAlert = locale.Text{"تنبيه", "Alert"}
var OfAllClear = locale.Text{"انتهاء تنبيه", "End of an alert"}

// KindName returns the display name of a kind of notification.
func KindName(l locale.Language, kind string) string {
	names := map[string]locale.Text{"test": OfTest, "alert_raised": OfAlert, "alert_cleared": OfAllClear}
	if name, known := names[kind]; known {
		return name.In(l)
	}
	return OfCall.In(l)
}
