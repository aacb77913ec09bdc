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

const auditEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  user: named,
  /** The affected user, if different from `user`. */
  about: named,
  /** The affected collection; its name is omitted for readers who can't see it. */
  collection: named,
  address: z.string(),
  details: z.record(z.string(), z.string()),
  /**
   * Changes to a role, policy or collection; only for actors who can manage it. For policies, `property` is a
   * permission. Both values are null if they weren't recorded.
   */
  changes: z.array(z.object({ property: z.string(), of: z.string(), before: auditValue, after: auditValue })),
})

const filterQuery = {
  /** Filters by acting or affected user. */
  person: z.string().max(60).optional(),
  group: z.enum(AUDIT_GROUPS).optional(),
  kind: z.enum(AUDIT_KINDS).optional(),
  collection: z.string().max(60).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  until: z.iso.datetime({ offset: true }).optional(),
  /** Search text; all words must match. */
  text: z.string().trim().max(200).optional(),
}

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  summary: 'List audit log entries, newest first.',
  query: z.strictObject({ before: z.string().max(40).optional(), ...filterQuery }),
  response: z.object({
    items: z.array(auditEntry),
    /** null if there are no older entries. */
    next: z.string().nullable(),
    /** How far back a text search has scanned, if it stopped before the page was full; continue with `next`. */
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
