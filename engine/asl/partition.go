package asl

import "strings"

// Partitions are the partitions of AWS, with the beginnings of the names of their regions; aws has all others. The
// table is never changed.
var Partitions = []struct{ Name, Regions string }{
	{"aws-cn", "cn-"}, {"aws-us-gov", "us-gov-"}, {"aws-iso", "us-iso-"}, {"aws-iso-b", "us-isob-"},
	{"aws-iso-e", "eu-isoe-"}, {"aws-iso-f", "us-isof-"}, {"aws-eusc", "eusc-"}, {"aws", ""},
}

// PartitionOf returns the partition of a region.
func PartitionOf(region string) string {
	for _, p := range Partitions {
		if strings.HasPrefix(region, p.Regions) {
			return p.Name
		}
	}
	return ""
}
