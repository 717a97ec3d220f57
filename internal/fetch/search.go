package fetch

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
)

// Statuses are the statuses of executions.
func Statuses() []string {
	var names []string
	for _, status := range types.ExecutionStatus("").Values() {
		names = append(names, string(status))
	}
	return names
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
// is called with the number found after each page; it may be nil. The error is an *[Error], or that of the context.
func (c *Client) Search(ctx context.Context, q Query, progress func(found int)) ([]Item, error) {
	input := &sfn.ListExecutionsInput{StateMachineArn: &q.Of.Text, MaxResults: pageSize}
	if q.Of.Resource == MapRun {
		input.StateMachineArn, input.MapRunArn = nil, &q.Of.Text
	}
	if len(q.Statuses) == 1 {
		input.StatusFilter = types.ExecutionStatus(q.Statuses[0])
	}
	if q.Limit > 0 && (len(q.Statuses) < 2) {
		input.MaxResults = int32(min(q.Limit, pageSize))
	}
	var found []Item
	for {
		out, err := c.api.ListExecutions(ctx, input, inRegion(q.Of))
		if err != nil {
			return found, explained(ctx, "ListExecutions", q.Of.Text, err)
		}
		for i := range out.Executions {
			item, err := itemOf(&out.Executions[i])
			switch {
			case err != nil:
				return found, err
			case item.Start.Before(q.Since) && q.Of.Resource != MapRun: // those of a Map Run are in no order of time
				return found, nil
			case item.Start.Before(q.Since), len(q.Statuses) > 0 && !slices.Contains(q.Statuses, item.Status):
				continue
			}
			if found = append(found, item); len(found) == q.Limit {
				return found, nil
			}
		}
		if progress != nil {
			progress(len(found))
		}
		if aws.ToString(out.NextToken) == "" {
			return found, nil
		}
		input.NextToken = out.NextToken
	}
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
