// Package modelshare synchronizes the installed speech models of all appliances through their shared bucket: a model
// that is installed on one is uploaded, downloaded by the others and verified, and all follow the selection of one.
//
//	record.go   a model's record in the bucket, and the selection; the last seen state of both
//	read.go     the records and the selection in the bucket; the serving model
//	worker.go   the rounds: compare the models' folder with the bucket
//	upload.go   uploads a model to the bucket, and removes one
//	fetch.go    downloads a model from the bucket
//	status.go   for the system page, doctor and the health status
//
// In the bucket:
//
//	models/index/NAME.json             the record of a model: its revision and files; written last, removed first
//	models/files/NAME/REVISION/FILE    its files; the revision is a digest over their names, sizes and SHA-256
//	models/selected.json               the selection
//
// Every appliance downloads all models, so that it can switch at once and continue while the bucket is unreachable. A
// removed model is deleted from the bucket when no appliance uses it any more. Objects of the bucket are untrusted
// input.
package modelshare
