package apimodel

import (
	"fmt"
	"net/http"
	"strings"
)

// EncodingFault says why a request's body is not accepted if it has a content coding, for a 415 (RFC 9110 §15.5.16);
// empty otherwise. A body that expands after its size was judged would be a way around every limit.
func EncodingFault(r *http.Request) string {
	coding := strings.Join(r.Header.Values("Content-Encoding"), ", ")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return ""
	}
	const most = 100 // bytes of the client's words that are repeated
	return fmt.Sprintf("Content-Encoding %s is not accepted: send the body as it is, without compression",
		strings.ToValidUTF8(coding[:min(len(coding), most)], ""))
}
