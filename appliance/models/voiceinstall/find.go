package voiceinstall

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munadi/appliance/modelhub"
	"munadi/engine/voice"
)

// voiceFiles are the files of a voice that can be installed.
type voiceFiles struct {
	name  string            // that it gets when none is given
	paths map[string]string // by their names in the voice's folder
	dir   string            // of its card
}

// UsualName returns the name that a voice of the hub gets when none is given.
func UsualName(found *modelhub.Model) string {
	file := filepath.Base(found.Files[0].Name)
	if graph, isGraph := strings.CutSuffix(file, voice.GraphExt); isGraph {
		return graph
	}
	return styledName(found.Name, file)
}

// styledName names the voice of one style of a model: supertonic-3-F1.
func styledName(model, style string) string {
	return filepath.Base(model) + "-" + strings.TrimSuffix(filepath.Base(style), ".json")
}

// findVoice returns the files of the voice at path: NAME.onnx, the style of one in Supertonic's layout, or a folder
// with one voice.
func findVoice(path string) (voiceFiles, error) {
	st, err := os.Stat(path)
	if err != nil {
		return voiceFiles{}, err
	}
	path = filepath.Clean(path)
	switch dir := filepath.Dir(path); {
	case st.IsDir():
		return findInFolder(path)
	case strings.HasSuffix(path, voice.GraphExt):
		return findPair(path, path+".json")
	case strings.HasSuffix(path, ".json") && exists(filepath.Join(dir, voice.ShapeFile)):
		return findStyled(dir, dir, path)
	case strings.HasSuffix(path, ".json") && exists(filepath.Join(dir, "../onnx", voice.ShapeFile)):
		return findStyled(filepath.Dir(dir), filepath.Join(dir, "../onnx"), path)
	}
	return voiceFiles{}, fmt.Errorf("%s is no voice: give NAME.onnx with NAME.onnx.json beside it, the style of a "+
		"Supertonic voice (voice_styles/NAME.json), or the folder of one voice", path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func findInFolder(dir string) (voiceFiles, error) {
	switch networks := filepath.Join(dir, "onnx"); {
	case exists(filepath.Join(dir, voice.ShapeFile)):
		return findOnlyStyle(dir, dir, dir)
	case exists(filepath.Join(networks, voice.ShapeFile)):
		return findOnlyStyle(dir, networks, filepath.Join(dir, "voice_styles"))
	}
	graph, config, err := voice.FindFiles(dir)
	if err != nil {
		return voiceFiles{}, err
	}
	return findPair(graph, config)
}

// findPair returns the files of a voice in Piper's layout.
func findPair(graph, config string) (voiceFiles, error) {
	if _, err := os.Stat(config); errors.Is(err, fs.ErrNotExist) {
		return voiceFiles{}, fmt.Errorf("%s is missing: the description that belongs to %s", config, filepath.Base(graph))
	}
	return voiceFiles{
		name: strings.TrimSuffix(filepath.Base(graph), voice.GraphExt), dir: filepath.Dir(graph),
		paths: map[string]string{filepath.Base(graph): graph, filepath.Base(config): config},
	}, nil
}

// findOnlyStyle returns the files of a voice in Supertonic's layout that has one style.
func findOnlyStyle(dir, networks, styles string) (voiceFiles, error) {
	if own := filepath.Join(networks, voice.StyleFile); exists(own) { // a voice that was installed
		found, err := findStyled(dir, networks, own)
		found.name = filepath.Base(dir)
		return found, err
	}
	entries, err := os.ReadDir(styles)
	if err != nil {
		return voiceFiles{}, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !slices.Contains(voice.CharacterVoiceFiles(), e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) != 1 {
		return voiceFiles{}, fmt.Errorf("%s has %d styles (%s): give the path of one", styles, len(names),
			strings.Join(names, ", "))
	}
	return findStyled(dir, networks, filepath.Join(styles, names[0]))
}

// findStyled returns the files of one style of a voice in Supertonic's layout.
func findStyled(dir, networks, style string) (voiceFiles, error) {
	found := voiceFiles{name: styledName(dir, style), dir: dir, paths: map[string]string{voice.StyleFile: style}}
	for _, name := range voice.CharacterVoiceFiles() {
		found.paths[name] = filepath.Join(networks, name)
		if !exists(found.paths[name]) {
			return found, fmt.Errorf("%s is missing: a Supertonic voice has %s", found.paths[name],
				strings.Join(voice.CharacterVoiceFiles(), ", "))
		}
	}
	return found, nil
}
