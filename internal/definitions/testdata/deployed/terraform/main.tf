provider "aws" {
  region = var.region
}
variable "region" {
  default = "eu-central-1"
}
resource "aws_sfn_state_machine" "Orders" {
  name     = "orders"
  type     = "EXPRESS"
  role_arn = "arn:aws:iam::210987654321:role/Runs"
  logging_configuration {
    level = "ERROR"
  }
  definition = jsonencode({ StartAt = "W", States = { W = { Type = "Wait", Seconds = local.pause, Comment = aws_sfn_state_machine.child.arn, End = true } } })
}
