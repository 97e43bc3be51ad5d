// Package modelshare keeps the installed speech models of all appliances in the bucket that they share: a model that is
// installed on one is uploaded, fetched by the others and verified, and the selection of one is followed by all.
//
//	record.go   what the bucket holds of a model, and the selection
//	state.go    what this appliance has last seen of both
//	read.go     the records and the selection in the bucket
//	worker.go   the rounds: compare the models' folder with the bucket
//	upload.go   uploads a model to the bucket
//	fetch.go    downloads a model from the bucket
//	remove.go   a model that is removed
//	select.go   which model serves
//	status.go   for the system page, doctor and the health status
//
// In the bucket:
//
//	models/index/NAME.json             the record of a model: its revision and files; written last, removed first
//	models/files/NAME/REVISION/FILE    its files; the revision is a digest over their names, sizes and SHA-256
//	models/selected.json               the selection
//
// Every appliance fetches all models, so that it can switch at once and go on while the bucket is away. A model that
// was removed leaves the bucket when no appliance uses it any more. An object of the bucket is untrusted input.
package modelshare
