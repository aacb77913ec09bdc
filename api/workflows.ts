import { z } from 'zod'
import { MAX_TRANSITIONS, NOTES } from '#domain/workflow/workflow.ts'
import { endpoint } from './endpoint.ts'
import { filterInput, filterTree } from './filters.ts'
import { recordBody } from './records.ts'

const stateRules = z.strictObject({
  requiredToLeave: z.array(z.string()).max(500).default([]),
  frozen: z.union([z.literal('all'), z.array(z.string()).max(500)]).default([]),
})

const transitionInput = z.strictObject({
  /** If absent, a new transition is created. */
  id: z.string().optional(),
  name: z.string().trim().min(1).max(120),
  from: z.string(),
  to: z.string(),
  roles: z.array(z.string()).max(100).default([]),
  when: filterInput.nullable().default(null),
  note: z.enum(NOTES).default('none'),
})

/** Refers to statuses, fields and roles by ID. */
export const workflowInput = z.strictObject({
  transitions: z.array(transitionInput).max(MAX_TRANSITIONS),
  states: z.record(z.string(), stateRules).default({}),
})

export type WorkflowInput = z.output<typeof workflowInput>

/** Excludes hidden fields; roles and conditions are included only for managers. */
export const workflowBody = z.object({
  field: z.string(),
  transitions: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      from: z.string(),
      to: z.string(),
      note: z.enum(NOTES),
      roles: z.array(z.string()).optional(),
      when: filterTree.nullable().optional(),
    }),
  ),
  states: z.record(
    z.string(),
    z.object({ requiredToLeave: z.array(z.string()), frozen: z.union([z.literal('all'), z.array(z.string())]) }),
  ),
})

export type WorkflowBody = z.infer<typeof workflowBody>

const recordParams = z.object({ collection: z.string(), record: z.string() })

const transitionBody = z.object({
  id: z.string(),
  name: z.string(),
  to: z.string(),
  note: z.enum(NOTES),
  /** Names of readable fields that must be filled in before the transition. */
  missing: z.array(z.string()),
})

export type TransitionBody = z.infer<typeof transitionBody>

export const listTransitions = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/transitions',
  summary: 'List the transitions you can use on a record.',
  params: recordParams,
  response: z.object({ items: z.array(transitionBody) }),
  problems: ['collection-not-found', 'record-not-found'],
})

export const transitionRecord = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/:record/transitions',
  summary: 'Change the status of a record with a transition, by status name or ID.',
  params: recordParams,
  body: z.strictObject({
    to: z.string(),
    note: z.string().max(10_000).optional(),
    version: z.number().int().optional(),
  }),
  response: recordBody,
  problems: ['collection-not-found', 'record-not-found', 'version-conflict', 'transition-refused', 'rule-broken'],
})

export const undoTransition = endpoint({
  method: 'POST',
  path: '/api/collections/:collection/records/:record/transitions/undo',
  summary: 'Undo your own last status change of a record within ten minutes, if the record has not been edited since.',
  params: recordParams,
  body: z.strictObject({
    /** Record version after the status change. */
    version: z.number().int(),
  }),
  response: recordBody,
  problems: ['collection-not-found', 'record-not-found', 'version-conflict', 'transition-refused', 'rule-broken'],
})
