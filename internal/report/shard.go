package report

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"asldb/internal/wording"
)

// Shard is one of N shares of the inputs of a command: every Nth of them, from the Kth on. The zero Shard has all.
type Shard struct{ K, N int }

// ParseShard reads a shard as [Shard.String] writes it.
func ParseShard(text string) (s Shard, ok bool) {
	k, n, _ := strings.Cut(text, "/")
	s.K, _ = strconv.Atoi(k) // another text than a number is not written as it was read
	s.N, _ = strconv.Atoi(n)
	return s, s.K >= 1 && s.K <= s.N && s.String() == text
}

// String returns "2/8"; of all inputs nothing.
func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.K, s.N)
}

// Has reports whether an input is in the shard, by its index among all.
func (s Shard) Has(i int) bool { return s.N == 0 || i%s.N == s.K-1 }

// ShardHead has the members of the JSON of a shard by which the others are told that belong to it.
type ShardHead struct {
	Shard string `json:"shard"`
	// Inputs is a digest of all inputs, also of the ones of other shards.
	Inputs string `json:"inputs"`
}

// Head returns the head of a shard of inputs that are told apart by texts; nil of all inputs.
func (s Shard) Head(inputs ...string) *ShardHead {
	if s.N == 0 {
		return nil
	}
	return &ShardHead{s.String(), Digest(inputs...)}
}

// ShardFile is a file with the result of a shard.
type ShardFile struct {
	Name string
	Data []byte
}

// maxMissing bounds how many missing shards an error names.
const maxMissing = 5

// InOrder returns the indexes of shards in their order, by the files that have them and their heads. The error says
// which of the shards is missing, is there twice or belongs to others.
func InOrder(list []ShardFile, heads []*ShardHead) ([]int, error) {
	at := make(map[int]int, len(list))
	first := Shard{}
	for i, head := range heads {
		s, ok := ParseShard(head.Shard)
		other, twice := at[s.K]
		switch first = cmp.Or(first, s); {
		case !ok:
			return nil, fmt.Errorf("%s: it is the shard K/N, and not %q", list[i].Name, wording.Clip(head.Shard, 40))
		case s.N != first.N:
			return nil, fmt.Errorf("%s is the shard %s, and %s the shard %s", list[0].Name, first, list[i].Name, s)
		case head.Inputs != heads[0].Inputs:
			return nil, fmt.Errorf("%s and %s are shards of other inputs", list[0].Name, list[i].Name)
		case twice:
			return nil, fmt.Errorf("%s and %s are both the shard %s", list[other].Name, list[i].Name, s)
		}
		at[s.K] = i
	}
	var missing []string
	order := make([]int, 0, len(list))
	for k := 1; k <= first.N && len(missing) < maxMissing; k++ {
		if i, ok := at[k]; ok {
			order = append(order, i)
		} else {
			missing = append(missing, Shard{k, first.N}.String())
		}
	}
	switch more := first.N - len(at) - len(missing); {
	case more > 0:
		missing = append(missing, wording.Count(more, "other"))
		fallthrough
	case len(missing) > 1:
		return nil, fmt.Errorf("the shards %s are missing", wording.And(missing))
	case len(missing) == 1:
		return nil, errors.New("the shard " + missing[0] + " is missing")
	}
	return order, nil
}
