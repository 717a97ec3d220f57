// Package services is the table of the operations of all services that Step Functions calls by the AWS SDK
// (arn:aws:states:::aws-sdk:SERVICE:ACTION): their parameters and results with types, required members, bounds and
// enumerations, and the errors that they raise. Names are those of Step Functions, not those of the services' own models.
//
// The table holds facts only, taken by the command in scripts/services from the API models of the AWS SDK for Go
// (module github.com/aws/aws-sdk-go v1.55.8, models/apis, Apache License 2.0), the last release of that SDK. The release
// is of [Date]; its models were last updated in [Newest]. What is newer is not in the table: that a service,
// an operation, a member or a word of an enumeration is missing is no proof that there is none.
//
// Nothing is read before the first [Find], which reads the index and that one service. All functions can be called from
// several goroutines at once; their results are shared and must not be changed.
package services

// Module is the Go module that the table was made of, with its version.
const Module = "github.com/aws/aws-sdk-go v1.55.8"

// Date is the month of the release that the table was made of, as messages name it.
const Date = "July 2025"

// Newest is the month of the newest model in that release.
const Newest = "July 2024"
