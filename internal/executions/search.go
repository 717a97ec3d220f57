package executions

import (
	"asldb/engine/value"
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
)

// Statuses are the statuses of executions.
func Statuses() []string {
	return value.Each(types.ExecutionStatus("").Values(), func(status types.ExecutionStatus) string {
		return string(status)
	})
}

// Query says which executions a search lists.
type Query struct {
	// Of is a state machine, a version or an alias of one, or a Map Run.
	Of ARN
	// Statuses are those that an execution may have; none: any.
	Statuses []string
	// Since is the time of the start before which executions are left out; zero: none is.
	Since time.Time
	// Limit bounds the number of executions; 0: no bound.
	Limit int
	// LeftOut is called for an execution whose ARN cannot be read; it may be nil.
	LeftOut func(error)
}

// Item is an execution in a list.
type Item struct {
	ARN      ARN
	Status   string
	Start    time.Time
	Stop     time.Time // zero where it has not ended
	Redrives int
}

// Search lists executions, the newest first. The service has no filter by time: the search ends at the first that is older. progress
// is called with the number found after each page; it may be nil. The error is an *[Error], or the context's.
func (c *Client) Search(ctx context.Context, q Query, progress func(found int)) ([]Item, error) {
	pager := c.Pages(q, historyPageSize)
	var found []Item
	for pager.More() {
		items, err := pager.Next(ctx)
		if found = append(found, items...); err != nil {
			return found, err
		}
		if progress != nil {
			progress(len(found))
		}
	}
	return found, nil
}

// Pager lists executions page by page, the newest first.
type Pager struct {
	client *Client
	query  Query
	size   int
	token  *string
	seen   map[string]bool // tokens
	found  int
	empty  int // pages without an execution, one after the other
	over   bool
}

// Pages returns the pages of a search; for each the service looks at up to size executions.
func (c *Client) Pages(q Query, size int) *Pager { return &Pager{client: c, query: q, size: size} }

// With calls by another client from now on: one with other credentials.
func (p *Pager) With(c *Client) { p.client = c }

// More reports whether there may be another page.
func (p *Pager) More() bool { return !p.over }

// Next reads the next page, which may be empty although there are more. After an error it can be called again. The error is an
// *[Error], or the context's.
func (p *Pager) Next(ctx context.Context) ([]Item, error) {
	q := &p.query
	input := &sfn.ListExecutionsInput{StateMachineArn: &q.Of.Text, MaxResults: int32(min(p.size, historyPageSize)), NextToken: p.token}
	if q.Of.Resource == MapRun {
		input.StateMachineArn, input.MapRunArn = nil, &q.Of.Text
	}
	if len(q.Statuses) == 1 {
		input.StatusFilter = types.ExecutionStatus(q.Statuses[0])
	}
	if q.Limit > 0 && len(q.Statuses) < 2 {
		input.MaxResults = min(input.MaxResults, int32(min(q.Limit, historyPageSize)))
	}
	out, err := p.client.executions(ctx, input, inRegion(q.Of))
	if err != nil {
		return nil, explained(ctx, "ListExecutions", q.Of.Text, err)
	}
	var items []Item
	for i := range out.Executions {
		item, err := itemOf(&out.Executions[i])
		switch {
		case err != nil:
			if q.LeftOut != nil {
				q.LeftOut(err)
			}
			continue
		case item.Start.Before(q.Since) && q.Of.Resource != MapRun: // a Map Run's are in no order of time
			p.over = true
			return items, nil
		case item.Start.Before(q.Since), len(q.Statuses) > 0 && !slices.Contains(q.Statuses, item.Status):
			continue
		}
		items = append(items, item)
		if p.found++; p.found == q.Limit {
			p.over = true
			return items, nil
		}
	}
	token := aws.ToString(out.NextToken)
	if p.empty++; len(out.Executions) > 0 {
		p.empty = 0
	}
	if p.empty > maxEmpty || p.seen[token] {
		const detail = "the list has no end: its pages are empty, or come again"
		return items, &Error{Reason: Excessive, Call: "ListExecutions", About: q.Of.Text, detail: detail}
	}
	if p.seen == nil {
		p.seen = make(map[string]bool)
	}
	p.token, p.over, p.seen[token] = out.NextToken, token == "", true
	return items, nil
}

func itemOf(x *types.ExecutionListItem) (Item, error) {
	arn, err := ParseARN(aws.ToString(x.ExecutionArn))
	if err != nil {
		return Item{}, err
	}
	return Item{
		ARN: arn, Status: string(x.Status), Start: aws.ToTime(x.StartDate), Stop: aws.ToTime(x.StopDate), Redrives: int(aws.ToInt32(x.RedriveCount)),
	}, nil
}
