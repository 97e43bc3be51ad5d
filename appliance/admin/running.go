package admin

import "context"

// Running tells whether an appliance answers on the data folder dir.
func Running(ctx context.Context, dir string) bool {
	conn, err := dial(ctx, dir)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
