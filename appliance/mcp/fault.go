package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// notHandled begins what the protocol's library says of a method that it does not know.
const notHandled = "JSON RPC not handled"

// faultWriter makes what the protocol's library refuses as plain text a JSON-RPC error, as clients read it.
type faultWriter struct {
	http.ResponseWriter
	status int // of a refusal; 0: none
	text   bytes.Buffer
}

// WriteHeader implements [http.ResponseWriter].
func (w *faultWriter) WriteHeader(status int) {
	isText := strings.HasPrefix(w.Header().Get(echo.HeaderContentType), echo.MIMETextPlain)
	if status >= http.StatusBadRequest && isText {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *faultWriter) Write(part []byte) (int, error) {
	if w.status > 0 {
		return w.text.Write(part)
	}
	return w.ResponseWriter.Write(part)
}

// Unwrap is for [http.ResponseController].
func (w *faultWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// sendFault sends the refusal of a message, if there is one; request is nil for one that is none. A method that is not
// known is an error of a successful HTTP request, since clients take 404 for the end of their session, and the
// notification of one is ignored.
func (w *faultWriter) sendFault(message []byte, request *jsonrpc.Request) error {
	if w.status == 0 {
		return nil
	}
	answer := &jsonrpc.Response{}
	fault := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(w.text.String())}
	answer.Error = fault
	if request != nil {
		answer.ID = request.ID
	}
	switch {
	case strings.HasPrefix(fault.Message, notHandled) && !request.IsCall():
		w.Header().Del(echo.HeaderContentType)
		w.ResponseWriter.WriteHeader(http.StatusAccepted)
		return nil
	case strings.HasPrefix(fault.Message, notHandled):
		fault.Code, fault.Message, w.status = jsonrpc.CodeMethodNotFound, "There is no method "+request.Method, http.StatusOK
	case w.status == http.StatusBadRequest && !json.Valid(message):
		fault.Code = jsonrpc.CodeParseError
	}
	body, err := jsonrpc.EncodeMessage(answer)
	if err != nil {
		return err
	}
	w.Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	w.ResponseWriter.WriteHeader(w.status)
	_, err = w.ResponseWriter.Write(body)
	return err
}
