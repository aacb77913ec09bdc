import { z } from 'zod'
import { AUDIT_GROUPS, AUDIT_KINDS } from '#domain/audit/audit-kind.ts'
import { endpoint } from './endpoint.ts'

const named = z.object({ id: z.string(), name: z.string() }).nullable()

const auditValue = z
  .union([
    z.string(),
    z.boolean(),
    z.object({
      where: z.string().optional(),
      only: z.array(z.string()).optional(),
      except: z.array(z.string()).optional(),
      presets: z.array(z.string()).optional(),
    }),
  ])
  .nullable()

/** One thing that happened to accounts, sessions and access. */
const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  user: named,
  /** The affected user, if another one. */
  about: named,
  /** The collection it concerns; without a name for readers who cannot see it. */
  collection: named,
  address: z.string(),
  details: z.record(z.string(), z.string()),
  /**
   * What changed in a role, a policy or a collection: the property (of a policy, the permission), what it belongs to,
   * and its values; both null where only the fact is kept. Empty for actors who may not manage that thing.
   */
  changes: z.array(z.object({ property: z.string(), of: z.string(), before: auditValue, after: auditValue })),
})

/** What is looked for. All of it must be so. */
const filterQuery = {
  /** Who did it, or whom it concerns. */
  person: z.string().max(60).optional(),
  group: z.enum(AUDIT_GROUPS).optional(),
  kind: z.enum(AUDIT_KINDS).optional(),
  collection: z.string().max(60).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Not itself in it. */
  until: z.iso.datetime({ offset: true }).optional(),
  /** All words must occur in the entry's text. */
  text: z.string().trim().max(200).optional(),
}

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  summary: 'List audit log entries, newest first.',
  query: z.strictObject({ before: z.string().max(40).optional(), ...filterQuery }),
  response: z.object({
    items: z.array(auditEntry),
    /** Where the next page begins; null: there is nothing older. */
    next: z.string().nullable(),
    /**
     * How far back was looked for a text, when that was not to the end and the page is not full; ask again with `next`.
     */
    lookedBackTo: z.string().nullable(),
  }),
})

export const exportAudit = endpoint({
  method: 'GET',
  path: '/api/audit.csv',
  cost: 'high',
  summary: 'Export all matching audit log entries as CSV, each with its description.',
  query: z.strictObject(filterQuery),
  response: 'raw',
  contentTypes: { 200: 'text/csv' },
})
