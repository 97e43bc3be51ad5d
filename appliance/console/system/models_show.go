package system

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/appliance/modelhub"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/appliance/models/modeljob"
	"munadi/appliance/models/modelshare"
	"munadi/ui/locale"
	"munadi/ui/models"
)

// modelsCardView returns the part of the system page about speech models.
func modelsCardView(o modeljob.ModelOverview, l locale.Language) *models.CardView {
	card := &models.CardView{Fixed: o.Fixed, Hub: o.Hub, Demo: o.BuiltIn, Job: jobView(o, l)}
	card.Shared = sharedModelsView(o.Shared, l)
	card.Installed = []models.InstalledRow{
		{Title: models.BuiltIn.In(l), From: models.FromProgram.In(l), InUse: o.BuiltIn, BuiltIn: true},
	}
	for _, m := range o.Installed {
		row := installedRow(m, l)
		row.Quantizable = canQuantize(o, m)
		card.Installed = append(card.Installed, row)
	}
	for _, k := range modelhub.KnownModels() {
		card.Known = append(card.Known, knownRow(k, o, l))
	}
	return card
}

// sharedModelsView returns the status of the models that all appliances share; nil if they are not shared.
func sharedModelsView(s *modelshare.ShareStatus, l locale.Language) *models.SharedModels {
	if s == nil {
		return nil
	}
	v := &models.SharedModels{
		Bucket: s.Bucket, Count: len(s.Models), Away: s.Away, NeverSeen: s.Seen.IsZero(),
	}
	for _, p := range s.Problems {
		v.Problems = append(v.Problems, sharedProblemView(p, l))
	}
	if t := s.Transfer; t != nil {
		text := models.Fetching.In(l)
		if t.Upload {
			text = models.Sending.In(l)
		}
		done, size := kit.IsolateText(kit.FormatSize(t.Done)), kit.IsolateText(kit.FormatSize(t.Size))
		v.Moving = locale.FillBlanks(text, kit.IsolateText(t.Name), done, size)
		v.Percent = int(100 * t.Done / max(t.Size, 1))
	}
	return v
}

// sharedProblemView returns the fault of a shared model, in the page's language.
func sharedProblemView(p modelshare.ShareProblem, l locale.Language) models.SharedProblem {
	text := locale.FillBlanks(
		models.ShareProblems.Word(l, string(p.Kind)), kit.IsolateText(cmp.Or(p.Model, models.BuiltIn.In(l))),
		kit.IsolateText(kit.FormatSize(p.Need)), kit.IsolateText(kit.FormatSize(p.Free)))
	return models.SharedProblem{Text: text, Detail: p.Detail}
}

// jobView returns the running installation, or the last one.
func jobView(o modeljob.ModelOverview, l locale.Language) *models.JobView {
	j := o.Job
	if j == nil {
		return nil
	}
	v := &models.JobView{Name: j.Name, Phase: string(j.Phase), Offline: j.Offline}
	v.Fault, v.Detail = describeInstallFault(j.Kind, j.Fault, l)
	if j.Size > 0 {
		v.Done, v.Size, v.Percent = kit.FormatSize(j.Done), kit.FormatSize(j.Size), int(100*j.Done/j.Size)
	} else {
		v.Done, v.Size = kit.FormatSize(j.Done), "…"
	}
	for _, m := range o.Installed {
		if m.Name == j.Name {
			v.InUse, v.Compared = m.InUse, comparedLine(m.Report, l)
		}
	}
	return v
}

// canQuantize reports whether an 8-bit form of an installed model can be added.
func canQuantize(o modeljob.ModelOverview, m modeljob.InstalledModel) bool {
	if m.Report == nil || m.Report.HasInt8() || o.Job != nil && o.Job.Phase.IsActive() {
		return false
	}
	return !slices.ContainsFunc(o.Installed, func(other modeljob.InstalledModel) bool {
		return other.Name == modelinstall.Int8Name(m.Name)
	})
}

// comparedLine returns how a model's 8-bit form differs from its original; empty for others. Memory is left out: what a
// serving process grows by says little about a model.
func comparedLine(r *modelcheck.TrialReport, l locale.Language) string {
	if r == nil || r.Original == nil {
		return ""
	}
	second := func(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 3, 64) }
	o := r.Original
	return locale.FillBlanks(models.ComparedLine.In(l),
		kit.IsolateText(kit.FormatSize(r.Bytes)), kit.IsolateText(kit.FormatSize(o.Bytes)),
		second(r.RealTimeFactor()), second(o.RealTime),
		strconv.Itoa(r.Scores[0].WordErrors), strconv.Itoa(o.Score.WordErrors),
		strconv.Itoa(len(o.Changed)), strconv.Itoa(len(r.Clips)))
}

// describeInstallFault returns why a model was not installed, in the page's language, with the message of the program
// or the hub as detail; without detail if the sentence is complete.
func describeInstallFault(kind, message string, l locale.Language) (sentence, detail string) {
	if message == "" {
		return "", ""
	}
	if sentence = models.InstallFaults.Word(l, kind); sentence != "" {
		return sentence, message
	}
	return locale.ModelFault(l, message), ""
}

func installedRow(m modeljob.InstalledModel, l locale.Language) models.InstalledRow {
	row := models.InstalledRow{
		Name: m.Name, Title: m.Name, Size: kit.FormatSize(m.Bytes), From: models.FromFile.In(l), InUse: m.InUse,
	}
	if m.Source != nil {
		row.From = m.Source.Name + " · " + m.Source.License
	}
	if r := m.Report; r != nil && len(r.Scores) > 0 {
		row.Measured = locale.FillBlanks(models.MeasuredLine.In(l), strconv.Itoa(r.Scores[0].WordErrors),
			strconv.Itoa(r.Scores[0].Words), strconv.FormatFloat(r.RealTimeFactor(), 'f', 2, 64))
	}
	row.Compared = comparedLine(m.Report, l)
	return row
}

func knownRow(k modelhub.KnownModel, o modeljob.ModelOverview, l locale.Language) models.KnownRow {
	row := models.KnownRow{
		Name: k.Name, About: modelDescription(k, l), License: k.License, Size: k.DownloadSize(),
		Rates: rateLines(k, l),
	}
	var languages []string
	for _, code := range k.Languages {
		languages = append(languages, models.LanguageName(l, code))
	}
	row.Languages = strings.Join(languages, locale.ListComma(l))
	for _, m := range o.Installed {
		row.Installed = row.Installed || m.Source != nil && m.Source.Name == k.Name
	}
	return row
}

// modelDescription returns the description of a known model in a language.
func modelDescription(k modelhub.KnownModel, l locale.Language) string {
	if l == locale.Arabic {
		return k.AboutArabic
	}
	return k.About
}

func rateLines(k modelhub.KnownModel, l locale.Language) []string {
	var lines []string
	for _, r := range k.Rates {
		lines = append(lines, locale.FillBlanks(models.RateLine.In(l), strconv.FormatFloat(r.WER, 'g', -1, 64),
			kit.IsolateText(rateWhat(r, l)), kit.IsolateText(models.RateSource(l, r.Source))))
	}
	return lines
}

// rateWhat returns what a published error rate was measured on, in a language.
func rateWhat(r modelhub.PublishedRate, l locale.Language) string {
	if l == locale.Arabic {
		return r.WhatArabic
	}
	return r.What
}

// RecommendOffer returns the offer of the recommended model for the set-up page; nil if a model was chosen already.
func RecommendOffer(known SpeechModels) *models.PitchView {
	if o := known.DescribeModels(); !o.BuiltIn || o.Job != nil || len(o.Installed) > 0 {
		return nil
	}
	k := recommendedModel()
	return &models.PitchView{Model: k.Name, License: k.License, Size: k.DownloadSize()}
}
