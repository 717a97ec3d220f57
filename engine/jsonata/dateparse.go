package jsonata

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// isoTime is the format that $toMillis reads without a picture.
var isoTime = wording.Pattern(
	`^(\d{4})(-[01]\d)?(-[0-3]\d)?(T[0-2]\d:[0-5]\d:[0-5]\d)?(\.\d+)?([+-][0-2]\d:?[0-5]\d|Z)?$`)

func toMillis(c *call) (any, error) {
	s, ok := c.textArg(0)
	if !ok {
		return nil, nil
	}
	picture, ok := c.textArg(1)
	if !ok {
		return parseISO(s)
	}
	return parseDateTime(s, picture, c.run.env.Now, c.run.options.Extended)
}

// parseISO reads a timestamp of ISO 8601. Without a time zone it is UTC.
func parseISO(s string) (any, error) {
	g := isoTime().FindStringSubmatch(s)
	if g == nil {
		return nil, fail("D3110").value(value.String(s))
	}
	layout := "2006"
	text := g[1]
	for i, part := range []string{"-01", "-02", "T15:04:05"} {
		if g[i+2] != "" {
			layout += part
			text += g[i+2]
		}
	}
	t, err := time.Parse(layout, text)
	if err != nil {
		return nil, fail("D3110").value(value.String(s))
	}
	millis := float64(t.UnixMilli())
	if g[5] != "" {
		fraction, _ := strconv.ParseFloat("0"+g[5][:min(len(g[5]), 4)], 64)
		millis += math.Round(fraction * 1000)
	}
	if zone := strings.ReplaceAll(g[6], ":", ""); len(zone) == 5 {
		hours, _ := strconv.Atoi(zone[:3])
		minutes, _ := strconv.Atoi(zone[:1] + zone[3:])
		millis -= float64(hours*60+minutes) * 60_000
	}
	return millis, nil
}

// dateParser reads a timestamp by a picture.
type dateParser struct {
	found    map[byte]float64
	extended bool
}

// has reports whether a component was given. Up to 2.0 a zero counts as nothing where the kind of date is found out.
func (p *dateParser) has(component byte) bool {
	f, ok := p.found[component]
	return ok && (p.extended || f != 0 && f == f)
}

// parseDateTime reads a timestamp by a picture. Components that the picture does not have come from now where they are
// more significant than the rest, and are the least where they are less.
func parseDateTime(s, picture string, now time.Time, extended bool) (any, error) {
	parts, err := parseDatePicture(picture, extended)
	if err != nil {
		return nil, err
	}
	p := dateParser{found: map[byte]float64{}, extended: extended}
	matched, err := p.match(parts, s)
	if err != nil || !matched || len(p.found) == 0 {
		return nil, err
	}
	dates, times, err := p.kinds()
	if err != nil {
		return nil, err
	}
	if err := p.complete(dates+times, moment{Time: now.UTC()}); err != nil {
		return nil, err
	}
	if dates[0] == 'X' {
		return nil, fail("D3136")
	}
	return p.millis(dates, times)
}

// match compares s with the picture and reads the components.
func (p *dateParser) match(parts []datePart, s string) (bool, error) {
	var pattern strings.Builder
	pattern.WriteString("(?i)^")
	for i := range parts {
		text, err := parts[i].pattern()
		if err != nil {
			return false, err
		}
		pattern.WriteString("(" + text + ")")
	}
	re, err := regexp.Compile(pattern.String() + "$")
	if err != nil {
		return false, stopped("the picture is too large")
	}
	found := re.FindStringSubmatch(s)
	if found == nil {
		return false, nil
	}
	for i := range parts {
		if parts[i].component == 0 {
			continue
		}
		f, ok, err := parts[i].parse(found[i+1], p.extended)
		if err != nil {
			return false, err
		}
		if ok {
			p.found[parts[i].component] = f
		}
	}
	return true, nil
}

// pattern is the regular expression of a part.
func (p *datePart) pattern() (string, error) {
	switch {
	case p.component == 0:
		return regexp.QuoteMeta(p.literal), nil
	case p.component == 'Z' || p.component == 'z':
		out := "[-+][0-9]+"
		if p.component == 'z' {
			out = "GMT" + out
		}
		if p.integer.regular > 0 {
			out += regexp.QuoteMeta(string(p.integer.separators[0].char)) + "[0-9]+"
		}
		return out, nil
	case p.integer != nil:
		return p.integer.pattern()
	case strings.IndexByte("MxFP", p.component) < 0:
		return "", fail("D3133").value(value.String(p.component))
	}
	return "[a-zA-Z]+", nil
}

// parse reads the text of a component; false when it means nothing.
func (p *datePart) parse(s string, extended bool) (float64, bool, error) {
	switch {
	case p.component == 'Z' || p.component == 'z':
		return p.parseZone(s), true, nil
	case p.component == 'f' && extended && p.integer.style == decimalStyle: // a fraction, not a number of milliseconds
		f := leadingInteger((s + "00")[:3])
		return f, true, nil
	case p.integer != nil:
		f, err := p.integer.parse(s)
		return f, true, err
	case p.component == 'P':
		switch s {
		case "am", "AM":
			return 0, true, nil
		case "pm", "PM":
			return 1, true, nil
		}
		return 0, false, nil
	}
	names, first := monthNames, 1
	if p.component == 'F' {
		names, first = dayNames, 0
	}
	for i, name := range names {
		if p.maxWidth > 0 {
			name = name[:min(len(name), p.maxWidth)]
		}
		if name == s {
			return float64(i + first), true, nil
		}
	}
	return 0, false, nil
}

// parseZone reads the offset of a time zone, in minutes.
func (p *datePart) parseZone(s string) float64 {
	if p.component == 'z' {
		s = s[3:]
	}
	if p.integer.regular > 0 {
		hours, minutes, _ := strings.Cut(s, string(p.integer.separators[0].char))
		return leadingInteger(hours)*60 + leadingInteger(minutes)
	}
	if len(s) <= 3 {
		return leadingInteger(s) * 60
	}
	return leadingInteger(s[:3])*60 + leadingInteger(s[3:])
}

// kinds finds out which components give the date and which the time.
func (p *dateParser) kinds() (dates, times string, err error) {
	only := func(all, allowed string) bool {
		some := false
		for i := 0; i < len(all); i++ {
			if !p.has(all[i]) {
				continue
			}
			if strings.IndexByte(allowed, all[i]) < 0 {
				return false
			}
			some = true
		}
		return some
	}
	const dateComponents, timeComponents = "YXMxWwdD", "PHhmsf"
	dates, times = "YMD", "Hmsf"
	switch {
	case only(dateComponents, "YMD"):
	case only(dateComponents, "Yd"):
		dates = "YD"
	case only(dateComponents, "Xxw"):
		dates = "XxwF"
	case only(dateComponents, "XW"):
		dates = "XWF"
	}
	if !only(timeComponents, "Hmsf") && only(timeComponents, "Phmsf") {
		times = "Phmsf"
	}
	return dates, times, nil
}

// complete fills in the components that were not given, most significant first.
func (p *dateParser) complete(components string, now moment) error {
	started, ended := false, false
	for i := 0; i < len(components); i++ {
		c := components[i]
		if _, ok := p.found[c]; ok {
			started = true
			if ended {
				return fail("D3136")
			}
			continue
		}
		if !started {
			p.found[c] = float64(now.part(c))
			continue
		}
		ended = true
		p.found[c] = 0
		if strings.IndexByte("MDd", c) >= 0 {
			p.found[c] = 1
		}
	}
	return nil
}

// millis computes the time of the components.
func (p *dateParser) millis(dates, times string) (any, error) {
	month, day := math.Max(p.found['M'], 1), p.found['D']
	if dates == "YD" {
		month, day = 1, p.found['d']
	}
	hour := p.found['H']
	if times == "Phmsf" {
		hour = p.found['h']
		if hour == 12 {
			hour = 0
		}
		if p.found['P'] == 1 {
			hour += 12
		}
	}
	all := []float64{p.found['Y'], month, day, hour, p.found['m'], p.found['s'], p.found['f']}
	for _, f := range all {
		if f != f || math.Abs(f) > 1e9 {
			return nil, nil
		}
	}
	t := time.Date(int(all[0]), time.Month(int(all[1])), int(all[2]), int(all[3]), int(all[4]), int(all[5]), 0, time.UTC)
	zone, ok := p.found['Z']
	if !ok || zone == 0 {
		zone = p.found['z']
	}
	millis := float64(t.Unix())*1000 + all[6] - zone*60_000
	if math.Abs(millis) > maxMillis || millis != millis {
		return nil, nil
	}
	return millis, nil
}
