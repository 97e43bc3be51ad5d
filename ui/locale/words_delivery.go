package locale

// Texts of deliveries to a webhook and to destinations of events.

var Deliveries = Text{"ما أُرسل", "Deliveries"}
var DeliveryTries = Text{"المحاولات", "Attempts"}
var DeliveryNone = Text{"لم يُرسل شيء بعد", "Nothing was sent yet"}
var DeliveryPending = Text{"قيد الإرسال", "Being sent"}
var DeliveryDelivered = Text{"وصل", "Delivered"}
var DeliveryFailed = Text{"لم يصل", "Failed"}
var DeliveryAgain = Text{"إرسال من جديد", "Send again"}
var DeliveryResent = Text{"يُرسل الآن من جديد.", "It is being sent again now."}
var DeliveryUnderWay = Text{"ما زال قيد الإرسال. انتظر حتى ينتهي.", "It is still being sent. Wait until that has ended."}
var DeliveryNextTry = Text{"المحاولة القادمة", "Next attempt"}
var DeliveryNoTry = Text{"لم تبدأ المحاولات بعد", "no attempt yet"}
var DeliveryURLHint = Text{"يبدأ بـ https أو http. لا تُتبع إعادة التوجيه.", "Begins with https or http. Redirects are not followed."}
var DeliveryBadURL = Text{"هذا العنوان غير صالح", "This address is not valid"}
var DeliverySecretOnce = Text{"سر التوقيع، يظهر الآن فقط. ضعه في نظامك.", "The signing secret, shown now and never again. Store it in your server."}

// DeliveryStateName returns the display name of a delivery's state; of none, that all are shown.
func DeliveryStateName(l Language, state string) string {
	return map[string]Text{
		"": KitAll, "pending": DeliveryPending, "delivered": DeliveryDelivered, "failed": DeliveryFailed,
	}[state].In(l)
}

// DescribeURLFault returns why the address of a receiver is refused.
func DescribeURLFault(l Language, reason string) string {
	return DeliveryBadURL.In(l) + ": " + AddressFault(l, reason)
}
