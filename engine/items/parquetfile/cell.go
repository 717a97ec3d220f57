package parquetfile

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go/format"

	"asldb/engine/value"
)

// cell turns a value of a leaf into JSON.
type cell func(datum) (value.Value, error)

// cellOf returns the cell of a leaf. Null needs none: every leaf may have it.
func cellOf(element *format.SchemaElement) cell {
	read := annotated(element)
	return func(v datum) (value.Value, error) {
		if v.null {
			return value.Null{}, nil
		}
		return read(v)
	}
}

func annotated(element *format.SchemaElement) cell {
	switch t := logicalOf(element).(type) {
	case *format.Float16Type:
		return float16
	case *format.StringType, *format.EnumType, *format.JsonType:
		return text
	case *format.UUIDType:
		return uuidText
	case *format.DecimalType:
		return func(v datum) (value.Value, error) { return decimal(v, t.Scale) }
	case *format.DateType:
		return func(v datum) (value.Value, error) {
			return value.String(time.Unix(integer(v)*24*60*60, 0).UTC().Format(time.DateOnly)), nil
		}
	case *format.TimeType:
		return func(v datum) (value.Value, error) {
			return value.String(instant(integer(v), t.Unit).Format("15:04:05.999999999")), nil
		}
	case *format.TimestampType:
		layout := "2006-01-02T15:04:05.999999999"
		if t.IsAdjustedToUTC {
			layout += "Z"
		}
		return func(v datum) (value.Value, error) {
			return value.String(instant(integer(v), t.Unit).Format(layout)), nil
		}
	case *format.IntType:
		if !t.IsSigned {
			return unsigned
		}
	}
	return physical
}

// physical reads a value by its physical type. Bytes without a meaning become base64.
func physical(v datum) (value.Value, error) {
	switch v.kind {
	case format.Boolean:
		return value.Bool(v.number != 0), nil
	case format.Int32, format.Int64:
		return value.Int(integer(v)), nil
	case format.Int96:
		return impalaTime(v), nil
	case format.Float:
		short, _ := strconv.ParseFloat(strconv.FormatFloat(float64(math.Float32frombits(uint32(v.number))), 'g', -1, 32), 64)
		return finiteNumber(short), nil
	case format.Double:
		return finiteNumber(math.Float64frombits(v.number)), nil
	case format.ByteArray, format.FixedLenByteArray:
	}
	return value.String(base64.StdEncoding.EncodeToString(v.bytes)), nil
}

func integer(v datum) int64 {
	if v.kind == format.Int32 {
		return int64(int32(v.number))
	}
	return int64(v.number)
}

func unsigned(v datum) (value.Value, error) {
	n := v.number
	if v.kind == format.Int32 {
		n = uint64(uint32(n))
	}
	return value.ParseNumber(strconv.FormatUint(n, 10))
}

// finiteNumber returns a number; JSON has none for infinities and NaN, which become text.
func finiteNumber(f float64) value.Value {
	switch {
	case math.IsNaN(f):
		return value.String("NaN")
	case math.IsInf(f, 1):
		return value.String("Infinity")
	case math.IsInf(f, -1):
		return value.String("-Infinity")
	}
	return value.Float(f)
}

// float16 reads two bytes in the half precision of IEEE 754, the lower one first.
func float16(v datum) (value.Value, error) {
	bits := binary.LittleEndian.Uint16(v.bytes)
	exponent, fraction := int(bits>>10&0x1f), float64(bits&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 0x1f:
		f = math.Inf(1)
		if fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		f = -f
	}
	return finiteNumber(f), nil
}

func text(v datum) (value.Value, error) {
	if data := v.bytes; !utf8.Valid(data) {
		return nil, fmt.Errorf("a text is not UTF-8: %.40q", data)
	}
	return value.String(v.bytes), nil
}

func uuidText(v datum) (value.Value, error) {
	id, err := uuid.FromBytes(v.bytes)
	return value.String(id.String()), err
}

// maxScale bounds the digits after the point of a decimal; the type of 38 digits is the largest in use.
const maxScale = 1000

// decimal returns the exact number unscaled / 10^scale, with scale digits after the point.
func decimal(v datum, scale int32) (value.Value, error) {
	if scale < 0 || scale > maxScale {
		return nil, fmt.Errorf("a decimal has the scale %d", scale)
	}
	unscaled := new(big.Int)
	switch v.kind {
	case format.Int32, format.Int64:
		unscaled.SetInt64(integer(v))
	default:
		data := v.bytes
		unscaled.SetBytes(data)
		if len(data) > 0 && data[0]&0x80 != 0 {
			unscaled.Sub(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(len(data))*8))
		}
	}
	sign := ""
	if unscaled.Sign() < 0 {
		sign = "-"
	}
	digits := unscaled.Abs(unscaled).String()
	if missing := int(scale) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - int(scale)
	if scale > 0 {
		digits = digits[:point] + "." + digits[point:]
	}
	return value.ParseNumber(sign + digits)
}

// instant returns the time that is a number of units after the beginning of 1970.
func instant(n int64, unit format.TimeUnit) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(n).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(n).UTC()
	}
	return time.Unix(0, n).UTC()
}

// julianEpoch is the Julian day of 1 January 1970.
const julianEpoch = 2440588

// impalaTime reads the 96 bits in which older writers keep timestamps: nanoseconds of the day, and the Julian day.
func impalaTime(v datum) value.Value {
	nanos := int64(binary.LittleEndian.Uint64(v.bytes))
	days := int64(binary.LittleEndian.Uint32(v.bytes[8:])) - julianEpoch
	return value.String(time.Unix(days*24*60*60, nanos).UTC().Format(time.RFC3339Nano))
}
