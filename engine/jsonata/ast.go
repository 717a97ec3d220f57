package jsonata

// nodeKind tells the nodes of a syntax tree apart.
type nodeKind uint8

const (
	endNode nodeKind = iota
	nameNode
	stringNode
	numberNode
	valueNode
	variableNode
	wildcardNode
	descendantNode
	parentNode
	regexNode
	wordNode        // and, or, in in the place of an operand: a name
	placeholderNode // the ? of a partial application
	binaryNode      // only operators that compute; the others become separate nodes
	negateNode
	arrayNode
	objectNode
	callNode
	partialNode
	lambdaNode
	thunkNode // a call in tail position
	conditionNode
	blockNode
	bindNode
	applyNode
	transformNode
	pathNode
	sortNode
	// Kinds that only the parser produces, until process resolves them:
	mapNode       // a.b
	predicateNode // a[b]
	groupNode     // a{b:c}
	orderNode     // a^(b)
	focusNode     // a@$b
	indexNode     // a#$b
)

// node is one node of a syntax tree. Nothing changes it once the expression is compiled.
type node struct {
	kind       nodeKind
	start, end int    // where in the text it is written, in bytes
	pos        int    // just behind its token: the place in errors
	text       string // name, variable, operator
	literal    any    // of a literal, *regexValue of a regular expression

	// Operands: of a binary operator both; condition and branches; pattern, update and deletion of a
	// transform; left and body.
	left, right, third *node
	// list holds the arguments of a call, the expressions of an array or a block, the steps of a path,
	// the parameters of a lambda.
	list  []*node
	pairs []pair     // of an object
	terms []sortTerm // of an order-by
	sig   *signature // of a lambda

	keepArray      bool // [] follows it
	keepSingletons bool // of a path: a step has []
	consArray      bool // an array constructor that is a step
	filters        []stage
	group          *grouping

	// Fields of a node as a step of a path.
	stages   []stage
	tuple    bool
	focus    string // of a@$focus
	index    string // of a#$index
	ancestor *slot  // where the steps after it find their parent

	slot    *slot   // of a parent operator
	seeking []*slot // ancestors that this node needs from the steps before it
}

// pair is one member of an object constructor or a grouping.
type pair struct{ key, value *node }

// grouping is the object constructor behind a path or another expression.
type grouping struct {
	pairs []pair
	pos   int
}

// stage is a predicate of a step, or the binding of its index.
type stage struct {
	filter *node
	index  string
}

// sortTerm is one term of an order-by.
type sortTerm struct {
	by         *node
	descending bool
}

// slot is an ancestor that a parent operator refers to. Its label is the variable that carries the value.
type slot struct {
	label *label
	level int
}

// label is the name of the variable of an ancestor. Two slots at the same step share one.
type label struct{ name string }

// typeName is how errors call the kind of a node, as the reference implementation names its types.
func (n *node) typeName() string {
	switch n.kind {
	case nameNode:
		return "name"
	case stringNode:
		return "string"
	case numberNode:
		return "number"
	case valueNode:
		return "value"
	case variableNode:
		return "variable"
	case descendantNode:
		return "descendant"
	case parentNode:
		return "parent"
	case regexNode:
		return "regex"
	case negateNode, arrayNode, objectNode:
		return "unary"
	case callNode:
		return "function"
	case partialNode:
		return "partial"
	case lambdaNode:
		return "lambda"
	case conditionNode:
		return "condition"
	case bindNode:
		return "bind"
	case applyNode:
		return "apply"
	case transformNode:
		return "transform"
	case sortNode:
		return "sort"
	case pathNode:
		return "path"
	case blockNode:
		return "block"
	case wildcardNode:
		return "wildcard"
	default:
		return "binary"
	}
}

// tokenText is the token of a node as errors show it.
func (n *node) tokenText() string {
	switch n.kind {
	case numberNode:
		f, _ := n.literal.(float64)
		return numberText(f)
	case arrayNode:
		return "["
	case objectNode:
		return "{"
	case negateNode:
		return "-"
	case callNode, blockNode, partialNode, lambdaNode:
		return "("
	default:
		return n.text
	}
}

// seek takes over the ancestors that part, which is inside n, does not find there.
func (n *node) seek(part *node) {
	n.seeking = append(n.seeking, part.seeking...)
	if part.kind == parentNode {
		n.seeking = append(n.seeking, part.slot)
	}
}

// seekParent looks at step n, from the right of the path to its left, for the ancestor that s needs.
// s.level says how many levels are still to go; at 0 the step is found.
func seekParent(n *node, s *slot) error {
	switch n.kind {
	case nameNode, wildcardNode:
		s.level--
		if s.level == 0 {
			if n.ancestor != nil { // another parent operator has been here: share its variable
				*s.label = *n.ancestor.label
				s.label = n.ancestor.label
			}
			n.ancestor = s
			n.tuple = true
		}
		return nil
	case parentNode:
		s.level++
		return nil
	case blockNode:
		if len(n.list) > 0 {
			n.tuple = true
			return seekParent(n.list[len(n.list)-1], s)
		}
		return nil
	case pathNode:
		n.tuple = true
		index := len(n.list) - 1
		err := seekParent(n.list[index], s)
		for index--; err == nil && s.level > 0 && index >= 0; index-- {
			err = seekParent(n.list[index], s)
		}
		return err
	default:
		return fail("S0217").at(n.pos).token(n.typeName())
	}
}

// ancestry resolves the ancestors that the last step of a path needs, as far as the path goes back.
func (p *processor) ancestry(path *node) error {
	last := path.list[len(path.list)-1]
	slots := last.seeking
	if last.kind == parentNode {
		slots = append(slots[:len(slots):len(slots)], last.slot)
	}
	for _, s := range slots {
		index := len(path.list) - 2
		for s.level > 0 {
			if index < 0 {
				path.seeking = append(path.seeking, s)
				break
			}
			step := path.list[index]
			index--
			for index >= 0 && step.focus != "" && path.list[index].focus != "" { // these all stand on the same value
				step = path.list[index]
				index--
			}
			if err := seekParent(step, s); err != nil {
				return err
			}
		}
	}
	return nil
}
