#!/bin/bash
# The farm's container graded the episode when the agent had ended; the agent's container can only read the verdict.
# Without a verdict there is no reward: that is a failure of the environment, not of the agent.
set -euo pipefail
mkdir -p /logs/verifier
cp %verdict_folder/trial.json /logs/verifier/trial.json
cp %verdict_folder/reward.json /logs/verifier/reward.json
