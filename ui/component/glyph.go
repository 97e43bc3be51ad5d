package component

// Glyphs of [Icon] as path data on the 24-pixel grid of the other icons, drawn as lines.
func glyphPath(name string) string {
	return map[string]string{
		// sections
		"dashboard": "M4 20V11M10 20V5M16 20v-7M21 20H3",
		"calls":     phone,
		"queue":     "M12 3.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM5 20.5c.6-4 3.2-6 7-6 1.6 0 3 .4 4.1 1.1M18 15v3.5M18 20.8v.2",
		"pencil":    "M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM14 7l3 3",
		"campaigns": "M4 9.5v5h3l8 4.5v-14l-8 4.5zM7 14.5v5h2.5v-4M18 9.5a3.5 3.5 0 0 1 0 5",
		"live":      "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
		"reports":   "M5 3.5h9l5 5v12H5zM9 17v-4M12 17v-7M15 17v-2.5",
		"workbench": "M3 12h2l2-6 3 13 3-16 3 14 2-5h3",
		"scenarios": "M5 4h9l5 5v11H5zM14 4v5h5M8.5 13h7M8.5 16.5h5",
		"replays":   "M4.5 12a7.5 7.5 0 1 0 2.5-5.6M4 4v4h4M10.5 9v6l5-3z",
		"rules":     "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
		"phrases":   "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
		"webhook":   "M3 12h13M11 7l5 5-5 5M20 5v14",
		"inbound":   phone + "M20 4l-6 6M14 5.5V10h4.5",
		"keys":      "M11.5 12.5 20 4M16.5 7.5 19 10M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
		"users":     "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M17.5 14a6.5 6.5 0 0 1 4 6",
		"audit":     "M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4",
		"system":    "M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.2M7.5 16h.2",
		"alerts":    "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4",
		"help":      "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM9.8 9.5a2.3 2.3 0 1 1 3.3 2.1c-.8.4-1.1.9-1.1 1.9M12 16.5v.2",
		"more":      "M5 12h.2M12 12h.2M19 12h.2",
		"person":    "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0",
		"leave":     "M10 4H5v16h5M15 8l4 4-4 4M19 12H9",

		"destinations": "M3.5 12H9M9 12l6.5-6.5M9 12l6.5 6.5M15.5 3.5h5v5h-5zM15.5 15.5h5v5h-5z",

		// states of calls and deliveries
		"scheduled":        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
		"dialing":          phone + "M15 4.5a5 5 0 0 1 4.5 4.5M15 8a1.5 1.5 0 0 1 1 1",
		"in_progress":      "M4 10v4M8 6v12M12 9v6M16 4v16M20 10v4",
		"completed":        "m4.5 12.5 5 5 10-11",
		"no_answer":        "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12h8",
		"user_rejected":    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9l6 6M15 9l-6 6",
		"user_unavailable": "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.8 5.8l12.4 12.4",
		"automation":       "M5 9h14v10H5zM12 9V5M9 13.5h.2M15 13.5h.2M10 16.5h4",
		"failed":           warning,
		"running":          "M4 10v4M8 6v12M12 9v6M16 4v16M20 10v4",
		"stopped":          "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5h5v5h-5z",
		"cancelled":        "M6 6l12 12M18 6 6 18",
		// what buttons and notices say
		"warn":     warning,
		"plus":     "M12 5v14M5 12h14",
		"search":   "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20.5 20.5",
		"forward":  "m9 5 7 7-7 7",
		"back":     "m15 5-7 7 7 7",
		"download": "M12 4.5V16M7.5 11.5 12 16l4.5-4.5M4.5 19.5h15",
		"upload":   "M12 16V4.5M7.5 9 12 4.5 16.5 9M4.5 19.5h15",
		"repeat":   "M4 11a8 8 0 0 1 14-4.5L20 9M20 4v5h-5M20 13a8 8 0 0 1-14 4.5L4 15M4 20v-5h5",
		"disk":     "M4 6.5C4 5 7.6 4 12 4s8 1 8 2.5S16.4 9 12 9 4 8 4 6.5zM4 6.5v11C4 19 7.6 20 12 20s8-1 8-2.5v-11M4 12c0 1.5 3.6 2.5 8 2.5s8-1 8-2.5",
		"shield":   "M12 3.5 5 6v6c0 4.5 3 7.3 7 8.5 4-1.2 7-4 7-8.5V6z",
		"trash":    "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
		"edit":     "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
		"eye":      "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
		"copy":     "M9 9h10v10H9zM15 9V5H5v10h4",
		"hear":     "M8 5.5v13l10.5-6.5z",
		"silent":   "M6 12h12",
		"pause":    "M9 5.5v13M15 5.5v13",
		"history":  "M4 5v4h4M4.6 9A8.5 8.5 0 1 1 3.5 13M12 8v4.5l3 2",
		"up":       "m5 15 7-7 7 7",
		"down":     "m5 9 7 7 7-7",
		"send":     "M4 12h14M12 6l6 6-6 6",
		"info":     "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.8v.2",
	}[name]
}

const (
	phone   = "M6.5 3.5 9 4l1 4-2 1.5a12 12 0 0 0 6.5 6.5l1.5-2 4 1 .5 2.5c-.3 1.8-1.6 3-3.5 3C10 20.5 3.5 14 3.5 7c0-1.9 1.2-3.2 3-3.5z"
	warning = "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2"
)

// HasGlyph reports whether there is a glyph of that name.
func HasGlyph(name string) bool { return glyphPath(name) != "" }

// stateAlias maps states to others with the same glyph.
func stateAlias(name string) string {
	other := map[string]string{
		"pending": "scheduled", "queued": "scheduled", "delivered": "completed", "good": "completed",
		"talking": "in_progress", "unanswered": "no_answer", "bad": "failed", "none": "no_answer", "quiet": "info",
		"running": "in_progress", "paused": "pause", "finished": "completed",
	}[name]
	if other != "" {
		return other
	}
	return name
}
