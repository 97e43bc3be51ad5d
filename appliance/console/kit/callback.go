package kit

import "munadi/store/account"

// RingsVisitor reports whether the visitor may call people back by an extension of their own.
func RingsVisitor(v Visitor) bool {
	return v.User.Extension != "" && v.User.Role.Allows(account.Operator)
}
