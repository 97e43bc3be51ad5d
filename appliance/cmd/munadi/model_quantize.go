package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"munadi/appliance/config"
	"munadi/appliance/models"
	"munadi/appliance/models/modelinstall"
)

// ModelQuantizeCmd is munadi model quantize NAME.
type ModelQuantizeCmd struct {
	Model       string `arg:"" name:"model" placeholder:"NAME" help:"An installed model's name."`
	As          string `name:"name" placeholder:"NAME" help:"Name of the 8-bit form; default: NAME-int8."`
	AnyLanguage bool   `help:"Install a model that does not recognize Arabic."`
}

// Run converts the model's weights to 8 bits, tests both forms and installs the second one. The selection stays.
func (m *ModelQuantizeCmd) Run(ctx context.Context, cfg *config.Config, out io.Writer) error {
	if m.As == "" {
		m.As = modelinstall.Int8Name(m.Model)
	}
	s := models.OpenFolder(cfg.Data)
	if err := errors.Join(checkOwner(cfg), s.CheckInstalled(m.Model), s.CheckNameFree(m.As)); err != nil {
		return err
	}
	o := modelinstall.InstallOptions{Name: m.As, AnyLanguage: m.AnyLanguage, Int8: true, Beside: true}
	if _, err := storeModel(ctx, cfg, s.Folder(m.Model), o, nil, out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s is installed beside %s and not in use. To use it: munadi model use %[1]s\n",
		m.As, m.Model)
	return err
}
