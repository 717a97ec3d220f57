package executions

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/credentials/ssocreds"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"asldb/internal/wording"
)

// Reason says why something could not be fetched.
type Reason uint8

// The reasons.
const (
	// Other is any reason that has no constant.
	Other Reason = iota
	// Throttled: the service refused calls for their rate, and did so again after all retries.
	Throttled
	// Expired: the credentials have expired.
	Expired
	// BadCredentials: there are no credentials, or the service does not know them.
	BadCredentials
	// Denied: the credentials do not have the permission.
	Denied
	// Missing: there is no such execution, or no longer.
	Missing
	// NoMachine: there is no such state machine.
	NoMachine
	// Encrypted: the data are encrypted with a key of KMS that cannot be used.
	Encrypted
	// Express: executions of Express state machines have no history.
	Express
	// Incomplete: pages of the history are missing.
	Incomplete
	// Unreachable: the call did not come to the service.
	Unreachable
	// Excessive: there is more than the service gives, or no end of it.
	Excessive
)

// Error says why a call did not give what it was made for.
type Error struct {
	Reason Reason
	// Call is the operation of the API; empty where no call was made.
	Call string
	// About is the ARN that the call was about.
	About string
	// Err is the error of the call; nil where no call was made.
	Err error
	// detail completes the message, by the reason.
	detail string
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Error implements error: the fault and the remedy, in a visible form.
func (e *Error) Error() string {
	if e.Reason == Throttled {
		return e.Advice("run the command again to continue, with a lower --rate")
	}
	return e.Advice("run the command again")
}

// Advice returns the fault and the remedy, in a visible form; again says how the call is made once more: "run the command again".
func (e *Error) Advice(again string) string {
	about := wording.Line(e.About)
	switch e.Reason {
	case Throttled:
		return fmt.Sprintf("%s was throttled, also after retries (%s): %s", e.Call, e.Message(), again)
	case Expired:
		return fmt.Sprintf("the AWS credentials have expired (%s): log in again (with SSO: aws sso login), then %s", e.Message(), again)
	case BadCredentials:
		return fmt.Sprintf("there are no valid AWS credentials (%s): set them as for the AWS command line, or name a profile with --profile", e.Message())
	case Denied:
		return fmt.Sprintf("%s is not permitted (%s): the credentials need states:%s", e.Call, e.Message(), e.Call)
	case Missing:
		return fmt.Sprintf("there is no execution %s: the name is wrong, or it ended more than 90 days ago, after which Step Functions deletes the history", about)
	case NoMachine:
		return fmt.Sprintf("there is no state machine %s (%s)", about, e.Message())
	case Encrypted:
		return fmt.Sprintf("the data of %s are encrypted with a KMS key that cannot be used (%s): the credentials need kms:Decrypt for the key, and the key must be enabled", about, e.Message())
	case Express:
		return expressAdvice(e.About)
	case Incomplete:
		return fmt.Sprintf("the history of %s is incomplete: %s; %s", about, wording.Line(e.detail), again)
	case Unreachable:
		return fmt.Sprintf("Step Functions cannot be reached: %s", e.Message())
	case Excessive:
		return fmt.Sprintf("%s is not read to its end: %s", about, wording.Line(e.detail))
	case Other:
	}
	return fmt.Sprintf("%s failed: %s", e.Call, e.Message())
}

// Message is the service's own message, or the error's, in one line.
func (e *Error) Message() string { return wording.Line(e.serviceMessage()) }

func (e *Error) serviceMessage() string {
	var service smithy.APIError
	var response *smithyhttp.ResponseError
	switch {
	case errors.As(e.Err, &response) && response.HTTPStatusCode() >= http.StatusInternalServerError:
		return fmt.Sprintf("%d %s", response.HTTPStatusCode(), http.StatusText(response.HTTPStatusCode()))
	case errors.As(e.Err, &service) && service.ErrorMessage() != "":
		return service.ErrorCode() + ": " + service.ErrorMessage()
	case errors.As(e.Err, &service):
		return service.ErrorCode()
	case e.Err == nil:
		return e.detail
	}
	var operation *smithy.OperationError
	if errors.As(e.Err, &operation) {
		return operation.Err.Error()
	}
	return e.Err.Error()
}

// expressAdvice says where the events of Express executions are.
func expressAdvice(about string) string {
	machine := about
	if a, err := ParseARN(about); err == nil && a.Resource == ExpressExecution {
		parts := strings.SplitN(a.Text, ":", 6)
		machine = strings.Join(parts[:5], ":") + ":stateMachine:" + a.Machine
	}
	return fmt.Sprintf(`%s is Express, and Express executions have no history. If logging is on at level ALL, their events are in CloudWatch Logs:
  aws stepfunctions describe-state-machine --state-machine-arn %s --query loggingConfiguration
  aws logs filter-log-events --log-group-name GROUP --filter-pattern '{$.execution_arn = "ARN"}' > express.log
  asldb debug DEFINITION --history express.log`, wording.Line(about), wording.Line(machine))
}

// reasons are those that the service tells by the code of its error.
var reasons = map[string]Reason{
	"ThrottlingException": Throttled, "Throttling": Throttled, "TooManyRequestsException": Throttled, "RequestLimitExceeded": Throttled, kmsThrottling: Throttled,
	"ExpiredTokenException": Expired, "ExpiredToken": Expired, "RequestExpired": Expired, "TokenRefreshRequired": Expired,
	"UnrecognizedClientException": BadCredentials, "InvalidClientTokenId": BadCredentials, "InvalidSignatureException": BadCredentials,
	"IncompleteSignature": BadCredentials, "IncompleteSignatureException": BadCredentials, "MissingAuthenticationToken": BadCredentials, "MissingAuthenticationTokenException": BadCredentials,
	"AccessDeniedException": Denied, "AccessDenied": Denied, "NotAuthorized": Denied, "UnauthorizedOperation": Denied,
	"ExecutionDoesNotExist":    Missing,
	"StateMachineDoesNotExist": NoMachine, "ResourceNotFound": NoMachine,
	"KmsAccessDeniedException": Encrypted, "KmsInvalidStateException": Encrypted,
	"StateMachineTypeNotSupported": Express,
}

const kmsThrottling = "KmsThrottlingException"

// explained returns the error of a call with its reason; nil for nil. An error by the end of the context stays what it is.
func explained(ctx context.Context, call, about string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return newError(call, about, err)
}

// newError finds the reason of an error.
func newError(call, about string, err error) *Error {
	e := &Error{Call: call, About: about, Err: err}
	var service smithy.APIError
	var quota ratelimit.QuotaExceededError
	var send *smithyhttp.RequestSendError
	switch {
	case errors.Is(err, errTooLarge):
		e.Reason, e.detail = Excessive, errTooLarge.Error()
	case errors.As(err, &service):
		e.Reason = reasons[service.ErrorCode()]
	case errors.As(err, &quota):
		e.Reason = Throttled
	case errors.As(err, &send):
		e.Reason = Unreachable
	}
	return e
}

// refused returns the error of credentials that could not be had.
func refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	e := &Error{Reason: BadCredentials, Err: err}
	var sso *ssocreds.InvalidTokenError
	var service smithy.APIError
	switch {
	case errors.As(err, &sso):
		e.Reason = Expired
	case errors.As(err, &service) && reasons[service.ErrorCode()] == Expired:
		e.Reason = Expired
	}
	return e
}
