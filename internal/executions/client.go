// Reads recorded executions of Step Functions from AWS: their histories with all pages, the definitions of the
// revisions that ran, and lists of executions. It makes read-only calls alone: GetExecutionHistory,
// DescribeStateMachineForExecution and ListExecutions. [Folder] saves them as files that the other commands read.

package executions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"golang.org/x/time/rate"

	"asldb/engine/teststate"
	"asldb/engine/value"
)

// DefaultRate is the number of calls a second where a [Connection] names none. The quotas of an account are at 10 to 20
// for each operation, and other programs share them.
const DefaultRate = 10

// attempts is how often a call is made until it is not throttled.
const attempts = 8

// The bounds of one answer: the service itself gives pages of a few MiB, in seconds.
const (
	maxAnswer     = 64 << 20 // bytes
	answerTimeout = 2 * time.Minute
)

// errTooLarge is the error of an answer that is larger than maxAnswer.
var errTooLarge = fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)

// Connection says how Step Functions is called. The zero Connection has the usual credentials and configuration of the
// AWS SDK. The region is the region in the ARN that a call is about.
type Connection struct {
	// Profile is a profile of the AWS configuration; empty: the usual one.
	Profile string
	// Endpoint is the URL of the API; empty: AWS's. One on this machine gets made-up credentials where there is
	// no Profile.
	Endpoint string
	// Rate bounds the calls in a second, retries among them; 0: [DefaultRate].
	Rate float64
	// MaxBackoff bounds the wait before a retry; 0: 20 seconds.
	MaxBackoff time.Duration
	// Retrying is called with the error of a call that is made again, unless it was throttled; it may be nil.
	Retrying func(*Error)
	// Clock is the clock by which Rate is kept; nil: the machine's.
	Clock Clock
}

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Wait waits until a duration has passed, or the context ends: its cause is the error then.
	Wait(ctx context.Context, d time.Duration) error
}

// machineClock is the clock of the machine.
type machineClock struct{}

func (machineClock) Now() time.Time { return time.Now() }

func (machineClock) Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Client calls Step Functions.
type Client struct {
	// The operations of sfn.Client that are called. The linker would keep all others too, 1.8 MB, if the client itself
	// were here: it keeps every method of what can be reached from a value in an interface.
	machine    operation[sfn.DescribeStateMachineForExecutionInput, sfn.DescribeStateMachineForExecutionOutput]
	events     operation[sfn.GetExecutionHistoryInput, sfn.GetExecutionHistoryOutput]
	executions operation[sfn.ListExecutionsInput, sfn.ListExecutionsOutput]
	testState  operation[sfn.TestStateInput, sfn.TestStateOutput]
	validate   operation[sfn.ValidateStateMachineDefinitionInput, sfn.ValidateStateMachineDefinitionOutput]
	local      bool // the endpoint is on this machine
	limiter    *rate.Limiter
	clock      Clock
}

// operation is a method of sfn.Client.
type operation[In, Out any] func(context.Context, *In, ...func(*sfn.Options)) (*Out, error)

// Connect reads the configuration and finds the credentials. about is the ARN that the first call will be about. The
// error is an *[Error].
func Connect(ctx context.Context, c Connection, about ARN) (*Client, error) {
	perSecond := c.Rate
	if perSecond <= 0 {
		perSecond = DefaultRate
	}
	client := &Client{limiter: rate.NewLimiter(rate.Limit(perSecond), 1), clock: c.Clock}
	if client.clock == nil {
		client.clock = machineClock{}
	}
	options := []func(*config.LoadOptions) error{
		config.WithDefaultRegion(about.Region),
		config.WithRetryer(func() aws.Retryer {
			return &reportingRetryer{tell: c.Retrying, Standard: retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.RateLimiter = attempts, ratelimit.None
				if c.MaxBackoff > 0 {
					o.MaxBackoff = c.MaxBackoff
				}
				o.Retryables = append(
					o.Retryables,
					retry.RetryableErrorCode{Codes: map[string]struct{}{kmsThrottling: {}}},
				)
			})}
		}),
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTimeout(answerTimeout)),
	}
	if c.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(c.Profile))
	}
	if c.Endpoint != "" {
		local, err := onThisMachine(c.Endpoint)
		if err != nil {
			return nil, err
		}
		client.local = local
		options = append(options, config.WithBaseEndpoint(c.Endpoint))
		if local && c.Profile == "" {
			options = append(options,
				config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("asldb", "asldb", "")))
		}
	}
	loaded, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, refused(ctx, err)
	}
	if _, err := loaded.Credentials.Retrieve(ctx); err != nil {
		return nil, refused(ctx, err)
	}
	api := sfn.NewFromConfig(loaded, sfn.WithAPIOptions(client.addMiddleware))
	client.machine, client.events, client.executions = api.DescribeStateMachineForExecution, api.GetExecutionHistory, api.ListExecutions
	client.testState, client.validate = api.TestState, api.ValidateStateMachineDefinition
	return client, nil
}

// onThisMachine reports whether an endpoint is on the loopback.
func onThisMachine(endpoint string) (bool, error) {
	parsed, err := url.Parse(endpoint)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return false, fmt.Errorf("the endpoint %q is not a URL such as http://localhost:4566", endpoint)
	}
	host := parsed.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback(), nil
}

// inRegion makes a call one to the region of an ARN.
func inRegion(a ARN) func(*sfn.Options) {
	return func(o *sfn.Options) { o.Region = a.Region }
}

// bodyKey is the key of a context under which the place for the body of a response is.
type bodyKey struct{}

// withBody returns a context for a call whose response is kept as it came, since the types of the SDK drop members that
// they do not know.
func withBody(ctx context.Context, body *[]byte) context.Context {
	return context.WithValue(ctx, bodyKey{}, body)
}

// wait waits for the turn of a call.
func (c *Client) wait(ctx context.Context) error {
	now := c.clock.Now()
	turn := c.limiter.ReserveN(now, 1)
	if d := turn.DelayFrom(now); d > 0 {
		if err := c.clock.Wait(ctx, d); err != nil {
			turn.CancelAt(now)
			return err
		}
	}
	return context.Cause(ctx)
}

// reportingRetryer is a retryer that says what is tried again.
type reportingRetryer struct {
	*retry.Standard
	tell func(*Error)
}

// RetryDelay implements [aws.Retryer]. It is called before each wait for another attempt.
func (t *reportingRetryer) RetryDelay(attempt int, err error) (time.Duration, error) {
	if e := newError("", "", err); t.tell != nil && e.Reason != Throttled {
		t.tell(e)
	}
	return t.Standard.RetryDelay(attempt, err)
}

// addMiddleware adds the middleware around each attempt of a call: it waits for its turn, and reads the body of the
// response, up to a bound.
func (c *Client) addMiddleware(stack *middleware.Stack) error {
	return stack.Deserialize.Add(
		middleware.DeserializeMiddlewareFunc(
			"asldbFetch",
			func(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (out middleware.DeserializeOutput, metadata middleware.Metadata, err error) {
				if err := c.wait(ctx); err != nil {
					return out, metadata, err
				}
				out, metadata, err = next.HandleDeserialize(ctx, in)
				response, ok := out.RawResponse.(*smithyhttp.Response)
				if err != nil || !ok {
					return out, metadata, err
				}
				if response.ContentLength > maxAnswer {
					return out, metadata, errors.Join(errTooLarge, response.Body.Close())
				}
				data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
				if err = errors.Join(err, response.Body.Close()); err == nil && len(data) > maxAnswer {
					err = errTooLarge
				}
				if body, wanted := ctx.Value(bodyKey{}).(*[]byte); wanted {
					*body = data
				}
				response.Body = io.NopCloser(bytes.NewReader(data))
				return out, metadata, err
			},
		),
		middleware.After,
	)
}

// Refusal is the answer of a service that refuses a request: the name of its error and the message.
type Refusal struct{ Name, Message string }

// TestState sends a request to the service's own TestState, which runs the state: a Task without a mock is really done.
// The answer is the document as it came, or a Refusal where the service refuses the request itself. Other errors are an
// *[Error].
func (c *Client) TestState(ctx context.Context, r *teststate.Request) (answer []byte, refusal *Refusal, err error) {
	var options []func(*sfn.Options)
	if c.local {
		options = append(options, sfn.WithAPIOptions(sameHost))
	}
	_, err = c.testState(withBody(ctx, &answer), requestOf(r), options...)
	return answered(ctx, "TestState", answer, err)
}

// Validate sends a definition to the service's ValidateStateMachineDefinition, which only reads it. The answer is the
// document as it came, or a Refusal where the service refuses the request itself. Other errors are an *[Error].
func (c *Client) Validate(
	ctx context.Context,
	definition string,
	express bool,
) (answer []byte, refusal *Refusal, err error) {
	in := &sfn.ValidateStateMachineDefinitionInput{
		Definition: aws.String(definition), Type: types.StateMachineTypeStandard,
		Severity: types.ValidateStateMachineDefinitionSeverityWarning,
	}
	if express {
		in.Type = types.StateMachineTypeExpress
	}
	_, err = c.validate(withBody(ctx, &answer), in)
	return answered(ctx, "ValidateStateMachineDefinition", answer, err)
}

// answered tells a refusal from other errors.
func answered(ctx context.Context, call string, answer []byte, err error) ([]byte, *Refusal, error) {
	var service smithy.APIError
	switch {
	case err == nil:
		return answer, nil, nil
	case errors.As(err, &service) && reasons[service.ErrorCode()] == Other:
		return nil, &Refusal{Name: service.ErrorCode(), Message: service.ErrorMessage()}, nil
	}
	return nil, nil, explained(ctx, call, "", err)
}

// sameHost keeps the host of an endpoint, before whose name the client writes sync- otherwise.
func sameHost(stack *middleware.Stack) error {
	return stack.Initialize.Add(
		middleware.InitializeMiddlewareFunc("asldbHost", func(ctx context.Context, in middleware.InitializeInput,
			next middleware.InitializeHandler,
		) (middleware.InitializeOutput, middleware.Metadata, error) {
			return next.HandleInitialize(smithyhttp.DisableEndpointHostPrefix(ctx, true), in)
		}),
		middleware.Before,
	)
}

// requestOf writes a request as the API takes it: what is not given is left out.
func requestOf(r *teststate.Request) *sfn.TestStateInput {
	definition := string(r.Definition.Data)
	if r.Root != nil { // of YAML and templates, too
		definition = value.Compact(r.Root.Value)
	}
	in := &sfn.TestStateInput{
		Definition: aws.String(definition), StateName: r.StateName, RevealSecrets: r.RevealSecrets,
		InspectionLevel: types.InspectionLevel(r.Level.String()),
		Input:           text(r.Input), Variables: text(r.Variables), Context: text(r.Context),
	}
	if r.RoleARN != "" {
		in.RoleArn = aws.String(r.RoleARN)
	}
	if m := r.Mock; m != nil {
		in.Mock = &types.MockInput{
			Result:              m.Result,
			FieldValidationMode: types.MockResponseValidationMode(m.Validation.String()),
		}
		if m.Error != nil {
			in.Mock.ErrorOutput = &types.MockErrorOutput{
				Error: aws.String(m.Error.Error),
				Cause: aws.String(m.Error.Cause),
			}
		}
	}
	if c := r.Configuration; c != (teststate.Configuration{}) {
		in.StateConfiguration = &types.TestStateConfiguration{MapItemReaderData: c.MapItemReaderData}
		if c.ErrorCausedByState != "" {
			in.StateConfiguration.ErrorCausedByState = aws.String(c.ErrorCausedByState)
		}
		if c.RetrierRetryCount > 0 {
			in.StateConfiguration.RetrierRetryCount = aws.Int32(int32(c.RetrierRetryCount))
		}
		if n := c.MapIterationFailureCount; n != nil {
			in.StateConfiguration.MapIterationFailureCount = aws.Int32(int32(*n))
		}
	}
	return in
}

// text is a value as JSON text; nil where there is none.
func text(v value.Value) *string {
	if v == nil {
		return nil
	}
	return aws.String(value.Compact(v))
}
