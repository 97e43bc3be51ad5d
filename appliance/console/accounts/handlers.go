// Package accounts is the console's pages about people: sign-in, set-up, the own account, users, organizations.
package accounts

import (
	"munadi/appliance/console/kit"
	"munadi/ui/models"
)

// Parts is what the section needs beside what all share.
type Parts struct {
	// OfferModel returns the offer of the recommended model for the set-up; nil if a model was chosen already.
	OfferModel func() *models.PitchView
	// Company is the company's identity provider; nil: there is none.
	Company CompanyProvider
}

// handlers are the section's pages and actions.
type handlers struct {
	*kit.Console
	Parts
}
