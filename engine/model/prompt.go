package model

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// tensorPrompt is the input with the prompt's index, [1], of a graph that this package wrote.
const tensorPrompt = "prompt"

// PromptKernelConfig describes a model whose output depends on the language that is asked for.
type PromptKernelConfig struct {
	Languages map[string]int `json:"languages"` // language, as en-US, ar or auto → index of its prompt
	Usual     string         `json:"usual"`     // the language of requests that name none
}

// promptKernel is NeMo's prompt kernel: two products with ReLU between them over a frame and the one-hot vector of a
// language. The vector selects a row of the first product, which is its bias here.
type promptKernel struct {
	in    affineMap   // over the frame, without bias
	rows  graphTensor // [prompts, 2D], bias included
	out   affineMap
	usual int64 // index of the usual language
}

// readPrompt reads the prompt kernel; nil if the checkpoint has none.
func (im *checkpointImporter) readPrompt() *promptKernel {
	shape := im.checkpoint.TensorShape("prompt_kernel.0.weight")
	if shape == nil || im.err != nil {
		return nil
	}
	prompts, width := int64(im.checkpoint.Prompts.Count), int64(im.width)
	if len(shape) != 2 || shape[1] != width+prompts || len(im.checkpoint.Prompts.Languages) == 0 {
		im.err = fmt.Errorf("the prompt kernel has the shape %v, %d frames' numbers, %d prompts and %d languages; "+
			"want [·, numbers + prompts] and model_defaults.prompt_dictionary",
			shape, width, prompts, len(im.checkpoint.Prompts.Languages))
		return nil
	}
	inner := shape[0]
	w, bias := im.readMatrix("prompt_kernel.0.weight", inner, width+prompts), im.readNumbers("prompt_kernel.0.bias", inner)
	if im.err != nil {
		return nil
	}
	frame, rows := w[:width*inner], w[width*inner:]
	for i := range rows {
		rows[i] += bias[i%len(bias)]
	}
	config := im.promptConfigOf()
	return &promptKernel{
		usual: int64(config.Languages[config.Usual]),
		in:    im.storeProduct(frame, nil, int(width), int(inner)),
		rows:  im.weights.putFloats(rows, prompts, inner),
		out:   im.readLinear("prompt_kernel.2", int(inner), int(width)),
	}
}

// emitPrompt computes the kernel over frames x, [T', D].
func (e *graphEmitter) emitPrompt(p *promptKernel, x string) string {
	row := e.emitOp("Gather", []string{e.emitWeight(p.rows), tensorPrompt}, intAttribute("axis", 0))
	x = e.emitOp("Relu", []string{e.emitOp("Add", []string{e.emitAffine(p.in, x, 1), row})})
	return e.emitAffine(p.out, x, 1)
}

// promptConfigOf returns the model folder's description of a checkpoint's prompts; nil without a kernel.
func (im *checkpointImporter) promptConfigOf() *PromptKernelConfig {
	if !im.checkpoint.HasTensor("prompt_kernel.0.weight") {
		return nil
	}
	c := &PromptKernelConfig{Languages: im.checkpoint.Prompts.Languages}
	for _, usual := range []string{"ar", "auto"} {
		if c.Usual = c.findLanguage(usual); c.Usual != "" {
			return c
		}
	}
	c.Usual = slices.Min(slices.Collect(maps.Keys(c.Languages)))
	return c
}

// findLanguage returns the prompt of a language or locale: of this name, else of the language of the locale, else the
// first locale of the language. Empty: there is none.
func (c *PromptKernelConfig) findLanguage(language string) string {
	names := slices.SortedFunc(maps.Keys(c.Languages), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Languages[a], c.Languages[b]), cmp.Compare(a, b))
	})
	base, _, _ := strings.Cut(language, "-")
	for _, fits := range []func(name string) bool{
		func(name string) bool { return strings.EqualFold(name, language) },
		func(name string) bool { return strings.EqualFold(name, base) },
		func(name string) bool {
			of, _, _ := strings.Cut(name, "-")
			return strings.EqualFold(of, language)
		},
	} {
		if i := slices.IndexFunc(names, fits); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// checkBounds checks the dictionary of a model folder.
func (c *PromptKernelConfig) checkBounds() error {
	if c == nil {
		return nil
	}
	for name, index := range c.Languages {
		if index < 0 || index >= maxPrompts {
			return fmt.Errorf("munadi.json: prompts has index %d for %q, want 0 to %d", index, name, maxPrompts-1)
		}
	}
	if _, ok := c.Languages[c.Usual]; !ok {
		return fmt.Errorf("munadi.json: prompts has the usual language %q, which is not in its list", c.Usual)
	}
	return nil
}

// maxPrompts is the largest number of prompts of a model.
const maxPrompts = 4096

// localeForm is the form of a language tag (BCP 47).
var localeForm = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$`)

// HasLanguage reports whether the model transcribes a language or locale that a request names. A model without prompts
// has the one that it was trained for: Arabic here, of any locale.
func (m *SpeechModel) HasLanguage(language string) bool {
	if m.Prompts == nil {
		base, _, _ := strings.Cut(language, "-")
		return language == "" || strings.EqualFold(base, "ar") && localeForm.MatchString(language)
	}
	name := m.Prompts.findLanguage(language)
	return language == "" || name != "" && (strings.EqualFold(name, language) || localeForm.MatchString(language))
}

// LanguageNames returns the languages and locales that requests may name, sorted: en for en-US, too.
func (m *SpeechModel) LanguageNames() []string {
	if m.Prompts == nil {
		return []string{"ar"}
	}
	names := slices.Collect(maps.Keys(m.Prompts.Languages))
	for _, locale := range names {
		base, _, _ := strings.Cut(locale, "-")
		names = append(names, base)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// UsualLanguage returns the language of requests that name none.
func (m *SpeechModel) UsualLanguage() string {
	if m.Prompts == nil {
		return "ar"
	}
	return m.Prompts.Usual
}

// promptIndex returns the index of a language's prompt; of the usual one if it is empty or unknown.
func (m *SpeechModel) promptIndex(language string) int64 {
	c := m.Prompts
	if name := c.findLanguage(language); language != "" && name != "" {
		return int64(c.Languages[name])
	}
	return int64(c.Languages[c.Usual])
}
