package kit

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/hex"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
	"munadi/ui/asset"
)

// minCompressedSize is the size of a page, in bytes, from which compression saves time.
const minCompressedSize = 1024

// pages compresses pages.
var pages = asset.NewCompressor(gzip.BestSpeed)

// sendCompressed sends a page, with gzip if the client accepts it. Streams (SSE, recordings, CSV) are not sent here.
func sendCompressed(c echo.Context, status int, page []byte) error {
	h := c.Response().Header()
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if len(page) < minCompressedSize || !httpserver.AcceptsGzip(c.Request().Header.Get(echo.HeaderAcceptEncoding)) {
		return c.HTMLBlob(status, page)
	}
	packed, err := pages.Compress(page)
	if err != nil {
		return err
	}
	h.Set(echo.HeaderContentEncoding, "gzip")
	return c.HTMLBlob(status, packed)
}

// maskToken encodes a CSRF token differently in each page (a random pad and the token XOR the pad), so that the size of
// a compressed page reveals nothing about it (BREACH).
func maskToken(token string) string {
	if token == "" {
		return ""
	}
	pad := make([]byte, len(token))
	_, _ = rand.Read(pad) // it never fails
	masked := bytes.Clone(pad)
	for i := range masked {
		masked[i] ^= token[i]
	}
	return hex.EncodeToString(pad) + maskSeparator + hex.EncodeToString(masked)
}

// maskSeparator separates pad and token; no unmasked token contains it.
const maskSeparator = "."

// unmaskToken decodes a masked token; other text is returned unchanged.
func unmaskToken(sent string) string {
	left, right, found := strings.Cut(sent, maskSeparator)
	pad, err := hex.DecodeString(left)
	token, fault := hex.DecodeString(right)
	if !found || err != nil || fault != nil || len(pad) != len(token) {
		return sent
	}
	for i := range token {
		token[i] ^= pad[i]
	}
	return string(token)
}
