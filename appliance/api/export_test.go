package api

import "time"

// What requests may carry, for the test that holds it against the document.
type (
	BookingBody      = bookingBody
	RetryBody        = retryBody
	RescheduleBody   = rescheduleBody
	OrganizationBody = organizationBody
	SuppressionBody  = suppressionBody
	WebhookBody      = webhookBody
)

// QueryOf, BindBooking and ReadSuppressions are what reads strangers' bytes.
var (
	QueryOf          = queryOf
	BindBooking      = bindBooking
	ReadSuppressions = readSuppressions
)

// Read takes a query apart as the lists do, and says what is wrong with it.
func (q *queryReader) Read() (limit int, number string, from time.Time, wrong int) {
	limit, number, from = q.limitParam(), q.numberParam("phone_number"), q.timeParam("created_from")
	return limit, number, from, len(q.found)
}
