package httpserver

import "strings"

// AcceptsGzip parses an Accept-Encoding header; "gzip;q=0" refuses gzip.
func AcceptsGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, quality, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			quality = strings.ToLower(strings.ReplaceAll(quality, " ", ""))
			return quality == "" || strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != ""
		}
	}
	return false
}
