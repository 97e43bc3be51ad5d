package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
)

// AnswerError is an answer that can't be used.
type AnswerError struct{ Who, What string }

func (e AnswerError) Error() string { return e.Who + " " + e.What }

// StatusError returns the error of an answer with another HTTP status than 200.
func StatusError(who string, status int) error {
	return AnswerError{who, fmt.Sprintf("answered with HTTP status %d", status)}
}

// DescribeFault says why an endpoint gave no answer, in a sentence for those who may not see its address; empty for
// faults without a sentence.
func DescribeFault(who string, err error) string {
	var answer AnswerError
	var network net.Error
	var certificate *tls.CertificateVerificationError
	var connection *net.OpError
	switch {
	case errors.As(err, &answer):
		return who + " " + answer.What + "."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return who + " did not answer in time."
	case errors.As(err, &certificate):
		return who + " has a certificate that is not trusted."
	case errors.As(err, &connection) && connection.Op == "dial":
		return who + " could not be reached."
	case connection != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return who + " broke off its answer."
	}
	return ""
}
