$version: "2"

namespace example.jobs

use smithy.waiters#waitable

@waitable(
    JobDone: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    output: {path: "Status", comparator: "stringEquals", expected: "DONE"}
                }
            }
            {
                state: "failure"
                matcher: {
                    output: {path: "Status", comparator: "stringEquals", expected: "FAILED"}
                }
                message: "Reason"
            }
            {
                state: "retry"
                matcher: {errorType: NoSuchJob}
            }
        ]
        minDelay: 2
        maxDelay: 20
    }
)
operation GetJob {
    input := {
        Id: String
    }
    output := {
        Status: String
        Reason: String
    }
    errors: [NoSuchJob]
}

@error("client")
structure NoSuchJob {}
