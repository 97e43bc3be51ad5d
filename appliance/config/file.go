package config

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"
)

const (
	workingFile = "munadi.yaml"             // in the working directory
	systemFile  = "/etc/munadi/munadi.yaml" // installed by the packages
)

// fileValue is the value of one setting in the file, with its line.
type fileValue struct {
	text string
	line int
}

// configFile is a parsed configuration file with its faults.
type configFile struct {
	path   string
	values map[string]fileValue
	faults []string
}

// loadFile reads the file at path; without a path, the first of the default files that exists, if any.
func loadFile(path string) configFile {
	if path == "" {
		return loadDefaultFile(workingFile, systemFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return configFile{faults: []string{"config: " + ExplainFile(path, err).Error()}}
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return configFile{faults: []string{"config: " + ExplainFile(path, syscall.EISDIR).Error()}}
	}
	return readFile(path, f)
}

// ReadSecret returns the first line of the file that a setting names, which must not be empty; without a file, the
// value of the environment.
func ReadSecret(setting, path, environment string) (string, error) {
	if path == "" {
		return environment, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", setting, ExplainFile(path, err))
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", fmt.Errorf("%s: %s is empty", setting, path)
	}
	return line, nil
}

// ReadAuthorities returns the authorities in the PEM file that a setting names; nil, for the system's, without one.
func ReadAuthorities(setting, path string) (*x509.CertPool, error) {
	roots, err := LoadAuthorities(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return roots, nil
}

// LoadAuthorities returns the authorities in a PEM file; nil, for the system's, without a path.
func LoadAuthorities(path string) (*x509.CertPool, error) {
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, ExplainFile(path, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(content) {
		if block, _ := pem.Decode(content); block != nil && block.Type == "CERTIFICATE" {
			_, err := x509.ParseCertificate(block.Bytes)
			return nil, fmt.Errorf("the certificate in %s cannot be used: %w", path, err)
		}
		return nil, fmt.Errorf("%s holds no certificate in PEM (-----BEGIN CERTIFICATE-----)", path)
	}
	return roots, nil
}

// ParseAuthorities returns the authorities in a text of certificates alone, as PEM; nil, for the system's, without one.
func ParseAuthorities(text string) (*x509.CertPool, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	roots, begun := x509.NewCertPool(), strings.Count(text, "-----BEGIN ")
	if begun == 0 {
		return nil, errors.New("has no certificate in PEM (-----BEGIN CERTIFICATE-----)")
	}
	rest := []byte(text)
	for n := 1; n <= begun; n++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return nil, fmt.Errorf("certificate %d of %d is cut off or damaged", n, begun)
		}
		if block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("%s is no certificate", block.Type)
		}
		one, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d of %d cannot be used: %w", n, begun, err)
		}
		roots.AddCert(one)
	}
	return roots, nil
}

// ExplainFile says why a file or folder that a setting names cannot be read; nil for a nil error.
func ExplainFile(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("there is no file %s", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("user %d may not read %s", os.Geteuid(), path)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s is a folder, not a file", path)
	}
	return fmt.Errorf("%s cannot be read (%s)", path, reasonOf(err))
}

// reasonOf returns the operating system's reason of an error.
func reasonOf(err error) string {
	if reason, ok := errors.AsType[syscall.Errno](err); ok {
		return reason.Error()
	}
	return "unknown reason"
}

var (
	yamlLine    = regexp.MustCompile(`line \d+`)
	yamlUnknown = regexp.MustCompile(`line \d+: field (\S+) not found`)
	yamlWrong   = regexp.MustCompile("line \\d+: cannot unmarshal (?:!!\\w+ )?`?([^`]*)`? into")
)

// describeYAML says where a text is not as expected, without the library's words and types.
func describeYAML(err error) string {
	line := yamlLine.FindString(err.Error())
	if line == "" {
		line = "line 1"
	}
	if m := yamlUnknown.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Sprintf("%s: unknown key %q", line, m[1])
	}
	if m := yamlWrong.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Sprintf("%s: %q is not what is expected there", line, strings.TrimSpace(m[1]))
	}
	return line + " is not valid YAML"
}

// loadDefaultFile reads the working directory's file, or else the system's. A system's file that this user may not read
// belongs to the service and is skipped; so is a working directory that the user may not read (`sudo -u munadi` from
// another user's home).
func loadDefaultFile(working, system string) configFile {
	f, err := os.Open(working)
	path := working
	if _, hidden := os.Stat(working); errors.Is(hidden, fs.ErrNotExist) || errors.Is(hidden, fs.ErrPermission) {
		path = system
		if f, err = os.Open(system); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return configFile{}
		}
	}
	if err != nil {
		return configFile{faults: []string{ExplainFile(path, err).Error()}}
	}
	defer f.Close()
	return readFile(path, f)
}

// readFile parses YAML: one mapping from settings to plain values. Each fault is reported with its line.
func readFile(path string, r io.Reader) configFile {
	f := configFile{path: path, values: map[string]fileValue{}}
	var document yaml.Node
	err := yaml.NewDecoder(r).Decode(&document)
	if errors.Is(err, io.EOF) {
		return f
	}
	if err != nil {
		f.faults = append(f.faults, fmt.Sprintf("%s: %s; each line must be of the form NAME: VALUE", path, describeYAML(err)))
		return f
	}
	if len(document.Content) == 0 {
		return f
	}
	root := document.Content[0]
	if root.Tag == "!!null" {
		return f
	}
	if root.Kind != yaml.MappingNode {
		f.addFault(root.Line, "is not a list of settings")
		return f
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		f.addLine(root.Content[i], root.Content[i+1])
	}
	return f
}

// addLine adds one setting of the file.
func (f *configFile) addLine(key, value *yaml.Node) {
	name := key.Value
	s, known := findSetting(name)
	_, twice := f.values[name]
	switch {
	case !known || name == fileSetting:
		f.addFault(key.Line, unknownKey(name))
	case s.secret:
		f.addFault(key.Line, fmt.Sprintf("%s can only be set by the environment variable %s", name, s.environmentName()))
	case twice:
		f.addFault(key.Line, name+" is set twice")
	case value.Kind == yaml.SequenceNode && slices.Contains(listNames, name):
		f.addList(name, value)
	case value.Kind == yaml.SequenceNode && slices.Contains(wordLists, name):
		f.addWords(name, value)
	case value.Kind != yaml.ScalarNode:
		f.addFault(value.Line, name+" must be a single value")
	case value.Tag != "!!null":
		f.values[name] = fileValue{value.Value, value.Line}
	}
}

// addList adds a setting that is a list, as the JSON text that its type parses.
func (f *configFile) addList(name string, value *yaml.Node) {
	var list []any
	if err := value.Decode(&list); err != nil {
		f.addFault(value.Line, name+" is not a valid list")
		return
	}
	text, err := json.Marshal(list)
	if err != nil {
		f.addFault(value.Line, name+" must have only texts as keys")
		return
	}
	f.values[name] = fileValue{string(text), value.Line}
}

// addWords adds a setting that is a list of words, as the text that its type parses.
func (f *configFile) addWords(name string, value *yaml.Node) {
	words := make([]string, len(value.Content))
	for i, one := range value.Content {
		if one.Kind != yaml.ScalarNode || len(splitList(one.Value)) != 1 {
			f.addFault(one.Line, name+" must be a list of words, such as [one, two]")
			return
		}
		words[i] = one.Value
	}
	f.values[name] = fileValue{strings.Join(words, ","), value.Line}
}

// addFault records a fault of a line.
func (f *configFile) addFault(line int, what string) {
	f.faults = append(f.faults, fmt.Sprintf("%s:%d: %s", f.path, line, what))
}

// findSetting returns the setting of that name.
func findSetting(name string) (settingField, bool) {
	for _, s := range listSettings() {
		if s.name == name {
			return s, true
		}
	}
	return settingField{}, false
}
