#!/usr/bin/env node
import "@groupwise/cli/bin";
