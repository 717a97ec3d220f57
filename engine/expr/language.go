package expr

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	gotext "text/scanner"
	"time"
	"unicode/utf8"

	"github.com/PaesslerAG/gval"

	"asldb/engine/value"
	"asldb/internal/wording"
)

// constantsKey is where the compiler finds the operands that marks represent.
type constantsKey struct{}

// language is gval's full language without its ?:, which ours would not replace, and with operators that know our
// values: gval's own turn strings to numbers and anything to booleans, and would make 1 == "1" and null == false true.
var language = gval.NewLanguage(
	gval.Arithmetic(), gval.Bitmask(), gval.Text(), gval.PropositionalLogic(), gval.JSON(),
	gval.DefaultExtension(marked),
	gval.VariableSelector(field),
	gval.Constant("null", nil),
	gval.PrefixExtension(gotext.Int, literal),
	gval.PrefixExtension(gotext.Float, literal),
	gval.PrefixExtension('{', objectLiteral),
	gval.PostfixOperator("?", conditional),

	gval.PrefixOperator("!", func(_ context.Context, v any) (any, error) {
		if isUnknown(v) {
			return v, nil
		}
		return !truth(v), nil
	}),
	prefixNumber("-", func(a float64) float64 { return -a }),
	prefixNumber("~", func(a float64) float64 { return float64(^int64(a)) }),

	comparator("==", equal),
	comparator("!=", func(a, b any) bool { return !equal(a, b) }),
	ordered("<", func(order int) bool { return order < 0 }),
	ordered("<=", func(order int) bool { return order <= 0 }),
	ordered(">", func(order int) bool { return order > 0 }),
	ordered(">=", func(order int) bool { return order >= 0 }),
	comparator("in", in),
	gval.InfixEvalOperator("=~", pattern(true)),
	gval.InfixEvalOperator("!~", pattern(false)),

	logical("&&", false),
	logical("||", true),
	gval.InfixEvalOperator("??", func(left, right gval.Evaluable) (gval.Evaluable, error) {
		return func(c context.Context, v any) (any, error) {
			if a, err := left(c, v); err != nil || a != nil && a != false {
				return a, err
			}
			return right(c, v)
		}, nil
	}),

	infix("+", add),
	arithmetic("-", func(a, b float64) float64 { return a - b }),
	arithmetic("*", func(a, b float64) float64 { return a * b }),
	arithmetic("/", func(a, b float64) float64 { return a / b }),
	arithmetic("%", math.Mod),
	arithmetic("**", math.Pow),
	arithmetic("&", func(a, b float64) float64 { return float64(int64(a) & int64(b)) }),
	arithmetic("|", func(a, b float64) float64 { return float64(int64(a) | int64(b)) }),
	arithmetic("^", func(a, b float64) float64 { return float64(int64(a) ^ int64(b)) }),
	arithmetic("<<", func(a, b float64) float64 { return float64(int64(a) << (uint64(b) & 63)) }),
	arithmetic(">>", func(a, b float64) float64 { return float64(int64(a) >> (uint64(b) & 63)) }),

	function("date", 1, date),
	function("len", 1, length),
	textFunction("lower", 1, func(s []string) any { return strings.ToLower(s[0]) }),
	textFunction("upper", 1, func(s []string) any { return strings.ToUpper(s[0]) }),
	textFunction("startsWith", 2, func(s []string) any { return strings.HasPrefix(s[0], s[1]) }),
	textFunction("endsWith", 2, func(s []string) any { return strings.HasSuffix(s[0], s[1]) }),
	function("contains", 2, func(args []any) (any, error) {
		if s, ok := args[0].(string); ok {
			part, ok := args[1].(string)
			return ok && strings.Contains(s, part), nil
		}
		return in(args[1], args[0]), nil
	}),
)

// marked is called for each character that means nothing to gval: the marks of operands.
func marked(c context.Context, p *gval.Parser) (gval.Evaluable, error) {
	operands, _ := c.Value(constantsKey{}).([]operand)
	r, _ := utf8.DecodeRuneInString(p.TokenText())
	if i := int(r - firstMark); i >= 0 && i < len(operands) {
		if operands[i].eval != nil {
			return operands[i].eval, nil
		}
		return p.Const(operands[i].str), nil
	}
	return nil, p.Expected("extensions")
}

// field is a bare name with the steps behind it: error, error.Cause, list[0].
func field(keys gval.Evaluables) gval.Evaluable {
	return func(c context.Context, v any) (any, error) {
		s, ok := v.(*scope)
		if !ok {
			return nil, errNoScope
		}
		names := make([]string, len(keys))
		for i, key := range keys {
			name, err := key(c, v)
			if err != nil {
				return nil, err
			}
			names[i] = plain(name)
		}
		at, known := s.env.Fields[names[0]]
		if !known && s.env.partial {
			return unknown{}, nil
		}
		if !known {
			all := slices.Sorted(maps.Keys(s.env.Fields))
			return nil, failAt(names[0], "nothing is called %q here; a path begins with $, and the names are: %s", names[0], strings.Join(all, ", "))
		}
		for i := 1; i < len(names) && at != nil; i++ {
			switch c := at.(type) {
			case *value.Object:
				at = c.Get(names[i])
			case *value.Array:
				at = nil
				if n, err := strconv.Atoi(names[i]); err == nil && n >= 0 && n < c.Len() {
					at = c.At(n)
				}
			default:
				at = nil
			}
		}
		return fromValue(at, s.env.Poll), nil
	}
}

// literal keeps a number exactly as it is written.
func literal(_ context.Context, p *gval.Parser) (gval.Evaluable, error) {
	if n, err := value.ParseNumber(p.TokenText()); err == nil {
		return p.Const(n), nil
	}
	f, err := strconv.ParseFloat(p.TokenText(), 64) // .5 and 1. are numbers here
	if err != nil {
		return nil, fmt.Errorf("%s is not a number", p.TokenText())
	}
	return p.Const(f), nil
}

// objectLiteral reads {"a": 1}. gval's own has no order.
func objectLiteral(c context.Context, p *gval.Parser) (gval.Evaluable, error) {
	type member struct{ key, value gval.Evaluable }
	var members []member
	for {
		switch p.Scan() {
		case '}':
			return func(c context.Context, v any) (any, error) {
				var b value.ObjectBuilder
				for _, m := range members {
					key, err := m.key(c, v)
					if err != nil {
						return nil, err
					}
					item, err := m.value(c, v)
					if err != nil {
						return nil, err
					}
					b.Set(plain(key), toValue(item))
				}
				return object{value: b.Object()}, nil
			}, nil
		case ',':
			continue
		}
		p.Camouflage("object", ',', '}')
		key, err := p.ParseExpression(c)
		if err != nil {
			return nil, err
		}
		if p.Scan() != ':' {
			return nil, p.Expected("object", ':')
		}
		item, err := p.ParseExpression(c)
		if err != nil {
			return nil, err
		}
		members = append(members, member{key, item})
	}
}

// conditional reads "? a : b" behind a condition.
func conditional(c context.Context, p *gval.Parser, condition gval.Evaluable) (gval.Evaluable, error) {
	yes, err := p.ParseExpression(c)
	if err != nil {
		return nil, err
	}
	if p.Scan() != ':' {
		return nil, p.Expected("?:", ':')
	}
	no, err := p.ParseExpression(c)
	if err != nil {
		return nil, err
	}
	return func(c context.Context, v any) (any, error) {
		x, err := condition(c, v)
		if err != nil {
			return nil, err
		}
		if truth(x) {
			return yes(c, v)
		}
		return no(c, v)
	}, nil
}

// infix makes an operator of f that sees its operands as they are, without gval's conversions.
func infix(name string, f func(a, b any) (any, error)) gval.Language {
	return gval.InfixEvalOperator(name, func(left, right gval.Evaluable) (gval.Evaluable, error) {
		return func(c context.Context, v any) (any, error) {
			a, err := left(c, v)
			if err != nil {
				return nil, err
			}
			b, err := right(c, v)
			if err != nil {
				return nil, err
			}
			return f(a, b)
		}, nil
	})
}

// comparator makes an operator that cannot fail.
func comparator(name string, f func(a, b any) bool) gval.Language {
	return infix(name, func(a, b any) (any, error) {
		if isUnknown(a) || isUnknown(b) {
			return unknown{}, nil
		}
		return f(a, b), nil
	})
}

// logical makes an operator of conditions. One whose truth is decisive decides alone, the left one first.
func logical(name string, decisive bool) gval.Language {
	return gval.InfixEvalOperator(name, func(left, right gval.Evaluable) (gval.Evaluable, error) {
		return func(c context.Context, v any) (any, error) {
			open := false
			for _, operand := range [...]gval.Evaluable{left, right} {
				a, err := operand(c, v)
				switch {
				case err != nil:
					return nil, err
				case isUnknown(a):
					open = true
				case truth(a) == decisive:
					return decisive, nil
				}
			}
			if open {
				return unknown{}, nil
			}
			return !decisive, nil
		}, nil
	})
}

func equal(a, b any) bool {
	x, isDate := a.(time.Time)
	y, bothDates := b.(time.Time)
	if isDate && bothDates {
		return x.Equal(y)
	}
	return isDate == bothDates && value.Equal(toValue(a), toValue(b))
}

// ordered compares numbers, strings and dates. Other operands, and such of different kinds, are in no order.
func ordered(name string, wanted func(order int) bool) gval.Language {
	return comparator(name, func(a, b any) bool {
		if x, ok := a.(time.Time); ok {
			y, ok := b.(time.Time)
			return ok && wanted(x.Compare(y))
		}
		if x, ok := a.(string); ok {
			y, ok := b.(string)
			return ok && wanted(strings.Compare(x, y))
		}
		x, isNumber := toValue(a).(value.Number)
		y, bothNumbers := toValue(b).(value.Number)
		return isNumber && bothNumbers && wanted(x.Compare(y))
	})
}

// in reports whether a is an item of the list b, or the name of a member of the object b.
func in(a, b any) bool {
	switch list := toValue(b).(type) {
	case *value.Array:
		wanted := toValue(a)
		for _, item := range list.All() {
			if value.Equal(item, wanted) {
				return true
			}
		}
	case *value.Object:
		name, ok := a.(string)
		return ok && list.Index(name) >= 0
	}
	return false
}

// pattern makes =~ and !~. Values other than texts match no pattern.
func pattern(wanted bool) func(a, b gval.Evaluable) (gval.Evaluable, error) {
	return func(left, right gval.Evaluable) (gval.Evaluable, error) {
		var constant *regexp.Regexp
		if right.IsConst() {
			text, err := right(context.Background(), nil)
			if err != nil {
				return nil, err
			}
			if constant, err = compilePattern(text); err != nil {
				return nil, err
			}
		}
		return func(c context.Context, v any) (any, error) {
			a, err := left(c, v)
			if err != nil {
				return nil, err
			}
			matcher := constant
			if matcher == nil {
				b, err := right(c, v)
				if err != nil {
					return nil, err
				}
				if matcher, err = compilePattern(b); err != nil {
					return nil, err
				}
			}
			if isUnknown(a) {
				return a, nil
			}
			text, ok := a.(string)
			return ok && matcher.MatchString(text) == wanted || !ok && !wanted, nil
		}, nil
	}
}

func compilePattern(v any) (*regexp.Regexp, error) {
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("a pattern is a string, found %s", kind(v))
	}
	matcher, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("the pattern cannot be used: %w", err)
	}
	return matcher, nil
}

// arithmetic makes an operator on numbers. With null the result is null, so that a path that misses isn't an error.
func arithmetic(name string, f func(a, b float64) float64) gval.Language {
	return infix(name, func(a, b any) (any, error) {
		x, isNumber := value.Double(a)
		y, bothNumbers := value.Double(b)
		switch {
		case isNumber && bothNumbers:
			return f(x, y), nil
		case a == nil || b == nil:
			return nil, nil
		}
		return nil, failAt(name, "%s takes two numbers, found %s and %s", name, kind(a), kind(b))
	})
}

func prefixNumber(name string, f func(a float64) float64) gval.Language {
	return gval.PrefixOperator(name, func(_ context.Context, v any) (any, error) {
		x, ok := value.Double(v)
		switch {
		case ok:
			return f(x), nil
		case v == nil:
			return nil, nil
		}
		return nil, failAt(name, "%s takes a number, found %s", name, kind(v))
	})
}

// add adds numbers, and joins texts when one operand is a text.
func add(a, b any) (any, error) {
	x, isNumber := value.Double(a)
	if y, bothNumbers := value.Double(b); isNumber && bothNumbers {
		return x + y, nil
	}
	_, text := a.(string)
	_, otherText := b.(string)
	switch {
	case text || otherText:
		return plain(a) + plain(b), nil
	case a == nil || b == nil:
		return nil, nil
	}
	return nil, failAt("+", "+ takes two numbers or a string, found %s and %s", kind(a), kind(b))
}

// failAt returns the error of an operator, a function or a name.
func failAt(word, format string, args ...any) error {
	return &operandError{word: word, msg: fmt.Sprintf(format, args...)}
}

// plain is v as text: a string as it is, all else as JSON.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return value.Compact(toValue(v))
}

// function adds a function with a fixed number of arguments.
func function(name string, arguments int, f func(args []any) (any, error)) gval.Language {
	return gval.Function(name, func(_ context.Context, args ...any) (any, error) {
		if len(args) != arguments {
			return nil, failAt(name+"(", "%s() takes %s, found %d", name, wording.Count(arguments, "argument"), len(args))
		}
		if slices.ContainsFunc(args, isUnknown) {
			panic(unknown{})
		}
		return f(args)
	})
}

// textFunction adds a function of strings that is null where an argument isn't a string.
func textFunction(name string, arguments int, f func(args []string) any) gval.Language {
	return function(name, arguments, func(args []any) (any, error) {
		texts := make([]string, len(args))
		for i, arg := range args {
			text, ok := arg.(string)
			if !ok {
				return nil, nil
			}
			texts[i] = text
		}
		return f(texts), nil
	})
}

// length is the number of characters, items or members.
func length(args []any) (any, error) {
	switch v := toValue(args[0]).(type) {
	case value.String:
		return float64(utf8.RuneCountInString(string(v))), nil
	case *value.Array:
		return float64(v.Len()), nil
	case *value.Object:
		return float64(v.Len()), nil
	}
	return nil, nil
}

// dateForms are those that gval's date() reads. A time without a zone is UTC here, wherever it runs.
var dateForms = [...]string{
	time.RFC3339Nano, "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05", "2006-01-02 15:04:05-07:00",
	"2006-01-02T15Z0700", "2006-01-02T15:04Z0700", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05.999999999Z0700",
	time.ANSIC, time.UnixDate, time.RubyDate, time.Kitchen,
}

func date(args []any) (any, error) {
	switch v := args[0].(type) {
	case nil:
		return nil, nil
	case time.Time:
		return v, nil
	case string:
		for _, form := range dateForms {
			if t, err := time.ParseInLocation(form, v, time.UTC); err == nil {
				return t, nil
			}
		}
		return nil, fmt.Errorf("date() cannot read %q", v)
	}
	return nil, failAt("date(", "date() takes a string, found %s", kind(args[0]))
}

// unquote resolves the escapes of a string whose quotes are taken off.
func unquote(raw string, quote byte) (string, error) {
	if quote == '`' || strings.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	var b strings.Builder
	for raw != "" {
		switch {
		case strings.HasPrefix(raw, `\'`), strings.HasPrefix(raw, `\"`), strings.HasPrefix(raw, `\/`):
			b.WriteByte(raw[1])
			raw = raw[2:]
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(raw, 0)
		if err != nil {
			return "", err
		}
		if multibyte || r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		raw = rest
	}
	return b.String(), nil
}
