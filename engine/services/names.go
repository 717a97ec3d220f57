package services

import (
	"strings"
	"unicode"
)

// Step Functions calls services by the AWS SDK for Java 2, and its names are made by that SDK's rules. Models have
// ASCII names only.

// prefixOf returns the name of a service in Error Names, its client's name: "DynamoDb" of "DynamoDB", "Config"
// of "Config Service". In lower case it is the name in a Resource.
func prefixOf(id string) string {
	name := pascal(id)
	for _, word := range []string{"Amazon", "Aws"} {
		name = strings.TrimPrefix(name, word)
	}
	return strings.TrimSuffix(name, "Service")
}

// actionOf returns the name of an operation in a Resource: "stopDBInstance" of "StopDBInstance".
func actionOf(operation string) string { return uncapitalized(operation) }

// memberOf returns the name of a member: "DbInstanceIdentifier" of "DBInstanceIdentifier", "LaunchType" of "launchType".
func memberOf(name string) string { return Capitalized(uncapitalized(name)) }

// errorOf returns the name of an error behind the service's: "NoSuchKeyException" of "NoSuchKey". It always ends in
// Exception.
func errorOf(shape string) string {
	const suffix = "Exception"
	if strings.HasSuffix(shape, suffix) {
		return pascal(shape)
	}
	return pascal(strings.TrimSuffix(shape, "Fault")) + suffix
}

// Capitalized returns a name with a capital letter at its beginning.
func Capitalized(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// uncapitalized writes the capital letters at the beginning of a name small, but for one that begins the next word.
func uncapitalized(name string) string {
	small := []byte(name)
	for i := range small {
		if i > 0 && (!capital(small[i]) || i+1 < len(small) && lower(small[i+1])) {
			break
		}
		small[i] = byte(unicode.ToLower(rune(small[i])))
	}
	return string(small)
}

// pascal returns the words of a name, each with one capital letter.
func pascal(name string) string {
	var out strings.Builder
	for _, word := range words(name) {
		out.WriteString(Capitalized(strings.ToLower(word)))
	}
	return out.String()
}

// words splits a name at characters that are neither letter nor digit, before a word that begins inside (Acm|Success, ACM|Success),
// after a number (s3|ec2), and before the letter of a version (SES|v2).
func words(name string) []string {
	var list []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !lower(byte(r)) && !capital(byte(r)) && !digit(byte(r))
	}) {
		begin := 0
		for i := 1; i < len(part); i++ {
			if boundary(part, i) {
				list = append(list, part[begin:i])
				begin = i
			}
		}
		list = append(list, part[begin:])
	}
	return list
}

// boundary reports whether a word begins at i.
func boundary(s string, i int) bool {
	before, at := s[i-1], s[i]
	var after byte
	if i+1 < len(s) {
		after = s[i+1]
	}
	switch {
	case lower(before) && capital(at) && after != 0: // AcmSuccess; a last letter alone begins no word: IoT
		return true
	case capital(before) && capital(at) && lower(after) && !(after == 'v' && i+2 < len(s) && digit(s[i+2])): // ACMSuccess, but not the v of SESv2
		return true
	case digit(before) && !digit(at): // s3ec2
		return true
	case at == 'v' && digit(after): // SESv2
		return i >= 2 && !lower(before) && !lower(s[i-2])
	case at == 'V' && digit(after): // TestV4
		return i >= 2 && !capital(before) && !capital(s[i-2])
	}
	return false
}

func lower(c byte) bool   { return 'a' <= c && c <= 'z' }
func capital(c byte) bool { return 'A' <= c && c <= 'Z' }
func digit(c byte) bool   { return '0' <= c && c <= '9' }
