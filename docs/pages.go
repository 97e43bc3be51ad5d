// Package docs embeds the documentation, which the console shows (appliance/manual).
package docs

import "embed"

// Pages are the pages as Markdown: English ones, and Arabic ones below ar.
//
//go:embed *.md ar/*.md
var Pages embed.FS
