package figures

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"asldb/engine/source"
	"asldb/engine/value"
	"asldb/internal/wording"
)

// Prices are the prices of the service in each region, from a file.
type Prices struct {
	// Currency is written after amounts: "USD".
	Currency string
	// Default is the region of executions that name none; empty: they have no price.
	Default string
	// Regions are the prices of each region.
	Regions map[string]*Price
}

// Price is the price of each unit; nil where there is none.
type Price struct{ Transition, Request, GBSecond *big.Rat }

// The keys of the prices in a region, with the number of units that a price is for.
var priceKeys = []struct {
	name  string
	units int64
	of    func(*Price) **big.Rat
}{
	{"per1000Transitions", 1000, func(p *Price) **big.Rat { return &p.Transition }},
	{"perMillionRequests", 1_000_000, func(p *Price) **big.Rat { return &p.Request }},
	{"perGBSecond", 1, func(p *Price) **big.Rat { return &p.GBSecond }},
	{"perGBHour", 3600, func(p *Price) **big.Rat { return &p.GBSecond }},
}

var fileKeys = []string{"version", "currency", "default", "regions"}

// PricesError is a problem of a file of prices.
type PricesError struct {
	File      string
	Line, Col int
	Msg       string
}

// Error implements error: "file:line:col: …".
func (e *PricesError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", wording.Line(e.File), e.Line, e.Col, e.Msg)
}

// ParsePrices reads a file of prices, in YAML or JSON. The error is a *[PricesError].
func ParsePrices(name string, data []byte) (*Prices, error) {
	r := &pricesReader{name: name, prices: &Prices{Regions: make(map[string]*Price)}}
	root, problem := source.ReadYAML(data, nil)
	if problem != nil {
		return nil, r.fault(problem.Span, "%s", problem.Message)
	}
	if err := r.file(root); err != nil {
		return nil, err
	}
	return r.prices, nil
}

type pricesReader struct {
	name   string
	prices *Prices
}

func (r *pricesReader) fault(at source.Span, format string, args ...any) error {
	return &PricesError{r.name, max(at.Start.Line, 1), max(at.Start.Col, 1), fmt.Sprintf(format, args...)}
}

func (r *pricesReader) file(root *source.Node) error {
	if root.Kind != value.KindObject {
		return r.fault(root.Span, "a file of prices is an object with the keys %s", strings.Join(fileKeys, ", "))
	}
	if err := r.known(root, "a file of prices", fileKeys); err != nil {
		return err
	}
	if v := root.Get("version"); v == nil || !value.Equal(v.Value, value.Int(1)) {
		return r.fault(root.Span, "a file of prices has version: 1")
	}
	for _, text := range []struct {
		key string
		to  *string
	}{{"currency", &r.prices.Currency}, {"default", &r.prices.Default}} {
		n := root.Get(text.key)
		if n == nil {
			continue
		}
		name, ok := n.Value.(value.String)
		if !ok || name == "" {
			return r.fault(n.Span, "%s is a text", text.key)
		}
		*text.to = string(name)
	}
	regions := root.Get("regions")
	if regions == nil || regions.Kind != value.KindObject || len(regions.Members) == 0 {
		return r.fault(root.Span, "a file of prices has regions, each with its prices")
	}
	for i := range regions.Members {
		if err := r.region(&regions.Members[i]); err != nil {
			return err
		}
	}
	if d := r.prices.Default; d != "" && r.prices.Regions[d] == nil {
		return r.fault(root.Get("default").Span, "the default region %q has no prices", d)
	}
	if r.prices.Currency == "" {
		return r.fault(root.Span, "a file of prices names its currency: USD")
	}
	return nil
}

func (r *pricesReader) known(n *source.Node, owner string, keys []string) error {
	for i := range n.Members {
		m := &n.Members[i]
		if slices.Contains(keys, m.Key) {
			continue
		}
		advice := cmp.Or(wording.Meant(m.Key, slices.Values(keys)), "the keys are "+strings.Join(keys, ", "))
		return r.fault(m.KeySpan, "%s has no key %q: %s", owner, m.Key, advice)
	}
	return nil
}

func (r *pricesReader) region(m *source.NodeMember) error {
	if m.Node.Kind != value.KindObject {
		return r.fault(m.Node.Span, "the prices of a region are an object")
	}
	names := make([]string, len(priceKeys))
	for i, k := range priceKeys {
		names[i] = k.name
	}
	if err := r.known(m.Node, "a region", names); err != nil {
		return err
	}
	p := &Price{}
	for _, k := range priceKeys {
		n := m.Node.Get(k.name)
		if n == nil {
			continue
		}
		number, ok := n.Value.(value.Number)
		if !ok {
			return r.fault(n.Span, "%s is a number", k.name)
		}
		amount, ok := new(big.Rat).SetString(number.Text())
		if !ok || amount.Sign() < 0 {
			return r.fault(n.Span, "%s is a number from 0", k.name)
		}
		if *k.of(p) != nil {
			return r.fault(n.Span, "a region has perGBSecond or perGBHour, not both")
		}
		*k.of(p) = amount.Quo(amount, big.NewRat(k.units, 1))
	}
	r.prices.Regions[m.Key] = p
	return nil
}

// Cost is the price of the units of one region.
type Cost struct {
	// Region is that whose prices were taken.
	Region string
	// Transitions, Requests and GBSeconds are the parts; nil where there are no such units.
	Transitions, Requests, GBSeconds *big.Rat
	Total                            *big.Rat
	// Missing says that the file does not have a price, and which; empty: it has all.
	Missing string
}

// Cost returns the price of units. The free units of each month and the steps of prices for many units are not taken into account.
func (p *Prices) Cost(u *Usage) *Cost {
	c := &Cost{Region: u.Region, Total: new(big.Rat)}
	c.Region = cmp.Or(c.Region, p.Default)
	of := p.Regions[c.Region]
	if of == nil {
		c.Missing = "there are no prices for the region " + strconv.Quote(c.Region)
		if c.Region == "" {
			c.Missing = "the executions name no region, and the prices have no default"
		}
		return c
	}
	part := func(to **big.Rat, units *big.Rat, each *big.Rat, key string) {
		switch {
		case units.Sign() == 0:
		case each == nil:
			c.Missing = "there is no " + key + " for the region " + strconv.Quote(c.Region)
		default:
			*to = new(big.Rat).Mul(units, each)
			c.Total.Add(c.Total, *to)
		}
	}
	part(&c.GBSeconds, u.GBSeconds(), of.GBSecond, "perGBSecond")
	part(&c.Requests, big.NewRat(u.Requests, 1), of.Request, "perMillionRequests")
	part(&c.Transitions, big.NewRat(u.Transitions, 1), of.Transition, "per1000Transitions")
	return c
}

// Amount writes an amount with four digits that count, and at least two after the point.
func Amount(r *big.Rat) string {
	digits, ten := 2, big.NewRat(10, 1)
	for limit := ten; digits < 12 && r.Sign() > 0 && r.Cmp(limit) < 0; digits++ {
		limit = new(big.Rat).Quo(limit, ten)
	}
	return r.FloatString(digits)
}
