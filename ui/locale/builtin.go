package locale

import "cmp"

// builtInNames are the English names of the built-in scenarios, by id; their own are Arabic.
var builtInNames = map[string]string{
	"appointment_confirmation": "Appointment confirmation",
	"restaurant_order":         "Restaurant order",
}

// BuiltInName returns the name of a built-in scenario in a language; own is the one that the scenario has.
func BuiltInName(l Language, id, own string) string {
	return pickLanguage(l, own, cmp.Or(builtInNames[id], own))
}
