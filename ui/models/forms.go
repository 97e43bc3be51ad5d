package models

import (
	"github.com/a-h/templ"

	"munadi/ui/form"
	"munadi/ui/locale"
)

// Installation is what the forms ask for that install a model: of the hub, from a file, from a path.
type Installation struct {
	Model                  string // organization/name@revision, of the hub
	Name                   string // to install under
	Path                   string
	AnyLanguage, Int8, Use bool
}

// exactly are the attributes of a name that is typed exactly.
var exactly = templ.Attributes{"class": "mono", "autocapitalize": "off", "spellcheck": "false"}

var (
	modelField = form.Declared[*Installation]{
		Name: "model", Label: Other, Help: OtherHint, Dir: "ltr", Usual: "organization/name", Most: 300, Required: true,
		Attributes: exactly, Value: func(i *Installation) any { return &i.Model },
	}
	chosenField = form.Declared[*Installation]{
		Name: "model", Kind: form.Hidden, Value: func(i *Installation) any { return &i.Model },
	}
	nameField = form.Declared[*Installation]{
		Name: "name", Label: InstallAs, Help: NameHint, Dir: "ltr", Most: 64, Required: true, Attributes: exactly,
		Value: func(i *Installation) any { return &i.Name },
	}
	useField = form.Declared[*Installation]{
		Name: "use", Label: UseWhenReady, Value: func(i *Installation) any { return &i.Use },
	}
	int8Field = form.Declared[*Installation]{
		Name: "int8", Label: Int8, Value: func(i *Installation) any { return &i.Int8 },
	}
	anyField = form.Declared[*Installation]{
		Name: "any_language", Label: AnyLanguage, Value: func(i *Installation) any { return &i.AnyLanguage },
	}
	pathField = form.Declared[*Installation]{
		Name: "path", Label: Path, Help: PathHint, Dir: "ltr", Usual: "/media/usb/model.nemo", Most: 1000, Required: true,
		Attributes: exactly, Value: func(i *Installation) any { return &i.Path },
	}
	checkpointField = form.Declared[*Installation]{
		Name: "file", Label: File, Help: FileHint, Kind: form.File, Required: true,
		Attributes: templ.Attributes{"accept": ".nemo"},
	}
	soundField = form.Declared[*Installation]{
		Name: "file", Label: Sound, Help: SoundHint, Kind: form.File, Required: true,
		Attributes: templ.Attributes{"accept": "audio/*,video/webm"},
	}
	comparedField = form.Declared[*Installation]{
		Name: "name", Kind: form.Hidden, Value: func(i *Installation) any { return &i.Name },
	}
)

// ReadInstallation reads what a form asked for.
func ReadInstallation(b *form.Binder) (typed Installation) {
	form.ReadDeclared(b, "", &typed, []form.Declared[*Installation]{
		chosenField, nameField, pathField, useField, int8Field, anyField,
	})
	return typed
}

// shownFields returns fields with the values of an installation.
func shownFields(l locale.Language, i Installation, declared ...form.Declared[*Installation]) []form.Field {
	return form.BindDeclared(form.NewBinder(l, nil, nil), "", &i, declared)
}
