package bucket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"

	"munadi/store"
)

// explainError translates an error of the S3 client into a sentence that names the remedy.
func (b *s3Bucket) explainError(ctx context.Context, name string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return context.Canceled
	}
	answer := minio.ToErrorResponse(err)
	code, sentence := store.CodeUnavailable, ""
	switch answer.Code {
	case "NoSuchKey":
		return &store.Error{Code: store.CodeNotFound, Message: "there is no " + name + " in the bucket", Err: fs.ErrNotExist}
	case "NoSuchBucket":
		code = store.CodeInvalid
		sentence = "does not exist: correct the name in --recordings (MUNADI_RECORDINGS), or create the bucket"
	case "InvalidAccessKeyId", "InvalidClientTokenId", "UnrecognizedClientException":
		code, sentence = store.CodeInvalid, "does not know the key: check AWS_ACCESS_KEY_ID"
	case "SignatureDoesNotMatch":
		code = store.CodeInvalid
		sentence = "refuses the key's secret: check AWS_SECRET_ACCESS_KEY, and region in --recordings"
	case "ExpiredToken", "ExpiredTokenException", "InvalidToken":
		code, sentence = store.CodeInvalid, "refuses the session token: check AWS_SESSION_TOKEN"
	case "AccessDenied", "AllAccessDisabled", "AccountProblem":
		code = store.CodeInvalid
		sentence = "refuses access: the key needs GetObject, PutObject, DeleteObject and ListBucket there"
	case "RequestTimeTooSkewed":
		code, sentence = store.CodeInvalid, "refuses requests since the clocks differ: set this machine's clock"
	case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
		code, sentence = store.CodeInvalid, "is in another region: correct region in --recordings"
	case "QuotaExceeded", "XMinioStorageFull", "InsufficientStorage":
		sentence = "is full: free space in it or raise its quota"
	default:
		sentence = describeOutage(answer.StatusCode)
	}
	return &store.Error{Code: code, Message: "the bucket " + b.at.String() + " " + sentence, Err: shortCause(answer, err)}
}

// describeOutage describes a temporary fault.
func describeOutage(status int) string {
	switch {
	case status >= http.StatusInternalServerError, status == http.StatusTooManyRequests:
		return "cannot serve requests now"
	case status == 0 || status == http.StatusOK:
		return "does not answer"
	}
	return "sent an unexpected response"
}

// shortCause returns the cause without the body of the server's error page.
func shortCause(answer minio.ErrorResponse, err error) error {
	if answer.StatusCode == 0 {
		return err
	}
	return fmt.Errorf("%d %s: %s", answer.StatusCode, answer.Code, answer.Message)
}
