package executions

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"asldb/engine/teststate"
	"asldb/engine/value"
)

// Refusal is the answer of a service that refuses a request: the name of its error and the message.
type Refusal struct{ Name, Message string }

// TestState sends a request to the service's own TestState, which runs the state: a Task without a mock is really done. The answer is the
// document as it came, or a Refusal where the service refuses the request itself. Other errors are an *[Error].
func (c *Client) TestState(ctx context.Context, r *teststate.Request) (answer []byte, refusal *Refusal, err error) {
	const call = "TestState"
	var options []func(*sfn.Options)
	if c.local {
		options = append(options, sfn.WithAPIOptions(sameHost))
	}
	_, err = c.testState(withBody(ctx, &answer), requestOf(r), options...)
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
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("asldbHost", func(ctx context.Context, in middleware.InitializeInput,
		next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		return next.HandleInitialize(smithyhttp.DisableEndpointHostPrefix(ctx, true), in)
	}), middleware.Before)
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
		in.Mock = &types.MockInput{Result: m.Result, FieldValidationMode: types.MockResponseValidationMode(m.Validation.String())}
		if m.Error != nil {
			in.Mock.ErrorOutput = &types.MockErrorOutput{Error: aws.String(m.Error.Error), Cause: aws.String(m.Error.Cause)}
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
