package locale

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// RegionName returns the name of a country by its ISO 3166 code; the code itself for an unknown one.
func RegionName(l Language, code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	name := display.Regions(pickLanguage(l, language.Arabic, language.English)).Name(region)
	if name == "" {
		return code
	}
	return name
}
