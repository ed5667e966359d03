/**
 * Test an agent on simulated MCP servers: a private world for each test, and assertions on its changes.
 *
 * @packageDocumentation
 */

/// <reference lib="esnext.disposable" preserve="true" />

export type { Cassette, CassetteOptions, RecordMode, Server } from "./cassette.js";
export { McpFarmError, ToolRefusedError } from "./errors.js";
export { findFarm } from "./farm.js";
export type { Farm, FarmOptions, FarmTask, WorldOptions } from "./farm.js";
export type { Content, GivenFiles } from "./given_files.js";
export type { ModelRequest, ScriptedModel, Turn } from "./model.js";
export type { TrialOptions } from "./trials.js";
export { Person } from "./values.js";
export type { Row } from "./values.js";
export { VERSION } from "./versions.js";
export type { Answers, Arrival, ChangedRow, Diff, TracedCall } from "./wire.js";
export type {
  ActingPerson,
  Call,
  Calls,
  Change,
  ChangeWish,
  CheckpointOptions,
  Clock,
  Connection,
  Duration,
  Fault,
  FaultOptions,
  McpConfig,
  When,
  WhenOptions,
  World,
} from "./world.js";
