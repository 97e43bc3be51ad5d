package apimodel

import (
	"fmt"
	"net/http"
	"strings"
)

// EncodingFault returns the message of a 415 (RFC 9110 §15.5.16) if a request's body has a content coding such as
// gzip, and is empty otherwise. A compressed body could expand beyond every size limit (decompression bomb).
func EncodingFault(r *http.Request) string {
	coding := strings.Join(r.Header.Values("Content-Encoding"), ", ")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return ""
	}
	const most = 100 // bytes of the header that are quoted
	return fmt.Sprintf("Content-Encoding %s is not accepted: send the body as it is, without compression",
		strings.ToValidUTF8(coding[:min(len(coding), most)], ""))
}
