import { z } from 'zod'
import { MAX_TRANSITIONS, NOTES } from '#domain/workflow/workflow.ts'
import { endpoint } from './endpoint.ts'
import { filterInput, filterTree } from './filters.ts'
import { personBody, recordBody } from './records.ts'

const stateRules = z.strictObject({
  requiredToLeave: z.array(z.string()).max(500).default([]),
  frozen: z.union([z.literal('all'), z.array(z.string()).max(500)]).default([]),
})

const transitionInput = z.strictObject({
  /** Left out: a new one. */
  id: z.string().optional(),
  name: z.string().trim().min(1).max(120),
  from: z.string(),
  to: z.string(),
  roles: z.array(z.string()).max(100).default([]),
  when: filterInput.nullable().default(null),
  note: z.enum(NOTES).default('none'),
})

/** A workflow as it is asked for: states, fields and roles by id. Its field is the collection's one state field. */
export const workflowInput = z.strictObject({
  transitions: z.array(transitionInput).max(MAX_TRANSITIONS),
  states: z.record(z.string(), stateRules).default({}),
})

/** The parsed form. */
export type WorkflowInput = z.output<typeof workflowInput>

/**
 * A workflow as one actor sees it: fields they may not read are not there; who may take what, and when, is for
 * managers.
 */
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

/** The parsed form. */
export type WorkflowBody = z.infer<typeof workflowBody>

const recordParams = z.object({ collection: z.string(), record: z.string() })

/** A transition the caller may take. */
const transitionBody = z.object({
  id: z.string(),
  name: z.string(),
  /** The state it leads to, by name. */
  to: z.string(),
  note: z.enum(NOTES),
  /** Fields that must be filled in first, by name, as far as the actor sees them. */
  missing: z.array(z.string()),
})

/** The parsed form. */
export type TransitionBody = z.infer<typeof transitionBody>

export const listTransitions = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/transitions',
  summary: 'List the transitions you can use on a record.',
  params: recordParams,
  response: z.object({ items: z.array(transitionBody) }),
  problems: ['collection-not-found', 'record-not-found'],
})

/** One transition a record took. Statuses are named as they are called now; null: the status was removed since. */
const statusChange = z.object({
  id: z.string(),
  at: z.string(),
  /** null: the program itself. A user who no longer exists has no name. */
  user: personBody.nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  note: z.string().nullable(),
})

/** The parsed form. */
export type StatusChange = z.infer<typeof statusChange>

export const listStatusHistory = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/records/:record/status-history',
  summary: 'The status history of a record, newest first: who moved it, when, from where to where, and the note.',
  params: recordParams,
  query: z.strictObject({
    /** `next` of the page before. */
    before: z.string().max(40).optional(),
  }),
  response: z.object({
    /** Empty without a workflow, and for actors who may not read the status of this record. */
    items: z.array(statusChange),
    /** Where the next page begins; null: there is nothing older. */
    next: z.string().nullable(),
  }),
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
