package api

import "time"

// The bodies of requests, exported for the test that compares them with the OpenAPI document.
type (
	BookingBody      = bookingBody
	RetryBody        = retryBody
	RescheduleBody   = rescheduleBody
	OrganizationBody = organizationBody
	SuppressionBody  = suppressionBody
	WebhookBody      = webhookBody
	DestinationBody  = destinationBody
)

// NewQueryReader, BindBooking and ReadSuppressions parse untrusted input.
var (
	NewQueryReader   = newQueryReader
	BindBooking      = bindBooking
	ReadSuppressions = readSuppressions
)

// Read parses a query as the lists do, and returns its violations.
func (q *queryReader) Read() (limit int, number string, from time.Time, wrong int) {
	limit, number, from = q.limitParam(), q.numberParam("phone_number"), q.timeParam("created_from")
	return limit, number, from, len(q.found)
}
