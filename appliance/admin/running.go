package admin

import "context"

// IsRunning reports whether an appliance answers on the data folder dir.
func IsRunning(ctx context.Context, dir string) bool {
	conn, err := dialSocket(ctx, dir)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
