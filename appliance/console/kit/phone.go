package kit

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/contactfile"
	"munadi/store/phonenumber"
)

// NumberRegion returns the country of numbers without a country code: the one that the organization chose for its
// contact files.
func (s *Console) NumberRegion(c echo.Context) string {
	memory, err := s.Store.FindImportMemory(c.Request().Context(), RequestVisitor(c).Org.ID)
	if err != nil || !phonenumber.IsRegion(memory.Region) {
		return contactfile.DefaultRegion
	}
	return memory.Region
}

// LocalNumber is [kit.PhoneNumber] that also accepts numbers as they are written in a country: 05…, ٠٥…, 9665….
func LocalNumber(typed, region string) (string, bool) {
	number, ok := PhoneNumber(typed)
	if ok {
		return number, true
	}
	if local, is := contactfile.NormalizeNumber(number, region); is {
		return local, true
	}
	return number, false
}
