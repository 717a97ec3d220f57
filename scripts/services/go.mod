module generate-services

go 1.26.0

require (
	asldb v0.0.0
	github.com/aws/aws-sdk-go v1.55.8
)

require github.com/klauspost/compress v1.20.3 // indirect

replace asldb => ../..
