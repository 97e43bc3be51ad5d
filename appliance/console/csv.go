package console

import (
	"encoding/csv"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/locale"
)

// setCSVHeaders sets the headers of a CSV download.
func setCSVHeaders(c echo.Context, filename string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+filename+`"`)
	h.Set(echo.HeaderCacheControl, "no-store")
}

// beginCSV starts a CSV download with a byte order mark, by which spreadsheets recognize UTF-8.
func beginCSV(c echo.Context, filename string) *csv.Writer {
	setCSVHeaders(c, filename)
	c.Response().WriteHeader(http.StatusOK)
	_, _ = c.Response().Write([]byte("\uFEFF")) // a failed connection is reported by the first row
	return csv.NewWriter(c.Response())
}

// columnNames returns a function that names the columns of a CSV file in a language.
func columnNames(l locale.Language) func(key string) string {
	return func(key string) string { return locale.ColumnName(l, key) }
}

// columnAliases returns the names of columns in all languages, by which an import recognizes an exported file.
func columnAliases(keys []string) map[string]string {
	aliases := map[string]string{}
	for _, l := range locale.AllLanguages() {
		for _, key := range keys {
			aliases[locale.ColumnName(l, key)] = key
		}
	}
	return aliases
}

// endBrokenCSV ends a file whose rest could not be read. Status 200 has been sent, so the last row says so.
func endBrokenCSV(out *csv.Writer, err error) error {
	_ = out.Write([]string{"error: this file is not whole"}) // a failed connection needs no message
	out.Flush()
	return err
}
