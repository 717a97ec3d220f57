// Package services is the table of the operations of all services that Step Functions calls by the AWS SDK
// (arn:aws:states:::aws-sdk:SERVICE:ACTION): their parameters and results with types, required members, bounds and
// enumerations, and the errors that they raise. Names are Step Functions' names, not the names in the services' own
// models.
//
// The table holds facts only, taken by the command in scripts/services from the API models of the AWS SDK for Go
// (v1.55.8, its last release, with models of July 2024) and from the newer modules of the AWS SDK for Go 2 that are
// listed there, both under the Apache License 2.0. Newer modules have operations, members and the words of
// enumerations, but no bounds: those are of the old model where it has the shape. [Service.Date] says of when a service
// is. What is newer is not in the table: that a service, an operation, a member or a word of an enumeration is missing
// does not prove that there is none.
//
// Nothing is read before the first [Find], which reads the index and that one service. All functions can be called from
// several goroutines at once; their results are shared and must not be changed.
package services

// Module names the Go modules that the table was made of.
const Module = "github.com/aws/aws-sdk-go v1.55.8 and newer modules of github.com/aws/aws-sdk-go-v2/service"
