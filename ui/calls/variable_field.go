package calls

import "munadi/ui/component"

// VariableField is the control for a variable's value, by the variable's declared type.
type VariableField struct {
	ID, Name string
	Type     string // date, time, number, phone, choice; others are text
	Choices  []component.ListChoice
	Value    string
	Required bool
}

// inputType is the type of the input element.
func (f VariableField) inputType() string {
	switch f.Type {
	case "date", "time", "number":
		return f.Type
	case "phone":
		return "tel"
	}
	return "text"
}

// textDirection returns the dir attribute of the input: auto for text, ltr for figures.
func (f VariableField) textDirection() string {
	if f.inputType() == "text" {
		return "auto"
	}
	return "ltr"
}
