package items

import "asldb/engine/asl"

// Role is the part of an object in a dataset.
type Role uint8

// The roles.
const (
	// Data is an object with items.
	Data Role = iota
	// Listing is a list of objects whose descriptions are the items.
	Listing
	// ListingToRead is a list of objects that are read.
	ListingToRead
	// AthenaManifest is a manifest of Athena's UNLOAD: a line with the URI of an object each.
	AthenaManifest
	// InventoryManifest is the manifest.json of an Amazon S3 inventory.
	InventoryManifest
	// InventoryFile is a file that such a manifest names: rows without a header.
	InventoryFile
)

// RoleOf returns the role of an object that the reading of a dataset asks for. first reports whether it is the object that the
// ItemReader itself names.
func RoleOf(config *asl.ReaderConfig, action Action, first bool) Role {
	inventory := config.InputType == asl.InputManifest || config.ManifestType == asl.ManifestInventory
	switch {
	case action == ListObjectsV2 && config.Transformation == asl.LoadFlatten:
		return ListingToRead
	case action == ListObjectsV2:
		return Listing
	case config.ManifestType == asl.ManifestAthena && first:
		return AthenaManifest
	case config.ManifestType == asl.ManifestAthena:
		return Data
	case inventory && first:
		return InventoryManifest
	case inventory:
		return InventoryFile
	}
	return Data
}

// NamesObjects reports whether an object of the role names other objects, which are read next.
func (r Role) NamesObjects() bool {
	return r == ListingToRead || r == AthenaManifest || r == InventoryManifest
}
