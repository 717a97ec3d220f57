package executions

import (
	"context"
	"errors"
	"sync"

	"asldb/recorder/history"
)

// pageSize is the number of executions that a page of the service has.
const pageSize = 100

// Service lists the executions of a state machine in AWS.
type Service struct {
	connection Connection
	query      Query

	mutex  sync.Mutex // of the client: a history may be read beside the list
	client *Client
	pager  *Pager
}

// NewService returns the list of the executions that a query finds. Nothing is called before the first of them are read.
func NewService(c Connection, q Query) *Service { return &Service{connection: c, query: q} }

// Title implements [Source].
func (s *Service) Title() string { return "Executions of " + s.query.Of.Machine }

// Local implements [Source].
func (s *Service) Local() bool { return false }

// LeftOut implements [Source].
func (s *Service) LeftOut() int { return 0 }

// Again implements [Source]. Credentials are looked up again.
func (s *Service) Again() {
	s.pager = nil
	s.forget()
}

func (s *Service) forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.client = nil
}

// connect returns the client; after an error it is a new one, since the user may have logged in.
func (s *Service) connect(ctx context.Context) (*Client, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	client, err := Connect(ctx, s.connection, s.query.Of)
	if err == nil {
		s.client = client
	}
	return client, err
}

// Next implements [Source].
func (s *Service) Next(ctx context.Context) (rows []Row, more bool, err error) {
	client, err := s.connect(ctx)
	if err != nil {
		return nil, true, err
	}
	if s.pager == nil {
		s.pager = client.Pages(s.query, pageSize)
	}
	s.pager.With(client)
	items, err := s.pager.Next(ctx)
	if err != nil {
		s.forget()
		return nil, true, err
	}
	for i := range items {
		item := &items[i]
		rows = append(rows, Row{
			ID: item.ARN.Text, Name: item.ARN.Name, Status: item.Status, Start: item.Start, Stop: item.Stop, Redrives: item.Redrives, About: item.ARN.Text,
			arn: item.ARN,
		})
	}
	return rows, s.pager.More(), nil
}

// Read implements [Source].
func (s *Service) Read(ctx context.Context, row *Row, progress func(events int)) (*Recorded, error) {
	client, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	x, err := client.Execution(ctx, row.arn, progress)
	if err != nil {
		var wrong *Error
		if errors.As(err, &wrong) && (wrong.Reason == Expired || wrong.Reason == BadCredentials) {
			s.forget()
		}
		return nil, err
	}
	list, err := history.Read(history.File{Name: x.ARN.Text, Data: x.Document()})
	if err != nil {
		return nil, err
	}
	return &Recorded{Row: *row, History: list[0], Fetched: x}, nil
}
