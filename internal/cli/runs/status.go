package runs

const runStatuses = `Exit status:
  0    the execution succeeded
  1    the execution failed or timed out
  2    the command line, the definition, the input or the fixtures are wrong
  3    with --history: the run differs from the recording
  130  interrupted (Ctrl+C)
  129, 131, 143  ended by SIGHUP, SIGQUIT or SIGTERM`
