package jsonata

import (
	"math"
	"time"

	"asldb/engine/value"
)

var times = []definition{
	{"now", "<s?s?:s>", 2, now},
	{"millis", "<:n>", 0, func(c *call) (any, error) { return float64(c.run.env.Now.UnixMilli()), nil }},
	{"fromMillis", "<n-s?s?:s>", 3, fromMillis},
	{"toMillis", "<s-s?:n>", 2, toMillis},
}

var (
	monthNames = []string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	}
	dayNames = []string{"", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// maxMillis is the range of JavaScript's dates.
const maxMillis = 8.64e15

func now(c *call) (any, error) {
	return c.formatTime(float64(c.run.env.Now.UnixMilli()), 0)
}

func fromMillis(c *call) (any, error) {
	f, ok := value.Double(c.arg(0))
	if !ok {
		return nil, nil
	}
	return c.formatTime(f, 1)
}

// formatTime writes a time by the picture and for the time zone that are the arguments from i on.
func (c *call) formatTime(millis float64, i int) (any, error) {
	picture, ok := c.textArg(i)
	if !ok {
		picture = isoPicture
	}
	zone := offset{}
	if text, ok := c.textArg(i + 1); ok {
		zone = parseOffset(text)
	}
	text, err := formatDateTime(millis, picture, zone, c.run.options.Extended)
	if err != nil {
		return nil, err
	}
	return value.String(text), c.run.takeText(len(text))
}

// offset is the offset of a time zone from UTC. Both are NaN where the text of the zone isn't a number.
type offset struct{ hours, minutes float64 }

// parseOffset reads an offset as -0530. Other texts give NaN, as in the reference implementation.
func parseOffset(text string) offset {
	f := leadingInteger(text)
	return offset{math.Floor(f / 100), math.Mod(f, 100)}
}

// moment is a time in UTC, whose parts a picture names.
type moment struct {
	time.Time
	invalid bool // no time: all its parts are NaN
}

// newMoment returns the moment of that many milliseconds since 1970, an invalid one where JavaScript has none.
func newMoment(millis float64) moment {
	millis = math.Trunc(millis)
	if math.Abs(millis) > maxMillis || millis != millis {
		return moment{invalid: true}
	}
	return moment{Time: time.UnixMilli(int64(millis)).UTC()}
}

// weekday counts from Monday, 1, to Sunday, 7.
func (m moment) weekday() int { return (int(m.Weekday())+6)%7 + 1 }

// part returns a numeric component.
func (m moment) part(component byte) int {
	switch component {
	case 'Y':
		return m.Year()
	case 'M':
		return int(m.Month())
	case 'D':
		return m.Day()
	case 'd':
		return m.YearDay()
	case 'F':
		return m.weekday()
	case 'W', 'X':
		year, week := m.ISOWeek()
		if component == 'W' {
			return week
		}
		return year
	case 'w', 'x':
		month, week := m.isoWeekOfMonth()
		if component == 'w' {
			return week
		}
		return month
	case 'H':
		return m.Hour()
	case 'h':
		return (m.Hour()+11)%12 + 1
	case 'P':
		if m.invalid {
			return 0
		}
		return m.Hour() / 12
	case 'm':
		return m.Minute()
	case 's':
		return m.Second()
	case 'f':
		return m.Nanosecond() / int(time.Millisecond)
	}
	return 0
}

// isoWeekOfMonth returns the month, 1 to 12, that the week belongs to, and which of its weeks it is. A week
// belongs to the month of its Thursday.
func (m moment) isoWeekOfMonth() (month, week int) {
	thursday := m.AddDate(0, 0, 4-m.weekday())
	return int(thursday.Month()), (thursday.Day()-1)/7 + 1
}
