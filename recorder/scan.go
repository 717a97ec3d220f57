package recorder

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"

	"asldb/engine/value"
)

const (
	// MaxLine is the greatest length of a line of a trace, in bytes. Longer ones are passed over.
	MaxLine = 288 << 20
	// chunkSize is how many bytes a reader takes from a trace at a time, about.
	chunkSize = 64 << 10
	// readAhead is how many bytes are read at a time while a trace is opened.
	readAhead = 1 << 20
)

// lineLimits are the limits of a line as a JSON document: a value of the greatest depth is inside it.
var lineLimits = value.Limits{Bytes: MaxLine, Depth: value.DefaultDepth + 8}

// chunk is a stretch of whole lines of one fork.
type chunk struct {
	// offset and length say where in the file it is. Of a compressed trace that is a number of
	// frames, and skip and size say where in their content.
	offset, length int64
	skip, size     int64
	line           int64 // how many lines stand before it
	seq            int64 // of its first event; 0 where it has none
	value          int64 // the number of the first value in it or after it
}

// fork is a stretch of a trace in which nothing was taken back.
type fork struct {
	parent int   // the fork that it continues; -1 of the first
	after  int64 // the last event that it has from its parent
	last   int64 // the number of its last event
	gap    int64 // the first event that has no line; 0 where all have
	chunks []int // its chunks that have events, in order
	events int64 // how many there are
	inputs []lineAt
}

// lineAt is a line of a chunk.
type lineAt struct{ chunk, line int32 }

// scanner builds the index of a trace. It can continue where it has stopped.
type scanner struct {
	t      *Trace
	offset int64 // in the file, of what is not in the index yet
	lines  int64
	value  int64 // the number of the next value
	// looked is called with the offset between two pieces of the file, and reports whether to continue; nil: always.
	looked func(offset int64) bool
	noted  []byte // the bytes before offset, of a trace that is followed
	// event and valueLine are the newest lines whose number was greater than expected.
	event, valueLine jump
}

// jump is a line whose number is greater than the one that was expected there: either lines are missing before it, or its
// number is damaged. What comes next decides.
type jump struct {
	line        int64 // 0: there is none
	to          int64 // its number
	expected    int64
	fork, chunk int // the newest ones at that line
	warning     int // the place of its warning, -1 where it has none
	offset      int64
	gapBefore   bool // the fork had a gap before
}

// refuted reports whether the number of the next line of the same kind refutes the jump: it
// continues the lines before.
func (j *jump) refuted(next int64) bool { return j.line > 0 && next >= j.expected && next <= j.to }

// scan reads the trace from where the last scan ended and notes the place of every line. Only an error of reading the file is
// returned, or [ErrStopped]; a problem of the trace itself is a warning.
func (s *scanner) scan() error {
	if s.t.unpack != nil {
		return s.frames()
	}
	return s.plain()
}

// goesOn reports whether the scan continues.
func (s *scanner) goesOn() bool { return s.looked == nil || s.looked(s.offset) }

// plain goes through a trace that is not compressed.
func (s *scanner) plain() error {
	buffer := make([]byte, 0, readAhead)
	for { // s.offset is the buffer's
		if !s.goesOn() {
			return ErrStopped
		}
		n, err := s.t.file.ReadAt(buffer[len(buffer):cap(buffer)], s.offset+int64(len(buffer)))
		fresh := buffer[len(buffer) : len(buffer)+n]
		buffer = buffer[:len(buffer)+n]
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return err
		}
		last := bytes.LastIndexByte(buffer, '\n')
		switch {
		case last >= 0:
			s.pieces(s.offset, buffer[:last+1])
			s.offset += int64(last + 1)
			buffer = append(buffer[:0], buffer[last+1:]...)
		case !ended && (buffer[0] != '{' || bytes.IndexByte(fresh, 0) >= 0 || len(buffer) >= MaxLine):
			s.t.warn(s.lines+1, s.offset, "is not a line of a trace: %s", describeBytes(buffer))
			if s.offset, err = s.skipLine(s.offset + int64(len(buffer))); err != nil {
				return err
			}
			s.lines++
			buffer = buffer[:0]
		case !ended && len(buffer) == cap(buffer):
			buffer = append(make([]byte, 0, min(2*cap(buffer), MaxLine+1)), buffer...)
		}
		if ended {
			return s.ended(buffer)
		}
	}
}

// ended takes the rest of the file, which has no end of a line. Where the trace is followed it stays for the next scan.
func (s *scanner) ended(rest []byte) error {
	end := s.offset + int64(len(rest))
	if end < s.t.size {
		return ErrShorter
	}
	if !s.t.followed {
		s.tail(s.offset, rest)
		s.offset = end
	}
	return nil
}

// pieces cuts whole lines into stretches of about chunkSize.
func (s *scanner) pieces(offset int64, data []byte) {
	for len(data) > 0 {
		end := len(data)
		if end > chunkSize {
			end = chunkSize + bytes.IndexByte(data[chunkSize-1:], '\n')
		}
		s.piece(chunk{offset: offset, length: int64(end), size: int64(end)}, data[:end])
		offset, data = offset+int64(end), data[end:]
	}
}

// tail takes the last line where it is whole but for its end, and drops a shorter one.
func (s *scanner) tail(offset int64, rest []byte) {
	if len(rest) == 0 {
		return
	}
	if _, err := value.Parse(rest, lineLimits); err != nil {
		s.t.cut(s.lines+1, offset, int64(len(rest)))
		return
	}
	s.piece(chunk{offset: offset, length: int64(len(rest)), size: int64(len(rest))}, rest)
}

// skipLine returns the offset behind the next end of a line. It passes over holes of a sparse file without
// reading them.
func (s *scanner) skipLine(offset int64) (int64, error) {
	buffer := make([]byte, readAhead)
	file, _ := s.t.file.(*os.File)
	for {
		n, err := s.t.file.ReadAt(buffer, offset)
		if at := bytes.IndexByte(buffer[:n], '\n'); at >= 0 {
			return offset + int64(at) + 1, nil
		}
		offset += int64(n)
		if errors.Is(err, io.EOF) {
			return offset, nil
		}
		if err != nil {
			return offset, err
		}
		if file != nil && buffer[n-1] == 0 {
			offset = nextData(file, offset, s.t.size)
		}
	}
}

// withoutReturn returns a line without the carriage return of Windows at its end: git may have put it there.
func withoutReturn(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// piece takes in the lines of one stretch, which it cuts where a new fork begins.
func (s *scanner) piece(c chunk, data []byte) {
	c.line, c.value, c.skip = s.lines, s.value, 0
	start, at, count := 0, 0, int32(0)
	for whole := range bytes.Lines(data) {
		line := withoutReturn(bytes.TrimSuffix(whole, []byte{'\n'}))
		s.lines++
		if to, isRewind := s.line(&c, line, c.offset+int64(at), count); isRewind {
			s.close(c, start, at, len(data))
			start = at
			s.fork(to)
			c.seq, c.line, c.value = 0, s.lines-1, s.value
			count = 0
		}
		at += len(whole)
		count++
	}
	s.close(c, start, len(data), len(data))
}

// close adds the chunk that has the bytes from start to end of a piece of that size.
func (s *scanner) close(c chunk, start, end, size int) {
	if start == end {
		return
	}
	if s.t.unpack == nil {
		c.offset, c.length = c.offset+int64(start), int64(end-start)
	} else {
		c.skip = int64(start)
	}
	c.size = int64(end - start)
	b := &s.t.forks[len(s.t.forks)-1]
	if c.seq > 0 {
		b.chunks = append(b.chunks, len(s.t.chunks))
	}
	s.t.chunks = append(s.t.chunks, c)
}

// fork begins a fork after event to of the newest one.
func (s *scanner) fork(to int64) {
	s.t.forks = append(s.t.forks, fork{parent: len(s.t.forks) - 1, after: to, last: to})
}

// line notes the kind of a line. It reads no more of it than its beginning.
func (s *scanner) line(c *chunk, line []byte, offset int64, index int32) (to int64, isRewind bool) {
	b := &s.t.forks[len(s.t.forks)-1]
	switch {
	case bytes.HasPrefix(line, []byte(seqStart)):
		s.eventLine(c, line, offset)
	case bytes.HasPrefix(line, []byte(valueStart)):
		s.valueLineOf(c, line, offset)
	case bytes.HasPrefix(line, []byte(answerStart)):
		b.inputs = append(b.inputs, lineAt{int32(len(s.t.chunks)), index})
	case bytes.HasPrefix(line, []byte(rewoundStart)):
		to, ok := leadingInt(line[len(rewoundStart):])
		if ok && to <= b.last {
			s.event = jump{}
			return to, true
		}
		s.t.warn(s.lines, offset, "goes back to an event that is not there: %s", describeBytes(line))
	case bytes.HasPrefix(line, []byte(formatStart)) && s.lines == 1, len(bytes.TrimSpace(line)) == 0:
	default:
		s.t.warn(s.lines, offset, "is not a line of a trace: %s", describeBytes(line))
	}
	return 0, false
}

// eventLine takes in the line of an event.
func (s *scanner) eventLine(c *chunk, line []byte, offset int64) {
	seq, ok := leadingInt(line[len(seqStart):])
	b := &s.t.forks[len(s.t.forks)-1]
	if ok && s.event.refuted(seq) {
		s.refuteEvent(c, seq)
	}
	if !ok || seq <= b.last || line[len(line)-1] != '}' {
		s.passOver(s.lines)
		s.t.warn(s.lines, offset, "is not event %d, which was expected: %s", b.last+1, describeBytes(line))
		return
	}
	s.event = jump{}
	if seq > b.last+1 {
		s.event = jump{line: s.lines, to: seq, expected: b.last + 1, fork: len(s.t.forks) - 1, chunk: len(s.t.chunks), offset: offset, gapBefore: b.gap > 0}
		s.event.warning = s.t.warn(s.lines, offset, "is event %d, and event %d was expected: the events between are missing", seq, b.last+1)
		if b.gap == 0 {
			b.gap = b.last + 1
		}
	}
	b.last = seq
	b.events++
	c.seq = cmp.Or(c.seq, seq)
}

// refuteEvent takes back the jump of an event whose number is damaged. next is the event that comes now: either it took the
// place of that before next, or it is one too many.
func (s *scanner) refuteEvent(c *chunk, next int64) {
	j := s.event
	s.event = jump{}
	if j.fork != len(s.t.forks)-1 {
		return
	}
	b := &s.t.forks[j.fork]
	b.events--
	b.last = j.expected
	if next == j.expected {
		b.last--
		if !j.gapBefore {
			b.gap = 0
		}
	}
	s.takeBack(&j, c, func(c *chunk) { c.seq = min(c.seq, j.expected) })
	s.t.rewarn(j.warning, "says that it is event %d, and event %d was expected: its number is damaged", j.to, j.expected)
}

// valueLineOf takes in the line of a value.
func (s *scanner) valueLineOf(c *chunk, line []byte, offset int64) {
	id, ok := leadingInt(line[len(valueStart):])
	if ok && s.valueLine.refuted(id) {
		s.refuteValue(c, id)
	}
	if !ok || id < s.value {
		s.passOver(s.lines)
		s.t.warn(s.lines, offset, "is not value %d, which was expected: %s", s.value, describeBytes(line))
		return
	}
	s.valueLine = jump{}
	if id > s.value {
		s.valueLine = jump{line: s.lines, to: id, expected: s.value, chunk: len(s.t.chunks), offset: offset}
		s.valueLine.warning = s.t.warn(s.lines, offset, "is value %d, and value %d was expected: the values between are missing", id, s.value)
	}
	s.value = id + 1
}

// refuteValue takes back the jump of a value whose number is damaged.
func (s *scanner) refuteValue(c *chunk, next int64) {
	j := s.valueLine
	s.valueLine = jump{}
	s.value = j.expected + 1
	if next == j.expected {
		s.value = j.expected
	}
	s.takeBack(&j, c, func(c *chunk) { c.value = min(c.value, s.value) })
	s.t.rewarn(j.warning, "says that it is value %d, and value %d was expected: its number is damaged", j.to, j.expected)
}

// takeBack lowers the numbers in the chunks since a jump, c among them, and passes over the jump's line.
func (s *scanner) takeBack(j *jump, c *chunk, lower func(*chunk)) {
	for i := j.chunk; i < len(s.t.chunks); i++ {
		lower(&s.t.chunks[i])
	}
	lower(c)
	s.passOver(j.line)
}

// passOver notes that a line contradicts its beginning.
func (s *scanner) passOver(line int64) {
	at, found := slices.BinarySearch(s.t.passedOver, line)
	if !found {
		s.t.passedOver = slices.Insert(s.t.passedOver, at, line)
	}
}

// isPassedOver reports whether a line begins as one of an event or a value, and is not taken for it.
func (t *Trace) isPassedOver(line int64) bool {
	_, found := slices.BinarySearch(t.passedOver, line)
	return found
}

// What the kinds of lines begin with.
const (
	formatStart  = `{"format":`
	seqStart     = `{"seq":`
	valueStart   = `{"value":`
	answerStart  = `{"answer":`
	rewoundStart = `{"rewound":`
)

// leadingInt reads the digits that text begins with.
func leadingInt(text []byte) (n int64, ok bool) {
	for i, c := range text {
		if c < '0' || c > '9' {
			return n, i > 0 && (c == ',' || c == '}')
		}
		if i == 18 {
			break
		}
		n = 10*n + int64(c-'0')
	}
	return 0, false
}

func describeBytes(line []byte) string {
	const shown = 40
	if len(line) > shown {
		return "it begins with " + strconv.Quote(string(line[:shown]))
	}
	return strconv.Quote(string(line))
}

// frames goes through a compressed trace: small frames are taken together.
func (s *scanner) frames() error {
	var content []byte
	group := chunk{}
	for s.offset < s.t.size {
		if !s.goesOn() {
			s.group(group, content)
			return ErrStopped
		}
		offset := s.offset
		length, size, err := frameLength(s.t.file, offset, s.t.size)
		switch {
		case errors.Is(err, errFrame):
			s.group(group, content)
			if !s.t.followed {
				s.t.cut(s.lines+1, offset, s.t.size-offset)
				s.offset = s.t.size
			}
			return nil
		case err != nil && !errors.Is(err, errContent):
			return err
		case err != nil || size > maxFrame:
			s.group(group, content)
			group, content = chunk{}, content[:0]
			if err != nil {
				s.t.warn(s.lines+1, offset, "begins a zstd frame that is damaged: %v", err)
			} else {
				s.t.warn(s.lines+1, offset, "begins a zstd frame of %d bytes; at most %d are read", size, int64(maxFrame))
			}
			s.offset += length
			continue
		}
		packed := make([]byte, length)
		if _, err := s.t.file.ReadAt(packed, offset); err != nil {
			return err
		}
		before := len(content)
		content, err = s.t.unpack(content, packed)
		if err != nil {
			s.group(group, content[:before])
			s.t.warn(s.lines+1, offset, "begins a zstd frame that is damaged: %v", err)
			group, content = chunk{}, content[:0]
			s.offset += length
			continue
		}
		if group.length == 0 {
			group.offset = offset
		}
		group.length += length
		s.offset += length
		if len(content) >= chunkSize {
			s.group(group, content)
			group, content = chunk{}, content[:0]
		}
	}
	s.group(group, content)
	return nil
}

// group takes in the content of frames.
func (s *scanner) group(c chunk, content []byte) {
	if len(content) > 0 {
		s.piece(c, content)
	}
}
