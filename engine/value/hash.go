package value

import (
	"hash/maphash"
	"math"
)

// seed makes the hashes of a process its own, so that no data can be made whose hashes all meet.
var seed = maphash.MakeSeed()

// Constants that distinguish the kinds in a hash.
const (
	nullHash   = 0x9ae16a3b2f90404f
	falseHash  = 0xc949c7defebb8c10
	trueHash   = 0xb492b66fbe98f273
	arrayHash  = 0xff51afd7ed558ccd
	objectHash = 0xc4ceb9fe1a85ec53
)

// Hash returns a number that is the same for values that are [Equal]: numbers by value, objects without regard to the
// order of their members. It differs from one process to the next.
func Hash(v Value) uint64 {
	switch v := v.(type) {
	case Bool:
		if v {
			return trueHash
		}
		return falseHash
	case String:
		return maphash.String(seed, string(v))
	case Number:
		return mix(math.Float64bits(v.Float64() + 0)) // -0 equals 0
	case *Array:
		h := uint64(arrayHash)
		for _, item := range v.items {
			h = mix(h ^ Hash(item))
		}
		return h
	case *Object:
		h := uint64(objectHash)
		for i := range v.members {
			h += mix(maphash.String(seed, v.members[i].Key) ^ mix(Hash(v.members[i].Value)+1))
		}
		return mix(h)
	}
	return nullHash
}

// mix spreads every bit over the whole (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
