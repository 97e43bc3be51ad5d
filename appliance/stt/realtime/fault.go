package realtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"munadi/store/excerpt"
)

// protocolError is the content of an "error" event about a client's event. The session continues.
type protocolError struct {
	Type    string  // empty: invalid_request_error
	Code    string  //
	Message string  //
	Param   string  // empty: none
	EventID *string // client's event_id
}

type faultBody struct {
	Type    string  `json:"type"`
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Param   *string `json:"param"`
	EventID *string `json:"event_id"`
}

func (f *protocolError) errorBody() faultBody {
	b := faultBody{Type: f.Type, Code: f.Code, Message: f.Message, EventID: f.EventID}
	if b.Type == "" {
		b.Type = "invalid_request_error"
	}
	if f.Param != "" {
		b.Param = &f.Param
	}
	return b
}

// newInvalidValue returns the error for an unsupported value.
func newInvalidValue(param, value string, supported ...string) *protocolError {
	value = excerpt.TruncateText(value, 100)
	return &protocolError{Code: "invalid_value", Param: param, Message: fmt.Sprintf(
		"Invalid value: '%s'. Supported values are: '%s'.", value, strings.Join(supported, "', '"))}
}

// newOutOfRange returns the error for a number out of range.
func newOutOfRange(param string, value, least, most float64) *protocolError {
	code, limit, word := "decimal_above_max_value", most, "<="
	if value < least {
		code, limit, word = "decimal_below_min_value", least, ">="
	}
	return &protocolError{Code: code, Param: param, Message: fmt.Sprintf(
		"Invalid '%s': expected a value %s %v, but got %v instead.", param, word, limit, value)}
}

// newMissingParam returns the error for a missing parameter.
func newMissingParam(param string) *protocolError {
	return &protocolError{
		Code: "missing_required_parameter", Param: param, Message: fmt.Sprintf("Missing required parameter: '%s'.", param),
	}
}

// decodeParam decodes JSON into v; the error names the parameter with a wrong type.
func decodeParam(raw json.RawMessage, v any, param string) *protocolError {
	if len(raw) == 0 || string(raw) == "null" {
		return newMissingParam(param)
	}
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if kind.Field != "" {
			param += "." + kind.Field
		}
		return &protocolError{Code: "invalid_type", Param: param, Message: fmt.Sprintf(
			"Invalid type for '%s': got %s.", param, kind.Value)}
	}
	return &protocolError{Code: "invalid_json", Param: param, Message: "The event is not valid JSON."}
}
