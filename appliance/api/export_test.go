package api

// What requests may carry, for the test that holds it against the document.
type (
	BookingBody      = bookingBody
	RetryBody        = retryBody
	RescheduleBody   = rescheduleBody
	OrganizationBody = organizationBody
	SuppressionBody  = suppressionBody
	WebhookBody      = webhookBody
)

// ParseObject, BindBooking and ReadSuppressions are what reads strangers' bytes.
var (
	ParseObject      = parseObject
	BindBooking      = bindBooking
	ReadSuppressions = readSuppressions
)
