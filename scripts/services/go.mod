module generate-services

go 1.26.0

require (
	asldb v0.0.0
	github.com/andybalholm/brotli v1.1.1
	github.com/aws/aws-sdk-go v1.55.8
)

require (
	github.com/clipperhouse/stringish v0.1.1 // indirect
	github.com/clipperhouse/uax29/v2 v2.5.0 // indirect
	github.com/mattn/go-runewidth v0.0.19 // indirect
)

replace asldb => ../..
