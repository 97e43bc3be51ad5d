package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"munadi/store"
)

// isRolledBack reports whether a transaction was rolled back because of a concurrent one, or because its connection
// broke before the commit, so that it can be retried.
func isRolledBack(err error) bool {
	var known *store.Error
	if err == nil || errors.As(err, &known) {
		return false
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code == "40001" || refused.Code == "40P01" // serialization failure, deadlock
	}
	return errors.Is(err, errAgain) || isConnectionError(err) && !errors.Is(err, context.DeadlineExceeded)
}

// translateError converts the database's errors into [*store.Error]; the store's own are returned unchanged.
func translateError(err error) error {
	var known *store.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return translateRefusal(refused)
	}
	if isConnectionError(err) {
		return &store.Error{Code: store.CodeUnavailable, Message: "the database does not answer", Err: err}
	}
	return err
}

// translateRefusal converts an error of the server by its SQLSTATE.
func translateRefusal(refused *pgconn.PgError) error {
	code, message := store.CodeInternal, "the database refused a statement"
	switch class := refused.Code[:min(2, len(refused.Code))]; {
	case refused.Code == "53100":
		code, message = store.CodeNoRoom, "the disk of the database is full"
	case class == "08", class == "53", refused.Code == "57P01", refused.Code == "57P02", refused.Code == "57P03",
		refused.Code == "57014", refused.Code == "55P03", refused.Code == "25006":
		code, message = store.CodeUnavailable, "the database cannot serve requests now"
	case refused.Code == "23505":
		code, message = store.CodeConflict, "such a record exists already"
	case refused.Code == "22021":
		code, message = store.CodeInvalid, "a text holds bytes that are not UTF-8, or a zero byte"
	}
	return &store.Error{Code: code, Message: message, Err: refused}
}

// isConnectionError reports whether the connection failed rather than the statement.
func isConnectionError(err error) bool {
	var network net.Error
	var connecting *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connecting) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, pgx.ErrTxClosed) ||
		errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "conn closed")
}
