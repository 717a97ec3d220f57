package smithy

import "strings"

// prelude is the namespace of the shapes that every model has (section "Prelude").
const prelude = "smithy.api#"

// Unit is the id of the shape of an operation that takes or gives nothing.
const Unit = prelude + "Unit"

// The names of the prelude: its simple shapes, then its traits.
const preludeNames = ` Blob Boolean Document String Byte Short Integer Long Float Double BigInteger BigDecimal Timestamp Unit
 PrimitiveBoolean PrimitiveByte PrimitiveShort PrimitiveInteger PrimitiveLong PrimitiveFloat PrimitiveDouble
 addedDefault auth authDefinition box clientOptional cors data default deprecated documentation endpoint enum enumValue error
 eventHeader eventPayload examples externalDocumentation hostLabel http httpApiKeyAuth httpBasicAuth httpBearerAuth
 httpChecksumRequired httpDigestAuth httpError httpHeader httpLabel httpPayload httpPrefixHeaders httpQuery httpQueryParams
 httpResponseCode idRef idempotencyToken idempotent input internal jsonName length mediaType mixin nestedProperties noReplace
 notProperty optionalAuth output paginated pattern private property protocolDefinition range readonly recommended references
 required requiresLength resourceIdentifier retryable sensitive since sparse streaming suppress tags timestampFormat title trait
 traitValidators unitsOf uniqueItems unstable xmlAttribute xmlFlattened xmlName xmlNamespace `

var preludeSet = func() map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(preludeNames) {
		set[name] = true
	}
	return set
}()

func isPrelude(name string) bool { return preludeSet[name] }
