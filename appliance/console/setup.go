package console

// SetUpPath is the path of the set-up link, without its token.
const SetUpPath = Root + "/setup/"
