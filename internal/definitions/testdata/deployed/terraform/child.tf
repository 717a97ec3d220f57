locals {
  pause = 7
}
resource "aws_sfn_state_machine" "child" {
  name       = "child-flow"
  definition = "{}"
}
